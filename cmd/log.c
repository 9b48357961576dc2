/* git perf log: history with figures. */
#include "analysis/figures.h"
#include "base/alloc.h"
#include "base/escape.h"
#include "base/regex.h"
#include "command.h"
#include "context.h"
#include "entry_view.h"
#include "storage/store.h"
#include "trend.h"
#include "vcs/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct options {
	const char *output, *metric;
	int64_t count;
	bool oneline, json;
};

#define AT(member) offsetof(struct options, member)

static const struct opt opts[] = {
	{OPT_INT, 'n', "max-count", "<number>", "at most so many commits",
	 AT(count), NULL, 0},
	{OPT_FLAG, 0, "oneline", NULL, "a line for each commit", AT(oneline),
	 NULL, 0},
	{OPT_TEXT, 0, "metric", "<regex>", "only metrics whose name matches",
	 AT(metric), NULL, 0},
	{OPT_FLAG, 0, "json", NULL, "as JSON", AT(json), NULL, 0},
	{OPT_TEXT, 'o', "output", "<file>", "write to a file", AT(output), NULL,
	 0},
	{0},
};

/* One run of log. */
struct walk {
	const struct options *options;
	struct context context;
	struct pn_regex *metric; /* NULL: all */
	struct pn_history *history;
	struct output out;
	struct pn_json_writer json;
	struct pn_buf text; /* of the commit at hand; all of it for JSON */
	struct trends *trends;
};

/* What a commit has: entries newest first and their pooled figures. */
struct found {
	struct pn_arena arena;
	const struct pn_entry *entries;
	size_t entry_count;
	const struct pn_figure *figures;
	size_t figure_count;
};

/* A line that was copied here and is of another tree has no figures of this
 * commit. */
static void pool_figures(struct found *f, const struct pn_commit *c)
{
	struct pn_entry *own =
		pn_arena_alloc(&f->arena, f->entry_count * sizeof(*own));
	size_t i, n = 0;

	for (i = 0; i < f->entry_count; i++)
		if (pn_oid_equal(&f->entries[i].tree, &c->tree))
			own[n++] = f->entries[i];
	pn_figures_of(&f->figures, &f->figure_count, &f->arena, own, n);
}

static int look_up(struct found *f, struct walk *w, const struct pn_commit *c,
		   struct pn_error *err)
{
	struct pn_figure *kept;
	char hex[PN_OID_HEX + 1];
	size_t i, n = 0;
	int code;

	code = pn_store_figures(&f->entries, &f->entry_count, &f->arena,
				w->context.repo, w->context.notes, &c->id, err);
	if (code == PN_ELIMIT) {
		/* one hostile note must not hide all other commits */
		pn_oid_hex(hex, &c->id);
		warn("the note of commit %.10s is passed over: %s", hex,
		     err->message);
		code = 0;
	}
	if (code)
		return code;
	pool_figures(f, c);
	if (!w->metric)
		return 0;
	kept = pn_arena_alloc(&f->arena, f->figure_count * sizeof(*kept));
	for (i = 0; i < f->figure_count; i++)
		if (pn_regex_match(w->metric, f->figures[i].metric,
				   strlen(f->figures[i].metric)))
			kept[n++] = f->figures[i];
	f->figures = kept;
	f->figure_count = n;
	return 0;
}

/* Whether figure i is of the same job and machine as the one before it. */
static bool same_job(const struct found *f, size_t i)
{
	struct pn_figure a, b;

	if (!i)
		return false;
	a = f->figures[i - 1];
	b = f->figures[i];
	b.metric = a.metric;
	b.unit = a.unit;
	return !pn_figure_cmp(&a, &b);
}

/* A job's first metric stands for it on one line, unless some were chosen. */
static void keep_first_of_jobs(struct found *f)
{
	struct pn_figure *kept =
		pn_arena_alloc(&f->arena, f->figure_count * sizeof(*kept));
	size_t i, n = 0;

	for (i = 0; i < f->figure_count; i++)
		if (!same_job(f, i))
			kept[n++] = f->figures[i];
	f->figures = kept;
	f->figure_count = n;
}

static int by_job(const void *a, const void *b)
{
	struct pn_figure x = *(const struct pn_figure *)a;

	x.metric = ((const struct pn_figure *)b)->metric;
	x.unit = ((const struct pn_figure *)b)->unit;
	return pn_figure_cmp(&x, b);
}

/* Whether the figures are of several jobs, and what tells these apart: in
 * order, the jobs of one command are neighbours. */
