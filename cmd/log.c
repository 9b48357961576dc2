/* git perf log: history with figures. Long, as it streams: it prints a commit
 * before it reads the next one, and passes git's own options on. */
#include "render/log/log.h"
#include "base/alloc.h"
#include "command.h"
#include "context.h"
#include "jobs/hooks/unmeasured.h"
#include "jobs/profiles/ancestry.h"
#include "storage/sync.h"
#include "vcs/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct options {
	const char *output, *metric, *job, *collector, *machine;
	int64_t count;
	bool oneline, json, measured, verbose;
};

static const struct opt opts[] = {
	{OPT_INT(count), 'n', "max-count", "<number>",
	 "at most so many commits"},
	{OPT_FLAG(oneline), 0, "oneline", NULL,
	 "a line for each commit and one for each of its series"},
	{OPT_FLAG(verbose), 'v', "verbose", NULL, "all metrics"},
	{OPT_TEXT(metric), 0, "metric", "<regex>",
	 "only metrics whose name matches"},
	{OPT_TEXT(job), 0, "job", "<name>",
	 "only series of this job, <job>[/<collector>][@<workload>]"},
	{OPT_TEXT(collector), 0, "collector", "<name>",
	 "only what this collector measured"},
	{OPT_TEXT(machine), 0, "machine", "<name>",
	 "only what was measured on this machine"},
	{OPT_FLAG(measured), 0, "measured", NULL,
	 "only commits that have profiles"},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

/* One run of log. */
struct walk {
	const struct options *options;
	struct context context;
	struct pn_regex *metric; /* NULL: all */
	struct pn_log_filter filter;
	struct pn_history *history;
	struct pn_ancestry *ancestry;
	struct pn_unmeasured unmeasured;
	struct output out;
	struct pn_json_writer json;
	struct pn_buf text; /* of the commit at hand; all of it for JSON */
	struct pn_trends *trends;
	/* The commit that is held back until the next one is known, which is
	 * most often the one that it is compared with. */
	struct pn_log_row row;
	struct pn_arena arena; /* of it */
	bool has_row;
	size_t shown; /* rows of series, of all commits */
};

static const char *copy(struct walk *w, const char *text)
{
	return pn_arena_copy(&w->arena, text, strlen(text));
}

static int look(struct pn_ancestry_commit *out, struct walk *w,
		const struct pn_commit *c, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	int code =
		pn_ancestry_look(out, w->ancestry, &c->id, &c->tree,
				 c->parent_count ? &c->parents[0] : NULL, err);

	if (code != PN_ELIMIT)
		return code;
	/* one hostile note must not hide all other commits */
	pn_oid_hex(hex, &c->id);
	warn("the note of commit %.10s is passed over: %s", hex, err->message);
	return 0;
}

static void print_row(struct walk *w)
{
	const struct options *o = w->options;
	struct pn_log_row *row = &w->row;
	const struct pn_figure *figures;
	size_t count;

	w->shown += row->row_count;
	if (o->measured && !row->row_count)
		return;
	if (row->parent_count)
		pn_ancestry_compare(row->rows, row->row_count, w->ancestry,
				    &row->parents[0]);
	if (o->json) {
		pn_log_json_add(&w->json, row);
		return;
	}
	if (o->oneline)
		pn_log_line(&w->text, row, &w->out.palette, o->verbose);
	else
		pn_log_text(&w->text, row, &w->out.palette, o->verbose);
	figures = pn_log_row_headlines(&count, &w->arena, row,
				       o->verbose || o->metric);
	pn_trends_add(w->trends, figures, count);
	fwrite(pn_buf_text(&w->text), 1, w->text.len, w->out.file);
	pn_buf_clear(&w->text);
}

static void finish_row(struct walk *w)
{
	if (w->has_row)
		print_row(w);
	pn_arena_clear(&w->arena);
	w->has_row = false;
}

/* What the last commit borrows from stays until it is printed. */
static int take_commit(struct walk *w, const struct pn_commit *c,
		       struct pn_error *err)
{
	struct pn_ancestry_commit looked;
	size_t size = c->parent_count * sizeof(*c->parents);
	struct pn_oid *parents;
	int code = look(&looked, w, c, err);

	if (code)
		return code;
	finish_row(w);
	parents = pn_arena_alloc(&w->arena, size);
	if (size)
		memcpy(parents, c->parents, size);
	w->row = (struct pn_log_row){.commit = c->id,
				     .tree = c->tree,
				     .parents = parents,
				     .parent_count = c->parent_count,
				     .author_time_s = c->author_time_s,
				     .author = copy(w, c->author),
				     .email = copy(w, c->email),
				     .subject = copy(w, c->subject)};
	w->has_row = true;
	w->row.unmeasured = pn_unmeasured_find(&w->unmeasured, &c->id);
	pn_log_row_fill(&w->row, &w->arena, &looked.noted, &w->filter);
	return 0;
}

/* JSON is held back until the walk has ended well: nothing is printed on
 * failure. Text streams into the pager. */
static int walk_commits(struct walk *w, struct pn_error *err)
{
	struct pn_commit commit;
	int code;

	if (w->options->json)
		pn_log_json_begin(&w->json, &w->text);
	while ((code = pn_history_next(&commit, w->history, err)) > 0)
		if ((code = take_commit(w, &commit, err)) != 0)
			return code;
	if (code)
		return code;
	finish_row(w);
	if (w->options->json)
		pn_log_json_end(&w->json);
	else
		pn_log_trends(&w->text, w->trends);
	fwrite(pn_buf_text(&w->text), 1, w->text.len, w->out.file);
	return 0;
}

/*
 * git log's own arguments, with our count in front. --all means the project's
 * history: that of the notes themselves is left out of it.
 */
static int open_history(struct walk *w, int argc, char **argv,
			struct pn_error *err)
{
	const char **args = pn_calloc(3 * (size_t)argc + 2, sizeof(*args));
	bool options = true;
	char count[32];
	int i, n = 0, code;

	snprintf(count, sizeof(count), "-n%" PRId64, w->options->count);
	if (w->options->count >= 0)
		args[n++] = count;
	for (i = 0; i < argc; i++) {
		options = options && strcmp(argv[i], "--");
		if (options && !strcmp(argv[i], "--all")) {
			args[n++] = "--exclude=" PN_NOTES_REF;
			args[n++] = "--exclude=refs/perf/*";
		}
		args[n++] = argv[i];
	}
	code = pn_history_open(&w->history, w->context.repo, args, err);
	free(args);
	return code;
}

/* A clone brings no notes: what it has never fetched it does not know. */
static int say_where_profiles_are(struct walk *w, struct pn_error *err)
{
	struct pn_unpushed unpushed;
	int code = pn_sync_unpushed(&unpushed, w->context.repo,
				    w->context.notes, err);

	if (!code && *unpushed.remote && unpushed.incoming)
		say("no profiles in this clone, but %zu fetched record%s "
		    "(\"git "
		    "notes --ref=perf merge refs/perf/remotes/%s/notes\" "
		    "takes them)",
		    unpushed.incoming, unpushed.incoming == 1 ? "" : "s",
		    unpushed.remote);
	else if (!code && *unpushed.remote)
		say("no profiles in this clone (\"git fetch %s %s:%s\" gets "
		    "those of others; \"git ls-remote %s %s\" asks whether "
		    "there are any)",
		    unpushed.remote, PN_NOTES_REF, PN_NOTES_REF,
		    unpushed.remote, PN_NOTES_REF);
	return code;
}

/* A filter that nothing passed is more often mistyped than meant. */
static void say_nothing_fits(const struct walk *w)
{
	const struct options *o = w->options;
	const char *const given[][2] = {{"job", o->job},
					{"collector", o->collector},
					{"machine", o->machine},
					{"metric", o->metric}};
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < 4; i++)
		if (given[i][1])
			pn_buf_printf(&text, "%s%s '%s'", text.len ? ", " : "",
				      given[i][0], given[i][1]);
	if (text.len && !w->shown)
		say("no series of these commits has %s", pn_buf_text(&text));
	pn_buf_release(&text);
}

