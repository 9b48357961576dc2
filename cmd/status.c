/* git perf status: where we are, what is stored here, what is pending. */
#include "render/log/status.h"
#include "base/text/similar.h"
#include "command.h"
#include "context.h"
#include "jobs/state.h"
#include "render/terminal.h"

struct options {
	const char *sort, *output;
	bool brief, json, verbose;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(brief), 's', "short", NULL, "counts only, on one line"},
	{OPT_FLAG(verbose), 'v', "verbose", NULL,
	 "all metrics, and records by id and name"},
	{OPT_TEXT(sort), 0, "sort", "<key>", "order of the list (time)",
	 .names = pn_entry_order_names},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static void print(struct output *out, const struct options *o,
		  struct pn_status *told, const struct pn_entry_order *order)
{
	struct pn_buf bytes = {0};

	pn_status_sort(told->rows, told->row_count, order);
	if (o->json)
		pn_status_json(&bytes, told);
	else if (o->brief)
		pn_status_line(&bytes, told);
	else
		pn_status_text(&bytes, told, &out->palette, o->verbose,
			       pn_terminal_columns(out->file));
	fwrite(pn_buf_text(&bytes), 1, bytes.len, out->file);
	pn_buf_release(&bytes);
}

static int refuse_order(const char *given)
{
	struct pn_buf names = {0};
	int code;

	pn_entry_order_names(&names, ", ");
	pn_similar_say(&names, given, strlen(given));
	code = usage(&cmd_status, "cannot sort by '%s', need one of %s", given,
		     pn_buf_text(&names));
	pn_buf_release(&names);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.sort = "time"};
	const struct pn_entry_order *order;
	struct context context = {0};
	struct pn_state s = {.head = &context.head};
	struct pn_error err = {0};
	struct output out;
	int code;

	argc = opts_parse(&cmd_status, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_status, "status takes no argument");
	if (!(order = pn_entry_order_find(o.sort)))
		return refuse_order(o.sort);
	code = open_context(&context, NULL, true, &err);
	s.repo = context.repo;
	s.notes = context.notes;
	if (!code)
		code = pn_state_read(&s, &err);
	if (!code)
		code = open_output(&out, global, o.output, false, &err);
	if (code) {
		code = fail(&err);
	} else {
		warn_lines(&s.warnings);
		print(&out, &o, &s.told, order);
		code = close_output(&out, EXIT_DONE);
	}
	pn_state_release(&s);
	close_context(&context);
	return code;
}

const struct command cmd_status = {
	.name = "status",
	.summary = "show the commit's profiles, pending ones and what is not "
		   "pushed",
	.synopsis = "status [-s] [-v] [--sort=<key>] [--json] [-o <file>]",
	.opts = opts,
	.colored = true,
	.run = run,
};
