/* git perf status: where we are, what is stored here, what is pending. */
#include "analysis/figures.h"
#include "base/alloc.h"
#include "base/escape.h"
#include "command.h"
#include "context.h"
#include "entry_view.h"
#include "jobs/queue.h"
#include "storage/store.h"
#include "storage/sync.h"
#include "vcs/inplace/inplace.h"
#include "vcs/progress.h"
#include "vcs/worktree.h"

#include <stdlib.h>
#include <string.h>

#define FIGURES_SHOWN 3 /* of a profile: they stand on its line */

struct options {
	const char *sort, *output;
	bool brief, json;
};

#define AT(member) offsetof(struct options, member)

static const struct opt opts[] = {
	{OPT_FLAG, 's', "short", NULL, "counts only, on one line", AT(brief),
	 NULL, 0},
	{OPT_TEXT, 0, "sort", "<key>", "order of the list (time)", AT(sort),
	 "time name collector type size", 0},
	{OPT_FLAG, 0, "json", NULL, "as JSON", AT(json), NULL, 0},
	{OPT_TEXT, 'o', "output", "<file>", "write to a file", AT(output), NULL,
	 0},
	{0},
};

/* All that status tells; entries and pending are newest first. */
struct state {
	struct context context;
	struct pn_arena arena;
	const struct pn_entry *entries;
	size_t entry_count, ignored;
	struct pn_pending_list pending;
	struct pn_unpushed unpushed;
	bool in_progress[PN_PROGRESS_KINDS];
	size_t progress_count;
	size_t queued; /* commits that the hooks left */
	bool worker;
	bool in_place; /* a run in place has not ended ... */
	long process;  /* ... and this is still at work on it, unless 0 */
	size_t stale;  /* worktrees of dead runs */
};

static int read_queue(struct state *s, struct pn_error *err)
{
	const char *dir = pn_repo_common_dir(s->context.repo);
	struct pn_queue queue;
	int code = pn_queue_read(&queue, dir, err);

	if (code)
		return code;
	s->queued = pn_queue_commits(&queue);
	s->worker = pn_queue_has_worker(dir);
	pn_queue_release(&queue);
	return 0;
}

static void read_runs(struct state *s)
{
	s->in_place = pn_inplace_is_open(&s->process, s->context.repo);
	s->stale = pn_worktree_stale(s->context.repo);
}

static int read_state(struct state *s, struct pn_error *err)
{
	int code = open_context(&s->context, NULL, true, err);

	if (!code && !s->context.head.unborn)
		code = pn_store_entries(
			&s->entries, &s->entry_count, &s->ignored, &s->arena,
			s->context.notes, &s->context.head.commit, err);
	if (!code)
		code = pn_pending_list(&s->pending, s->context.repo, err);
	if (!code)
		code = pn_sync_unpushed(&s->unpushed, s->context.repo,
					s->context.notes, err);
	if (!code)
		code = read_queue(s, err);
	if (!code)
		s->progress_count = pn_progress_read(
			s->in_progress, pn_repo_git_dir(s->context.repo));
	if (!code)
		read_runs(s);
	return code;
}

static void release_state(struct state *s)
{
	pn_pending_list_release(&s->pending);
	pn_arena_release(&s->arena);
	close_context(&s->context);
}

/* A row of a list: the tag's number and the entry. */
struct row {
	size_t tag;
	const struct pn_entry *entry;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(pn_entry_field(((const struct row *)a)->entry, "name"),
		      pn_entry_field(((const struct row *)b)->entry, "name"));
}

static int by_collector(const void *a, const void *b)
{
	return strcmp(
		pn_entry_field(((const struct row *)a)->entry, "collector"),
		pn_entry_field(((const struct row *)b)->entry, "collector"));
}

static int by_type(const void *a, const void *b)
{
	return strcmp(pn_entry_field(((const struct row *)a)->entry, "kind"),
		      pn_entry_field(((const struct row *)b)->entry, "kind"));
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = ((const struct row *)a)->entry->size;
	uint64_t y = ((const struct row *)b)->entry->size;

	return x < y ? 1 : -(x > y);
}

static const struct {
	const char *key;
	int (*compare)(const void *, const void *);
} orders[] = {{"time", NULL},
	      {"name", by_name},
	      {"collector", by_collector},
	      {"type", by_type},
	      {"size", by_size}};

