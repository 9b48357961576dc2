/* git perf add: profiles into a commit's list. */
#include "base/alloc.h"
#include "base/file.h"
#include "collect/perf_file.h"
#include "command.h"
#include "context.h"
#include "find_profile.h"
#include "jobs/read_ahead.h"
#include "storage/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const char *commit, *format, *name, *machine;
	struct opt_list labels;
	bool keep, force, verbatim, from_stdin, environment;
};

/* Of standard input, read before the first is worked on. */
#define LINES 16384

static const struct opt opts[] = {
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit to list them at (HEAD)"},
	{OPT_FLAG(keep), 'k', "keep", NULL, "keep the pending copy"},
	{OPT_FLAG(force), 'f', "force", NULL,
	 "add what was measured at another commit, too"},
	{OPT_TEXT(format), 0, "format", "<name>",
	 "format of the input (recognised)", .names = pn_codec_names_read},
	{OPT_TEXT(name), 'n', "name", "<name>",
	 "name to register (the file's)"},
	{OPT_LIST(labels), 'l', "label", "<key>=<value>",
	 "label, may be repeated"},
	{OPT_FLAG(verbatim), 0, "verbatim", NULL, "keep the input's own bytes"},
	{OPT_FLAG(from_stdin), 0, "stdin", NULL,
	 "read '<rev> TAB <path>' lines, store all at once"},
	{OPT_TEXT(machine), 0, "machine", "<name>",
	 "name of the machine that was measured (perf.machine)"},
	{OPT_FLAG(environment), 0, "environment", NULL,
	 "say that this machine was measured (default)"},
	{0},
};

/* What one run of add works with. */
struct job {
	struct context context;
	struct pn_batch *batch;
	struct pn_record_options record;
	const struct options *options;
	char **done; /* pending files to delete afterwards */
	size_t done_count, done_cap;
	size_t count;
	char last_id[PN_ENTRY_ID_HEX + 1];
	char *folder; /* of the last line's path */
	bool folder_is_jobs;
};

static int check_origin(const struct pn_oid *origin,
			const struct pn_oid *commit, const char *name,
			struct pn_error *err)
{
	char from[PN_OID_HEX + 1], to[PN_OID_HEX + 1];

	if (pn_oid_is_zero(origin) || pn_oid_equal(origin, commit))
		return 0;
	pn_oid_hex(from, origin);
	pn_oid_hex(to, commit);
	return pn_error_set(err, PN_EREFUSED,
			    "'%s' was measured at commit %.10s, not at %.10s: "
			    "use -m %.10s, or -f to list it here",
			    name, from, to, from);
}

/* What is too large for the model's body may be kept as it is. */
static void hint_at_verbatim(struct pn_error *err)
{
	size_t used = strlen(err->message);

	snprintf(err->message + used, sizeof(err->message) - used,
		 "; --verbatim keeps the input's own bytes");
}

/* A profile of a file or, when that is perf's, of what perf says of it. */
static int read_record(struct pn_record *out, struct pn_oid *origin,
		       struct job *job, const char *path, struct pn_error *err)
{
	struct pn_record_options options = job->record;
	const char *text = path;
	struct pn_perf_file data;
	int code = pn_perf_file_open(&data, &text, err);

	if (code)
		return code;
	if (text != path && !options.name)
		options.name = pn_file_basename(path);
	code = pn_pending_read(out, origin, text, &options, err);
	pn_perf_file_close(&data);
	return code;
}

/* Stages what was read of `path`. */
static int take_record(struct job *job, struct pn_record *record,
		       const struct pn_oid *origin, const struct pn_oid *commit,
		       const char *name, struct pn_error *err)
{
	struct pn_commit_facts facts;
	int code = 0;

	if (!job->options->force)
		code = check_origin(origin, commit, name, err);
	if (!code)
		code = pn_repo_commit_facts(&facts, job->context.repo, commit,
					    err);
	if (code)
		return code;
	record->commit = *commit;
	record->tree = facts.tree;
	code = pn_batch_add(job->batch, record, err);
	if (code == PN_ELIMIT && record->has_profile)
		hint_at_verbatim(err);
	memcpy(job->last_id, record->id, sizeof(job->last_id));
	return code;
}