static int run_walk(struct walk *w, const struct global *global, int argc,
		    char **argv, struct pn_error *err)
{
	const struct options *o = w->options;
	int code;

	code = open_context(&w->context, NULL, true, err);
	if (!code && o->metric)
		code = pn_regex_new(&w->metric, o->metric, err);
	if (!code)
		code = open_history(w, argc, argv, err);
	if (code)
		return code;
	pn_unmeasured_read(&w->unmeasured, pn_repo_common_dir(w->context.repo));
	w->ancestry = pn_ancestry_new(w->context.repo, w->context.notes);
	w->filter = (struct pn_log_filter){w->metric, o->job, o->collector,
					   o->machine};
	code = open_output(&w->out, global, o->output, !o->json, err);
	if (code)
		return code;
	code = walk_commits(w, err);
	if (!code && pn_oid_is_zero(pn_notes_tip(w->context.notes)) && !o->json)
		code = say_where_profiles_are(w, err);
	if (!code && !o->json)
		say_nothing_fits(w);
	if (code)
		discard_output(&w->out);
	if (!code && w->context.head.unborn && !argc && !o->json)
		say("no commits yet on branch '%s'", w->context.head.branch);
	return code;
}

/* An option that is not ours went to git, which refuses it by name. */
static void suggest_option(const struct pn_error *err, int argc, char **argv)
{
	const char *near;
	size_t len;
	int i;

	for (i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		len = strcspn(argv[i], "=");
		if (strncmp(argv[i], "--", 2) != 0 ||
		    !strstr(err->message, argv[i]))
			continue;
		near = opts_similar(&cmd_log, argv[i] + 2, len - 2);
		if (near)
			say("did you mean '--%s'?", near);
	}
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.count = -1};
	struct walk w = {.options = &o};
	struct pn_error err = {0};
	int code;

	argc = opts_parse(&cmd_log, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	w.trends = pn_trends_new();
	code = run_walk(&w, global, argc, argv, &err);
	code = code ? fail(&err) : close_output(&w.out, EXIT_DONE);
	if (code)
		suggest_option(&err, argc, argv);
	pn_trends_free(w.trends);
	pn_history_free(w.history);
	pn_ancestry_free(w.ancestry);
	pn_unmeasured_release(&w.unmeasured);
	pn_arena_release(&w.arena);
	pn_regex_free(w.metric);
	pn_buf_release(&w.text);
	close_context(&w.context);
	return code;
}

const struct command cmd_log = {
	.name = "log",
	.summary = "history with figures",
	.synopsis = "log [<options>] [<git log options>] [<revision range>] "
		    "[[--] <path>...]",
	.opts = opts,
	.colored = true,
	.keep_dashes = true,
	.pass_unknown = true,
	.run = run,
};