static bool tell_jobs(struct job_tell *tell, struct found *f)
{
	struct pn_figure *ordered =
		pn_arena_alloc(&f->arena, f->figure_count * sizeof(*ordered));
	bool several = false;
	size_t i;

	for (i = 0; i < f->figure_count; i++)
		ordered[i] = f->figures[i];
	if (f->figure_count)
		qsort(ordered, f->figure_count, sizeof(*ordered), by_job);
	for (i = 1; i < f->figure_count; i++) {
		several = several || by_job(&ordered[i - 1], &ordered[i]);
		job_tell_apart(tell, &ordered[i - 1], &ordered[i]);
	}
	return several;
}

/* One job needs no name, several begin with theirs. */
static void add_short_figures(struct walk *w, struct found *f)
{
	struct job_tell tell = {0};
	bool several = tell_jobs(&tell, f);
	struct pn_buf job = {0};
	size_t i;

	for (i = 0; i < f->figure_count; i++) {
		bool begins = several && !same_job(f, i);

		if (i)
			pn_buf_add_text(&w->text, begins ? "; " : ", ");
		pn_buf_clear(&job);
		if (begins)
			job_text(&job, &f->figures[i], &tell);
		if (job.len)
			pn_buf_printf(&w->text, "[%s] ", pn_buf_text(&job));
		figure_text(&w->text, &f->figures[i]);
	}
	pn_buf_release(&job);
}

static void add_oneline(struct walk *w, const struct pn_commit *c,
			struct found *f)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &c->id);
	if (w->out.color)
		pn_buf_printf(&w->text, "\033[33m%.10s\033[m ", hex);
	else
		pn_buf_printf(&w->text, "%.10s ", hex);
	pn_escape_terminal(&w->text, c->subject, strlen(c->subject));
	if (f->figure_count)
		pn_buf_add_text(&w->text, "  | ");
	add_short_figures(w, f);
	pn_buf_add_byte(&w->text, '\n');
}

/* One of several has to stand below something: not below another's name. */
static void add_job(struct walk *w, const struct pn_figure *g,
		    const struct job_tell *tell, bool several)
{
	struct pn_buf job = {0};

	job_text(&job, g, tell);
	if (job.len || *g->environment)
		pn_buf_add_text(&w->text, "   ");
	if (job.len)
		pn_buf_printf(&w->text, " %s", pn_buf_text(&job));
	if (*g->environment) {
		pn_buf_add_text(&w->text, " on ");
		pn_escape_terminal(&w->text, g->environment,
				   strlen(g->environment));
	}
	if (job.len || *g->environment)
		pn_buf_add_text(&w->text, ":\n");
	else if (several)
		pn_buf_add_text(&w->text, "    on an unknown machine:\n");
	pn_buf_release(&job);
}

/* The machine is named in any case. */
static void add_figures(struct walk *w, struct found *f)
{
	struct job_tell tell = {0};
	bool several = tell_jobs(&tell, f);
	size_t i;

	tell.environment = false;
	for (i = 0; i < f->figure_count; i++) {
		if (!same_job(f, i))
			add_job(w, &f->figures[i], &tell, several);
		pn_buf_add_text(&w->text, "      ");
		figure_text(&w->text, &f->figures[i]);
		pn_buf_add_byte(&w->text, '\n');
	}
}

static void add_long(struct walk *w, const struct pn_commit *c, struct found *f)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_oid_hex(hex, &c->id);
	pn_buf_printf(&w->text,
		      w->out.color ? "\033[33mcommit %s\033[m\n"
				   : "commit %s\n",
		      hex);
	pn_buf_add_text(&w->text, "Author: ");
	pn_escape_terminal(&w->text, c->author, strlen(c->author));
	pn_buf_add_text(&w->text, " <");
	pn_escape_terminal(&w->text, c->email, strlen(c->email));
	pn_buf_add_text(&w->text, ">\nDate:   ");
	time_text(&w->text, c->author_time_s * INT64_C(1000000000));
	pn_buf_add_text(&w->text, " UTC\n\n    ");
	pn_escape_terminal(&w->text, c->subject, strlen(c->subject));
	pn_buf_add_text(&w->text, "\n\n");
	for (i = 0; i < f->entry_count; i++) {
		const struct pn_entry *e = &f->entries[i];
		const char *name = pn_entry_field(e, "name");

		pn_buf_printf(&w->text, "    %zu@i %s%s", i, e->id,
			      *name ? "  " : "");
		pn_escape_terminal(&w->text, name, strlen(name));
		if (*pn_entry_field(e, "dirty"))
			pn_buf_add_text(&w->text, "  (dirty tree)");
		if (!pn_oid_equal(&e->commit, &c->id)) {
			pn_oid_hex(hex, &e->commit);
			pn_buf_printf(&w->text, "  (measured at %.10s%s)", hex,
				      pn_oid_equal(&e->tree, &c->tree)
					      ? ""
					      : ", another tree");
		}
		pn_buf_add_byte(&w->text, '\n');
	}
	if (!f->entry_count)
		pn_buf_add_text(&w->text, "    no profiles\n");
	add_figures(w, f);
	pn_buf_add_byte(&w->text, '\n');
}