static void note_done(struct job *job, const char *path, bool pending)
{
	job->count++;
	if (!pending || job->options->keep)
		return;
	job->done = pn_grow(job->done, &job->done_cap, job->done_count + 1,
			    sizeof(*job->done));
	job->done[job->done_count++] = pn_strdup(path);
}

static int add_record(struct job *job, const struct pn_oid *commit,
		      const char *path, const char *name, bool pending,
		      struct pn_error *err)
{
	struct pn_record record = {0};
	struct pn_oid origin;
	int code;

	code = read_record(&record, &origin, job, path, err);
	if (!code)
		code = take_record(job, &record, &origin, commit, name, err);
	pn_record_release(&record);
	if (!code)
		note_done(job, path, pending);
	return code;
}

/* Of a range the newest comes last, so that it is the newest of the list. */
static int add_named(struct job *job, const char *text, struct pn_error *err)
{
	struct pn_found_list found = {0};
	size_t i;
	int code;

	job->context.lookup.skip_stored = true;
	code = find_profile(&found, &job->context.lookup, text, err);
	for (i = found.count; !code && i > 0; i--)
		code = add_record(
			job, &job->context.lookup.commit,
			found.items[i - 1].path, found.items[i - 1].name,
			found.items[i - 1].kind == PN_FOUND_PENDING, err);
	pn_found_list_release(&found);
	return code;
}

/* Lines of standard input that are worked on at a time. */
struct lines {
	char *revs[LINES];  /* with the path behind them */
	char *paths[LINES]; /* NULL: the line is none */
	size_t numbers[LINES];
	size_t count;
};

static void keep_line(struct lines *lines, const char *line, size_t len,
		      size_t number)
{
	const char *tab = memchr(line, '\t', len);
	char *copy = pn_strndup(line, len);
	size_t at = lines->count++;

	lines->revs[at] = copy;
	lines->paths[at] = NULL;
	lines->numbers[at] = number;
	if (strlen(copy) != len || !tab || tab == line || !tab[1])
		return;
	copy[tab - line] = '\0';
	lines->paths[at] = copy + (tab - line) + 1;
}

static void release_lines(struct lines *lines)
{
	size_t i;

	for (i = 0; i < lines->count; i++)
		free(lines->revs[i]);
	lines->count = 0;
}

/* Whether a path is of a pending file; mostly it lies where the last one
 * did. */
static bool is_pending(struct job *job, const char *path)
{
	size_t len = (size_t)(pn_file_basename(path) - path);

	if (!job->folder || strlen(job->folder) != len ||
	    memcmp(job->folder, path, len)) {
		free(job->folder);
		job->folder = pn_strndup(path, len);
		job->folder_is_jobs = pn_pending_owns(job->context.repo, path);
	}
	return job->folder_is_jobs;
}

/* The file's record, when it was read ahead, else it is read now. */
static int add_line(struct job *job, const char *rev, const char *path,
		    struct pn_record *record, const struct pn_oid *origin,
		    struct pn_error *err)
{
	struct pn_oid commit;
	bool pending;
	int code;

	if (!path)
		return pn_error_set(err, PN_EINVAL, "need '<rev> TAB <path>'");
	code = pn_repo_resolve(&commit, job->context.repo, rev, err);
	if (code)
		return code;
	pending = is_pending(job, path);
	if (!record)
		return add_record(job, &commit, path, path, pending, err);
	code = take_record(job, record, origin, &commit, path, err);
	if (!code)
		note_done(job, path, pending);
	return code;
}

static int add_group(struct job *job, struct lines *lines, struct pn_error *err)
{
	struct pn_read_ahead *ahead =
		pn_read_ahead_new(lines->paths, lines->count, &job->record);
	struct pn_record *record;
	struct pn_oid origin;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < lines->count; i++) {
		record = pn_read_ahead_next(&origin, ahead);
		code = add_line(job, lines->revs[i], lines->paths[i], record,
				&origin, err);
	}
	pn_read_ahead_free(ahead);
	return code ? pn_error_context(err, "standard input, line %zu",
				       lines->numbers[i - 1])
		    : 0;
}