#define ORDERS (sizeof(orders) / sizeof(*orders))

/* Index of the order, -1 when there is none of that name. */
static int find_order(const char *key)
{
	size_t i;

	for (i = 0; i < ORDERS; i++)
		if (!key || !strcmp(orders[i].key, key))
			return (int)i;
	return -1;
}

/* What it was put through: "regression-analysis, normalizer". */
static void entry_posts(struct pn_buf *out, const struct pn_entry *e)
{
	const char *names = pn_entry_field(e, "posts");
	size_t len;

	if (!*names)
		return;
	pn_buf_add_text(out, "  after ");
	for (; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		pn_escape_terminal(out, names, len);
		if (names[len])
			pn_buf_add_text(out, ", ");
	}
}

/* What was measured, what was made of it, and the first figures. */
static void entry_facts(struct pn_buf *out, const struct pn_entry *e)
{
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	struct pn_buf job = {0};
	size_t i, count;

	entry_job(&job, pn_entry_field(e, "cmd"), pn_entry_field(e, "args"),
		  pn_entry_field(e, "workload"));
	if (job.len)
		pn_buf_printf(out, "  [%s]", pn_buf_text(&job));
	entry_posts(out, e);
	pn_figures_of(&figures, &count, &arena, e, 1);
	for (i = 0; i < count && i < FIGURES_SHOWN; i++) {
		pn_buf_add_text(out, i ? ", " : "  ");
		figure_text(out, &figures[i]);
	}
	if (i < count)
		pn_buf_printf(out, ", and %zu more", count - i);
	if (*pn_entry_field(e, "dirty"))
		pn_buf_add_text(out, "  (dirty tree)");
	pn_buf_release(&job);
	pn_arena_release(&arena);
}

static void entry_line(struct pn_buf *out, const struct row *row)
{
	const struct pn_entry *e = row->entry;
	const char *name = pn_entry_field(e, "name");

	pn_buf_printf(out, "  %3zu@i  %s  ", row->tag, e->id);
	time_text(out, e->time_ns);
	pn_buf_add_text(out, *name ? "  " : "");
	pn_escape_terminal(out, name, strlen(name));
	entry_facts(out, e);
	pn_buf_add_byte(out, '\n');
}

static void entry_list(struct pn_buf *out, const struct state *s, int order)
{
	struct row *rows;
	size_t i;

	if (!s->entry_count) {
		pn_buf_add_text(out, "\nno profiles of this commit\n");
		return;
	}
	pn_buf_add_text(out, "\nprofiles of this commit:\n");
	rows = pn_calloc(s->entry_count, sizeof(*rows));
	for (i = 0; i < s->entry_count; i++)
		rows[i] = (struct row){i, &s->entries[i]};
	if (orders[order].compare)
		qsort(rows, s->entry_count, sizeof(*rows),
		      orders[order].compare);
	for (i = 0; i < s->entry_count; i++)
		entry_line(out, &rows[i]);
	free(rows);
}

static void pending_list(struct pn_buf *out, const struct state *s)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	if (!s->pending.count)
		return;
	pn_buf_add_text(out, "\npending (\"git perf add <profile>\" stores, "
			     "\"git perf rm <profile>\" deletes):\n");
	for (i = 0; i < s->pending.count; i++) {
		const struct pn_pending *p = &s->pending.items[i];
		const char *name = pn_entry_field(&p->entry, "name");

		pn_buf_printf(out, "  %3zu@p  ", i);
		time_text(out, p->time_ns);
		pn_buf_add_text(out, "  ");
		pn_escape_terminal(out, p->name, strlen(p->name));
		if (*name && strcmp(name, p->name) != 0) {
			pn_buf_add_text(out, "  as ");
			pn_escape_terminal(out, name, strlen(name));
		}
		pn_oid_hex(hex, &p->origin);
		if (pn_oid_equal(&p->origin, &s->context.head.commit))
			pn_buf_add_text(out, "  of HEAD");
		else if (!pn_oid_is_zero(&p->origin))
			pn_buf_printf(out, "  of %.10s", hex);
		entry_facts(out, &p->entry);
		pn_buf_add_byte(out, '\n');
	}
}

