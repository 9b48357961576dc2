/* git perf export-perun: all profiles as a Perun store. */
#include "base/alloc.h"
#include "command.h"
#include "context.h"
#include "storage/perun/export.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>

#define REASONS_MAX 8 /* told one by one: others are counted together */

struct options {
	const char *layout;
	bool verbose;
};

static const struct opt opts[] = {
	{OPT_TEXT(layout), 0, "index", "<layout>",
	 "layout of the indexes, by Perun's version (v2c)",
	 .choices = "v1 v2a v2b v2c"},
	{OPT_FLAG(verbose), 'v', "verbose", NULL,
	 "name each profile that is left out"},
	{0},
};

/* Why profiles were left out; `first` is one of them. */
struct reason {
	char *first, *text;
	size_t count;
};

struct job {
	struct context context;
	const struct options *options;
	struct pn_perun_export *export;
	size_t written, commits, pending, left_out;
	struct reason reasons[REASONS_MAX];
	size_t reason_count;
};

static void note_reason(struct job *job, const char *name, const char *where,
			const char *text)
{
	struct pn_buf first = {0};
	struct reason *r = job->reasons;
	const struct reason *end = r + job->reason_count;

	while (r < end && strcmp(r->text, text) != 0)
		r++;
	if (r < end)
		r->count++;
	if (r < end || job->reason_count == REASONS_MAX)
		return;
	pn_buf_printf(&first, "'%s' %s", name, where);
	*r = (struct reason){pn_buf_detach(&first), pn_strdup(text), 1};
	job->reason_count++;
}

/* One profile that has no place there does not stop the others. */
static int leave_out(struct job *job, int code, const char *name,
		     const char *where, const struct pn_error *err)
{
	if (!code || code == PN_EIO)
		return code;
	if (job->options->verbose)
		warn("'%s' %s: %s", name, where, err->message);
	else
		note_reason(job, name, where, err->message);
	job->left_out++;
	return 0;
}

static void tell_reasons(struct job *job)
{
	size_t i, rest = job->left_out;

	for (i = 0; i < job->reason_count; i++) {
		struct reason *r = &job->reasons[i];

		if (r->count == 1)
			warn("%s: %s", r->first, r->text);
		else
			warn("%zu profiles, the first is %s: %s", r->count,
			     r->first, r->text);
		rest -= r->count;
		free(r->first);
		free(r->text);
	}
	if (job->reason_count && rest)
		warn("%zu more, for other reasons", rest);
}

static int export_commit(struct job *job, const struct pn_oid *commit,
			 struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], where[PN_OID_HEX + 16];
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	size_t i, count = 0, written = 0;
	int code = pn_store_entries(&entries, &count, NULL, &arena,
				    job->context.notes, commit, err);

	pn_oid_hex(hex, commit);
	snprintf(where, sizeof(where), "of %.10s", hex);
	for (i = 0; !code && i < count; i++) {
		const char *name = pn_entry_field(&entries[i], "name");

		code = pn_perun_export_entry(job->export, &entries[i], err);
		written += !code;
		code = leave_out(job, code, *name ? name : entries[i].id, where,
				 err);
	}
	if (!code)
		code = pn_perun_export_commit(job->export, commit, err);
	job->written += written;
	job->commits += written > 0;
	pn_arena_release(&arena);
	return code;
}

static int export_commits(struct job *job, struct pn_error *err)
{
	struct pn_notes_iter *iter = NULL;
	struct pn_oid commit, blob, last = {{0}};
	int code = pn_notes_iter_open(&iter, job->context.notes, err);

	if (code)
		return code;
	while ((code = pn_notes_iter_next(&commit, &blob, iter, err)) > 0) {
		if (pn_oid_equal(&commit, &last))
			continue;
		last = commit;
		code = export_commit(job, &commit, err);
		if (code)
			break;
	}
	pn_notes_iter_free(iter);
	return code;
}

static int export_pending(struct job *job, struct pn_error *err)
{
	struct pn_pending_list list = {0};
	size_t i;
	int code = pn_pending_list(&list, job->context.repo, err);

	for (i = 0; !code && i < list.count; i++) {
		code = pn_perun_export_pending(
			job->export, &job->context.lookup, &list.items[i], err);
		job->pending += !code;
		code = leave_out(job, code, list.items[i].name, "(pending)",
				 err);
	}
	pn_pending_list_release(&list);
	return code;
}

static void report(const struct job *job)
{
	say("exported %zu profile%s of %zu commit%s and %zu pending one%s",
	    job->written, job->written == 1 ? "" : "s", job->commits,
	    job->commits == 1 ? "" : "s", job->pending,
	    job->pending == 1 ? "" : "s");
	if (job->left_out)
		say("left out: %zu%s", job->left_out,
		    job->left_out > job->reason_count && job->reason_count
			    ? " (-v names each)"
			    : "");
}

static int export_all(struct job *job, const char *dir,
		      enum pn_perun_layout layout, struct pn_error *err)
{
	int code = open_context(&job->context, NULL, true, err);

	if (!code)
		code = pn_perun_export_open(&job->export, dir,
					    job->context.repo, layout, err);
	if (!code)
		code = export_commits(job, err);
	if (!code)
		code = export_pending(job, err);
	if (!code)
		code = pn_perun_export_finish(job->export, err);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	enum pn_perun_layout layout = PN_PERUN_V2C;
	struct options o = {0};
	struct job job = {.options = &o};
	struct pn_error err = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_export_perun, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1)
		return usage(&cmd_export_perun, "need one folder, have %d",
			     argc);
	if (o.layout && !pn_perun_layout_find(&layout, o.layout))
		return usage(&cmd_export_perun,
			     "no index layout '%s', there are v1, v2a, v2b, "
			     "v2c",
			     o.layout);
	code = export_all(&job, argv[0], layout, &err);
	tell_reasons(&job);
	if (!code)
		report(&job);
	pn_perun_export_free(job.export);
	close_context(&job.context);
	if (code)
		return fail(&err);
	return job.left_out ? EXIT_NO : EXIT_DONE;
}

const struct command cmd_export_perun = {
	.name = "export-perun",
	.summary = "write all profiles as a Perun store",
	.synopsis = "export-perun [-v] [--index=<layout>] <dir>",
	.opts = opts,
	.run = run,
};
