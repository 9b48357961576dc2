/* git perf log: history with figures. Long, as it passes git's own options on,
 * and says what may be meant where it has nothing to show. */
#include "analysis/history/series_request.h"
#include "base/text/held.h"
#include "command.h"
#include "context.h"
#include "functions/blame.h"
#include "jobs/judge/past_marks.h"
#include "jobs/profiles/log_walk.h"
#include "render/log/chart.h"
#include "render/log/graph.h"
#include "render/terminal.h"

#include <string.h>

struct options {
	struct pn_log_ask ask;
	struct pn_series_request which;
	const char *output;
	bool json;
};

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_log_ask, ask, pn_log_opts)},
	{OPT_TABLE(struct pn_series_request, which, pn_series_opts)},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

/* One run of log. */
struct printing {
	const struct options *options;
	struct context context;
	struct pn_regex *metric; /* NULL: all */
	struct pn_log_walk *walk;
	struct pn_past_marks past;
	struct pn_marked marked; /* of `past` */
	struct output out;
	struct pn_json_writer json;
	struct pn_buf text;  /* of the commit at hand; all of it for JSON */
	struct pn_held held; /* of JSON, if it is long */
	struct pn_trends *trends;
	struct pn_log_columns columns;
	size_t shown; /* rows of series, of all commits */
};

static void print_row(struct printing *p, struct pn_log_walk_row *given)
{
	const struct options *o = p->options;
	struct pn_log_row *row = &given->row;
	const struct pn_figure *figures;
	char hex[PN_OID_HEX + 1];
	size_t count;

	pn_oid_hex(hex, &row->commit);
	row->marked = o->ask.changes ? &p->marked : NULL;
	if (given->fault)
		warn("the note of commit %.10s is passed over: %s", hex,
		     given->fault);
	p->shown += row->row_count;
	if (o->ask.measured && !row->row_count)
		return;
	if (o->json) {
		pn_log_json_add(&p->json, row);
		return;
	}
	if (!o->ask.chart) /* that comes when all are known */
		pn_log_graph_text(&p->text, row, &o->ask, &p->out.palette,
				  &p->columns);
	figures = pn_log_row_headlines(&count, given->arena, row,
				       o->ask.verbose || o->which.metric);
	pn_trends_add(p->trends, figures, count);
	fwrite(pn_buf_text(&p->text), 1, p->text.len, p->out.file);
	pn_buf_clear(&p->text);
}

/* JSON waits until the walk has ended well; text streams into the pager. */
static int print_rows(struct printing *p, struct pn_error *err)
{
	struct pn_log_walk_row *row;
	int code;

	if (p->options->json)
		pn_log_json_begin(&p->json, &p->text);
	for (; (code = pn_log_walk_next(&row, p->walk, err)) > 0;
	     pn_held_add(&p->held, &p->text))
		print_row(p, row);
	code = pn_held_end(&p->held, p->out.file, code, err);
	if (code)
		return code;
	if (p->options->json)
		pn_log_json_end(&p->json);
	else if (!p->options->ask.chart)
		pn_log_trends(&p->text, p->trends, p->columns.line);
	else if (!pn_log_charts(&p->text, p->trends, &p->out.palette,
				pn_terminal_columns(
					p->options->output ? NULL : stdout),
				pn_terminal_is_utf8()))
		say("nothing to draw: no series has two different values");
	fwrite(pn_buf_text(&p->text), 1, p->text.len, p->out.file);
	return 0;
}

static int open_walk(struct printing *p, struct pn_log_walk_options *options,
		     struct pn_error *err)
{
	const struct options *o = p->options;
	int code = open_context(&p->context, NULL, true, err);

	if (!code)
		code = pn_series_request_open(&options->filter, &p->metric,
					      &o->which, err);
	if (!code && o->ask.changes && !p->context.head.unborn)
		code = pn_past_marks_read(
			&p->past, p->context.repo, p->context.notes,
			&p->context.head.commit, &options->filter, false, err);
	p->marked = (struct pn_marked){&p->past.marks, p->past.gathered.commits,
				       p->past.gathered.count};
	if (!code)
		code = pn_log_walk_open(&p->walk, p->context.repo,
					p->context.notes, options, err);
	return code;
}

static int print_history(struct printing *p, const struct global *global,
			 struct pn_log_walk_options *options,
			 struct pn_error *err)
{
	const struct options *o = p->options;
	int code = open_walk(p, options, err);

	if (!code)
		code = open_output(&p->out, global, o->output, !o->json, err);
	if (code)
		return code;
	p->columns.line = pn_terminal_columns(p->out.file);
	code = print_rows(p, err);
	if (!code && !o->json)
		say_where_profiles_are(&p->context.lookup);
	if (!code && !o->json && !p->shown)
		say_none_has(&o->which, "");
	if (code)
		discard_output(&p->out);
	if (!code && p->context.head.unborn && !options->arg_count && !o->json)
		say("no commits yet on branch '%s'", p->context.head.branch);
	return code;
}

static int log_functions(const struct global *global, const struct options *o,
			 int argc, char **argv)
{
	struct blame_call call = {.command = &cmd_log,
				  .pattern = o->ask.function,
				  .which = &o->which,
				  .output = o->output,
				  .is_log = true,
				  .brief = o->ask.oneline || o->ask.changes,
				  .json = o->json};

	call.request = (struct pn_functions_request){
		.args = argv,
		.arg_count = (size_t)argc,
		.max_commits = o->ask.count,
		.rule = {.by_total = o->ask.by_total,
			 .most = o->ask.verbose ? 0 : PN_BLAME_MOST}};
	return print_functions(global, &call);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.ask = {.count = -1}};
	struct pn_log_walk_options walk;
	struct printing p = {.options = &o};
	struct pn_strtab others = {0};
	struct pn_error err = {0};
	int code;

	argc = opts_parse(&cmd_log, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	o.which.others = &others;
	if (pn_log_ask_check(&o.ask, o.json, &err))
		return usage(&cmd_log, "%s", err.message);
	if (o.ask.function) {
		code = log_functions(global, &o, argc, argv);
		pn_strtab_release(&others);
		return code;
	}
	walk = (struct pn_log_walk_options){.max_commits = o.ask.count,
					    .args = argv,
					    .arg_count = (size_t)argc,
					    .graph = o.ask.graph};
	p.trends = pn_trends_new();
	code = print_history(&p, global, &walk, &err);
	if (code && pn_opts_refused(&err, opts, argc, argv))
		code = usage(&cmd_log, "%s", err.message);
	else
		code = code ? fail(&err) : close_output(&p.out, EXIT_DONE);
	pn_trends_free(p.trends);
	pn_log_walk_free(p.walk);
	pn_past_marks_release(&p.past);
	pn_regex_free(p.metric);
	pn_buf_release(&p.text);
	pn_strtab_release(&others);
	close_context(&p.context);
	return code;
}

const struct command cmd_log = {
	.name = "log",
	.summary = "history with figures",
	.synopsis = "log [<options>] [<git log options>] [<revs>] "
		    "[[--] <path>...]",
	.opts = opts,
	.colored = true,
	.keep_dashes = true,
	.pass_unknown = true,
	.run = run,
};