static void head_line(struct pn_buf *out, const struct state *s)
{
	const struct pn_head *head = &s->context.head;
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &head->commit);
	if (*head->branch) {
		pn_buf_add_text(out, "on branch ");
		pn_escape_terminal(out, head->branch, strlen(head->branch));
	} else {
		pn_buf_add_text(out, "HEAD detached");
	}
	if (head->unborn)
		pn_buf_add_text(out, ", no commits yet\n");
	else
		pn_buf_printf(out, ", commit %.10s\n", hex);
}

/* "rebase and bisect", in the order of the table. */
static void progress_names(struct pn_buf *out, const struct state *s)
{
	size_t i, n = 0;

	for (i = 0; i < PN_PROGRESS_KINDS; i++)
		if (s->in_progress[i])
			pn_buf_printf(out, "%s%s", n++ ? " and " : "",
				      pn_progress_name((enum pn_progress)i));
}

/* As after a clone, which brings no notes. */
static bool has_no_notes(const struct state *s)
{
	return !s->unpushed.known && *s->unpushed.remote &&
	       pn_oid_is_zero(pn_notes_tip(s->context.notes));
}

static void sync_lines(struct pn_buf *out, const struct state *s)
{
	const struct pn_unpushed *u = &s->unpushed;
	struct pn_buf remote = {0};

	pn_escape_terminal(&remote, u->remote, strlen(u->remote));
	if (has_no_notes(s))
		pn_buf_printf(out,
			      "\nno profiles in this clone (\"git fetch "
			      "%s " PN_NOTES_REF ":" PN_NOTES_REF
			      "\" gets those of others, if any were "
			      "pushed)\n",
			      pn_buf_text(&remote));
	if (u->lines)
		pn_buf_printf(
			out,
			"\n%zu record%s not pushed (\"git push %s " PN_NOTES_REF
			"\")\n",
			u->lines, u->lines == 1 ? "" : "s",
			pn_buf_text(&remote));
	if (u->incoming)
		pn_buf_printf(out,
			      "\n%zu fetched record%s not united (\"git "
			      "notes --ref=perf merge refs/perf/remotes/%s/"
			      "notes\")\n",
			      u->incoming, u->incoming == 1 ? "" : "s",
			      pn_buf_text(&remote));
	pn_buf_release(&remote);
}

static void queue_line(struct pn_buf *out, const struct state *s)
{
	if (s->queued)
		pn_buf_printf(out, "\n%zu commit%s to be measured (%s)\n",
			      s->queued, s->queued == 1 ? "" : "s",
			      s->worker ? "a worker runs"
					: "\"git perf worker\" does it");
	else if (s->worker)
		pn_buf_add_text(out, "\na worker runs\n");
}

static void run_lines(struct pn_buf *out, const struct state *s)
{
	if (s->in_place && s->process)
		pn_buf_printf(out,
			      "process %ld measures other commits in this work "
			      "tree\n",
			      s->process);
	else if (s->in_place)
		pn_buf_add_text(out, "a run in this work tree was interrupted "
				     "(\"git perf recover\" puts it back)\n");
	if (s->stale)
		pn_buf_printf(out,
			      "%zu worktree%s of interrupted runs (\"git perf "
			      "recover\" removes %s)\n",
			      s->stale, s->stale == 1 ? "" : "s",
			      s->stale == 1 ? "it" : "them");
}

static void text(struct pn_buf *out, const struct state *s, int order)
{
	head_line(out, s);
	if (s->progress_count) {
		progress_names(out, s);
		pn_buf_add_text(out, " in progress\n");
	}
	run_lines(out, s);
	entry_list(out, s, order);
	if (s->ignored)
		pn_buf_printf(out,
			      "  %zu line%s of the note %s no entry (\"git "
			      "perf fsck\" says why)\n",
			      s->ignored, s->ignored == 1 ? "" : "s",
			      s->ignored == 1 ? "is" : "are");
	pending_list(out, s);
	queue_line(out, s);
	sync_lines(out, s);
}

