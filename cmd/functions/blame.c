/* git perf blame: for each function the commit that last changed its cost; and
 * what log --function has in common with it. */
#include "blame.h"

#include "context.h"
#include "jobs/functions/blamed.h"
#include "render/functions/course.h"

struct options {
	struct pn_series_request which;
	const char *range, *output;
	double min_share, min_effect;
	int64_t count;
	bool json, by_total, all;
};

#define COMMITS 1000 /* that are looked at: half a second */
#define MIN_SHARE 0.01

static const struct pn_opt opts[] = {
	{OPT_TEXT(range), 0, "range", "<range>",
	 "look at these commits, not at the last 1000 of HEAD"},
	{OPT_INT(count), 'n', "max-count", "<number>",
	 "at most so many commits"},
	{OPT_DOUBLE(min_share), 0, "min-share", "<share>",
	 "functions with this share of a series (0.01)"},
	{OPT_DOUBLE(min_effect), 0, "min-effect", "<share>",
	 "pass over changes that are smaller"},
	{OPT_FLAG(by_total), 0, "cum", NULL,
	 "by what functions cost with what they call"},
	{OPT_FLAG(all), 0, "all", NULL, "all functions that fit, not 20"},
	{OPT_TABLE(struct pn_series_request, which, pn_series_opts)},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

bool say_none_has(const struct pn_series_request *which)
{
	struct pn_buf text = {0};
	bool asked;

	pn_series_request_text(&text, which);
	asked = text.len > 0;
	if (asked)
		say("no series of these commits has %s with functions",
		    pn_buf_text(&text));
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
					call->brief);
	else
		pn_function_blame_text(&text, &blamed->blame, &out.palette);
	fwrite(pn_buf_text(&text), 1, text.len, out.file);
	pn_buf_clear(&text);
	pn_blamed_why(&text, blamed);
	if (text.len && (blamed->gathered.series_count ||
			 blamed->gathered.faults || !say_none_has(call->which)))
		say("%s", pn_buf_text(&text));
	pn_buf_release(&text);
	return close_output(&out, blamed->gathered.series_count || call->is_log
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
	call->request.filter = (struct pn_log_filter){NULL, call->which->job,
						      call->which->collector,
						      call->which->machine};
	if (!code)
		code = pn_blamed_read(&blamed, call->pattern, call->min_effect,
				      &call->request, &err);
	if (!code)
		code = print_rows(global, &blamed, call, &err);
	if (code >= 0 && !blamed.gathered.series_count)
		say_where_profiles_are(&context);
	pn_blamed_release(&blamed);
	close_context(&context);
	return code < 0 ? fail(&err) : code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.count = -1, .min_share = -1};
	struct blame_call call = {.pattern = NULL};
	char *range[1];

	argc = opts_parse(&cmd_blame, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc > 1)
		return usage(&cmd_blame, "need one expression, have %d", argc);
	if (o.min_share > 1 || !(o.min_effect >= 0))
		return usage(&cmd_blame, "a share is from 0 to 1");
	range[0] = (char *)o.range;
	call = (struct blame_call){.pattern = argc ? argv[0] : NULL,
				   .which = &o.which,
				   .output = o.output,
				   .min_effect = o.min_effect,
				   .json = o.json};
	call.request = (struct pn_functions_request){
		.args = range,
		.arg_count = o.range != NULL,
		.max_commits = o.count < 0 && !o.range ? COMMITS : o.count};
	/* of functions that are asked for by name all are shown */
	call.request.rule = (struct pn_function_rule){
		.by_total = o.by_total,
		.min_share = o.min_share >= 0 ? o.min_share
			     : argc	      ? 0
					      : MIN_SHARE,
		.newest = !argc,
		.most = o.all ? 0 : BLAME_MOST};
	return print_functions(global, &call);
}

const struct command cmd_blame = {
	.name = "blame",
	.summary = "say which commit last changed what a function costs",
	.synopsis = "blame [<options>] [<regex>]",
	.opts = opts,
	.colored = true,
	.run = run,
};
