/* git perf blame: for each function the commit that last changed its cost; and
 * what log --function has in common with it. */
#include "blame.h"

#include "context.h"
#include "jobs/functions/blamed.h"
#include "render/functions/course.h"
#include "render/terminal.h"

struct options {
	struct pn_blame_ask ask;
	struct pn_series_request which;
	const char *output;
	bool json;
};

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_blame_ask, ask, pn_blame_opts)},
	{OPT_TABLE(struct pn_series_request, which, pn_series_opts)},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

bool say_none_has(const struct pn_series_request *which, const char *with)
{
	struct pn_buf text = {0};
	bool asked;

	pn_series_request_text(&text, which);
	asked = text.len > 0;
	pn_buf_add_text(&text, with);
	pn_series_request_others(&text, which);
	if (asked)
		say("no series of these commits has %s", pn_buf_text(&text));
	pn_buf_release(&text);
	return asked;
}

static int print_rows(const struct global *global,
		      const struct pn_blamed *blamed,
		      const struct blame_call *call, struct pn_error *err)
{
	struct pn_buf text = {0};
	struct output out;
	int code = open_output(&out, global, call->output, !call->json, err);

	if (code)
		return code;
	if (call->json)
		pn_function_course_json(&text, &blamed->blame, call->is_log);
	else if (call->is_log)
		pn_function_course_text(&text, &blamed->blame, &out.palette,
					call->brief,
					pn_terminal_columns(out.file));
	else
		pn_function_blame_text(&text, &blamed->blame, &out.palette,
				       pn_terminal_columns(out.file));
	fwrite(pn_buf_text(&text), 1, text.len, out.file);
	pn_buf_clear(&text);
	pn_blamed_why(&text, blamed);
	if (text.len &&
	    (blamed->gathered.series_count || blamed->gathered.faults ||
	     !say_none_has(call->which, WITH_FUNCTIONS)))
		say("%s", pn_buf_text(&text));
	pn_buf_release(&text);
	return close_output(&out, blamed->gathered.series_count
					  ? EXIT_DONE
					  : EXIT_NO_VERDICT);
}

int print_functions(const struct global *global, struct blame_call *call)
{
	struct pn_blamed blamed = {.regex = NULL};
	struct context context = {0};
	struct pn_error err;
	int code = open_context(&context, NULL, true, &err);

	call->request.repo = context.repo;
	call->request.notes = context.notes;
	call->request.type = call->which->metric;
	call->request.filter = (struct pn_log_filter){
		NULL, call->which->job, call->which->collector,
		call->which->machine, call->which->others};
	if (!code)
		code = pn_blamed_read(&blamed, call->pattern, call->min_effect,
				      &call->request, &err);
	if (!code)
		code = print_rows(global, &blamed, call, &err);
	if (code >= 0 && !blamed.gathered.series_count)
		say_where_profiles_are(&context.lookup);
	pn_blamed_release(&blamed);
	close_context(&context);
	if (code < 0 &&
	    pn_opts_refused(&err, call->command->opts,
			    (int)call->request.arg_count, call->request.args))
		return usage(call->command, "%s", err.message);
	return code < 0 ? fail(&err) : code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.output = NULL};
	struct blame_call call = {&cmd_blame, .which = &o.which};
	struct pn_strtab others = {0};
	struct pn_error err;
	int code;

	pn_blame_ask_init(&o.ask);
	argc = opts_parse(&cmd_blame, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc > 1)
		return usage(&cmd_blame, "need one expression, have %d", argc);
	o.ask.pattern = argc ? argv[0] : NULL;
	if (pn_blame_ask_read(&call.request, &o.ask, &err))
		return usage(&cmd_blame, "%s", err.message);
	call.pattern = o.ask.pattern;
	call.min_effect = o.ask.min_effect;
	call.output = o.output;
	call.json = o.json;
	o.which.others = &others;
	code = print_functions(global, &call);
	pn_strtab_release(&others);
	return code;
}

const struct command cmd_blame = {
	.name = "blame",
	.summary = "say which commit last changed what a function costs",
	.synopsis = "blame [<options>] [<regex>]",
	.opts = opts,
	.colored = true,
	.run = run,
};