static void brief(struct pn_buf *out, const struct state *s)
{
	struct pn_buf head = {0};

	head_line(&head, s);
	pn_buf_add(out, head.data, head.len - 1);
	pn_buf_printf(out, ": %zu profile%s, %zu pending", s->entry_count,
		      s->entry_count == 1 ? "" : "s", s->pending.count);
	if (s->queued)
		pn_buf_printf(out, ", %zu queued", s->queued);
	if (s->unpushed.known)
		pn_buf_printf(out, ", %zu not pushed", s->unpushed.lines);
	if (s->unpushed.known && s->unpushed.incoming)
		pn_buf_printf(out, ", %zu fetched not united",
			      s->unpushed.incoming);
	if (s->progress_count) {
		pn_buf_add_text(out, ", ");
		progress_names(out, s);
		pn_buf_add_text(out, " in progress");
	}
	if (s->stale || (s->in_place && !s->process))
		pn_buf_add_text(out, ", a run was interrupted");
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&head);
}

static void progress_member(struct pn_json_writer *w, const struct state *s)
{
	size_t i;

	if (!s->progress_count)
		return;
	pn_json_key(w, "in_progress");
	pn_json_open(w, '[');
	for (i = 0; i < PN_PROGRESS_KINDS; i++)
		if (s->in_progress[i])
			pn_json_string(w,
				       pn_progress_name((enum pn_progress)i));
	pn_json_close(w, ']');
}

static void pending_object(struct pn_json_writer *w, const struct pn_pending *p)
{
	char hex[PN_OID_HEX + 1];

	pn_json_open(w, '{');
	pn_json_member(w, "path", p->path);
	if (!pn_oid_is_zero(&p->origin)) {
		pn_oid_hex(hex, &p->origin);
		pn_json_member(w, "origin", hex);
	}
	if (p->entry.line)
		entry_members(w, &p->entry);
	else
		pn_json_member_time(w, "time", p->time_ns);
	pn_json_close(w, '}');
}

static void json(struct pn_buf *out, const struct state *s)
{
	const struct pn_head *head = &s->context.head;
	struct pn_json_writer w;
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_json_writer_init(&w, out, 2);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "status");
	if (*head->branch)
		pn_json_member(&w, "branch", head->branch);
	pn_oid_hex(hex, &head->commit);
	if (!head->unborn)
		pn_json_member(&w, "commit", hex);
	progress_member(&w, s);
	if (s->stale || (s->in_place && !s->process)) {
		pn_json_key(&w, "interrupted");
		pn_json_bool(&w, true);
	}
	pn_json_key(&w, "profiles");
	pn_json_open(&w, '[');
	for (i = 0; i < s->entry_count; i++) {
		pn_json_open(&w, '{');
		entry_members(&w, &s->entries[i]);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_key(&w, "pending");
	pn_json_open(&w, '[');
	for (i = 0; i < s->pending.count; i++)
		pending_object(&w, &s->pending.items[i]);
	pn_json_close(&w, ']');
	pn_json_member_int(&w, "queued", (int64_t)s->queued);
	pn_json_key(&w, "worker");
	pn_json_bool(&w, s->worker);
	if (s->unpushed.known) {
		pn_json_member_int(&w, "unpushed", (int64_t)s->unpushed.lines);
		pn_json_member_int(&w, "fetched",
				   (int64_t)s->unpushed.incoming);
	}
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct state state = {0};
	struct output out = {0};
	struct pn_error err = {0};
	struct pn_buf bytes = {0};
	int code, order;

	argc = opts_parse(&cmd_status, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_status, "status takes no argument");
	if ((order = find_order(o.sort)) < 0)
		return usage(&cmd_status,
			     "cannot sort by '%s', need time, name, "
			     "collector, type or size",
			     o.sort);
	code = read_state(&state, &err);
	if (!code)
		code = open_output(&out, global, o.output, false, &err);
	if (!code) {
		if (o.json)
			json(&bytes, &state);
		else if (o.brief)
			brief(&bytes, &state);
		else
			text(&bytes, &state, order);
		fwrite(pn_buf_text(&bytes), 1, bytes.len, out.file);
		code = close_output(&out, EXIT_DONE);
	} else {
		code = fail(&err);
	}
	pn_buf_release(&bytes);
	release_state(&state);
	return code;
}

const struct command cmd_status = {
	.name = "status",
	.summary = "show the commit's profiles, pending ones and what is not "
		   "pushed",
	.synopsis = "status [-s] [--sort=<key>] [--json] [-o <file>]",
	.opts = opts,
	.run = run,
};