static void add_json(struct walk *w, const struct pn_commit *c,
		     const struct found *f)
{
	struct pn_json_writer *j = &w->json;
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_json_open(j, '{');
	pn_oid_hex(hex, &c->id);
	pn_json_member(j, "commit", hex);
	pn_oid_hex(hex, &c->tree);
	pn_json_member(j, "tree", hex);
	pn_json_key(j, "parents");
	pn_json_open(j, '[');
	for (i = 0; i < c->parent_count; i++) {
		pn_oid_hex(hex, &c->parents[i]);
		pn_json_string(j, hex);
	}
	pn_json_close(j, ']');
	pn_json_member(j, "author", c->author);
	pn_json_member(j, "email", c->email);
	pn_json_member_time(j, "date", c->author_time_s * INT64_C(1000000000));
	pn_json_member(j, "subject", c->subject);
	pn_json_key(j, "profiles");
	pn_json_open(j, '[');
	for (i = 0; i < f->entry_count; i++) {
		const struct pn_entry *e = &f->entries[i];

		pn_json_open(j, '{');
		entry_members(j, e);
		if (!pn_oid_equal(&e->commit, &c->id)) {
			pn_oid_hex(hex, &e->commit);
			pn_json_member(j, "origin", hex);
		}
		pn_json_close(j, '}');
	}
	pn_json_close(j, ']');
	pn_json_close(j, '}');
}

static int one_commit(struct walk *w, const struct pn_commit *c,
		      struct pn_error *err)
{
	struct found f = {0};
	int code = look_up(&f, w, c, err);

	if (!code && w->options->json) {
		add_json(w, c, &f);
	} else if (!code) {
		if (w->options->oneline && !w->metric)
			keep_first_of_jobs(&f);
		if (w->options->oneline)
			add_oneline(w, c, &f);
		else
			add_long(w, c, &f);
		trends_add(w->trends, f.figures, f.figure_count);
		fwrite(pn_buf_text(&w->text), 1, w->text.len, w->out.file);
		pn_buf_clear(&w->text);
	}
	pn_arena_release(&f.arena);
	return code;
}

static void begin_json(struct walk *w)
{
	pn_json_writer_init(&w->json, &w->text, 0);
	pn_json_open(&w->json, '{');
	pn_json_member_int(&w->json, "version", 1);
	pn_json_member(&w->json, "command", "log");
	pn_json_key(&w->json, "commits");
	pn_json_open(&w->json, '[');
}

static void end_json(struct walk *w)
{
	pn_json_close(&w->json, ']');
	pn_json_close(&w->json, '}');
	pn_buf_add_byte(&w->text, '\n');
}

/* JSON is held back until the walk has ended well: nothing is printed on
 * failure. Text streams into the pager. */
static int walk_commits(struct walk *w, struct pn_error *err)
{
	struct pn_commit commit;
	int code;

	if (w->options->json)
		begin_json(w);
	while ((code = pn_history_next(&commit, w->history, err)) > 0) {
		code = one_commit(w, &commit, err);
		if (code)
			return code;
	}
	if (code)
		return code;
	if (w->options->json)
		end_json(w);
	else
		trends_print(&w->text, w->trends);
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
	code = open_output(&w->out, global, o->output, !o->json, err);
	if (code)
		return code;
	code = walk_commits(w, err);
	if (code)
		discard_output(&w->out);
	else if (w->context.head.unborn && !argc && !o->json)
		say("no commits yet on branch '%s'", w->context.head.branch);
	return code;
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
	w.trends = trends_new();
	code = run_walk(&w, global, argc, argv, &err);
	code = code ? fail(&err) : close_output(&w.out, EXIT_DONE);
	trends_free(w.trends);
	pn_history_free(w.history);
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
	.keep_dashes = true,
	.pass_unknown = true,
	.run = run,
};