static int add_lines(struct job *job, struct pn_error *err)
{
	struct lines *lines = pn_calloc(1, sizeof(*lines));
	size_t cap = 0, number = 0;
	char *line = NULL;
	int code = 0;
	ssize_t len;

	do {
		len = getline(&line, &cap, stdin);
		number++;
		if (len > 0 && line[len - 1] == '\n')
			len--;
		if (len > 0)
			keep_line(lines, line, (size_t)len, number);
		if (lines->count == LINES || (len < 0 && lines->count)) {
			code = add_group(job, lines, err);
			release_lines(lines);
		}
	} while (!code && len >= 0);
	if (!code && ferror(stdin))
		code = pn_error_system(err, "cannot read standard input");
	free(lines);
	free(line);
	return code;
}

static int open_job(struct job *job, struct pn_text_pair **labels,
		    struct machine *machine, struct pn_error *err)
{
	const struct options *o = job->options;
	struct pn_record_options *r = &job->record;
	int code;

	code = open_context(&job->context, o->commit, true, err);
	if (!code && pn_oid_is_zero(&job->context.lookup.commit) &&
	    !o->from_stdin)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "there is no commit yet to list a profile "
				    "at: commit first, or name one with -m");
	if (!code && o->format && !(r->codec = pn_codec_find(o->format, err)))
		code = PN_ENOTFOUND;
	if (!code)
		code = parse_pairs(labels, &r->label_count, &o->labels, err);
	if (!code)
		code = max_body_bytes(&r->max_bytes, job->context.repo, err);
	if (!code && o->environment)
		code = take_machine(machine, job->context.repo, o->machine,
				    err);
	if (code)
		return code;
	r->labels = *labels;
	r->name = o->name;
	r->verbatim = o->verbatim;
	r->environment = machine->pairs;
	r->environment_count = machine->count;
	return pn_batch_open(&job->batch, job->context.repo, job->context.notes,
			     err);
}

/* The profiles are stored: a copy that stays is a nuisance, not a failure. */
static void remove_done(struct job *job)
{
	size_t i;

	for (i = 0; i < job->done_count; i++) {
		if (unlink(job->done[i]) && errno != ENOENT)
			warn("cannot remove '%s': %s", job->done[i],
			     strerror(errno));
		free(job->done[i]);
	}
	free(job->done);
}

static void report(const struct job *job)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &job->context.lookup.commit);
	if (job->options->from_stdin)
		say("added %zu profile%s", job->count,
		    job->count == 1 ? "" : "s");
	else if (job->count == 1)
		say("added %s to %.10s", job->last_id, hex);
	else
		say("added %zu profiles to %.10s", job->count, hex);
}

static int add_all(struct job *job, int argc, char **argv, struct pn_error *err)
{
	int i, code = 0;

	for (i = 0; !code && i < argc; i++)
		code = add_named(job, argv[i], err);
	if (!code && job->options->from_stdin)
		code = add_lines(job, err);
	if (!code)
		code = pn_batch_commit(job->batch, err);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.environment = true};
	struct job job = {.options = &o};
	struct machine machine = {0};
	struct pn_text_pair *labels = NULL;
	struct pn_error err = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_add, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (o.from_stdin ? argc || o.commit : !argc)
		return usage(&cmd_add, o.from_stdin
					       ? "--stdin names commits and "
						 "profiles by itself"
					       : "need a profile to add");
	if (o.name && !*o.name)
		return usage(&cmd_add, "the name is empty");
	code = open_job(&job, &labels, &machine, &err);
	if (!code)
		code = add_all(&job, argc, argv, &err);
	if (!code) {
		remove_done(&job);
		report(&job);
	}
	pn_batch_free(job.batch);
	free(job.folder);
	free_pairs(labels, job.record.label_count);
	release_machine(&machine);
	close_context(&job.context);
	opts_release(opts, &o);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_add = {
	.name = "add",
	.summary = "store profiles and list them in a commit's note",
	.synopsis = "add [<options>] <profile>...\n"
		    "add [<options>] --stdin",
	.opts = opts,
	.run = run,
};
