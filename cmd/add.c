/* git perf add: profiles into a commit's list. Long, as they come in two ways,
 * by name and by lines of standard input, and as it tells what could be added
 * where nothing was named. */
#include "codec/bench/any/request.h"
#include "command.h"
#include "context.h"
#include "find_profile.h"
#include "jobs/profiles/stage.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PENDING_SHOWN 10

struct options {
	const char *commit, *format, *name, *machine;
	const char *pattern, *unit, *better;
	struct pn_opt_list labels, columns;
	bool keep, force, verbatim, from_stdin, environment;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit to list them at (HEAD)"},
	{OPT_FLAG(keep), 'k', "keep", NULL, "keep the pending copy"},
	{OPT_FLAG(force), 'f', "force", NULL,
	 "add what was measured at another commit, too"},
	{OPT_TEXT(format), 0, "format", "<name>",
	 "format of the input (recognised)", .names = pn_codec_names_read},
	{OPT_LIST(columns), 0, "column", "<what>=<head>",
	 "column of a csv that is name, value, unit or better"},
	{OPT_TEXT(pattern), 0, "pattern", "<regex>",
	 "of format regex: groups name, value, unit, better"},
	{OPT_TEXT(unit), 0, "unit", "<unit>", "of values of csv and regex"},
	{OPT_TEXT(better), 0, "better", "<which>",
	 "which values of csv and regex are better", .choices = "less more"},
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
	struct pn_stage stage;
	const struct options *options;
	struct pn_buf hint;
};

/* Of a range the newest comes last, so that it is the newest of the list. */
static int add_named(struct job *job, const char *text, struct pn_error *err)
{
	struct pn_found_list found = {0};
	size_t i;
	int code;

	job->context.lookup.skip_stored = true;
	code = find_profile(&found, &job->context.lookup, text, err);
	for (i = found.count; !code && i > 0; i--)
		code = pn_stage_file(
			&job->stage, &job->context.lookup.commit,
			found.items[i - 1].path, found.items[i - 1].name,
			found.items[i - 1].kind == PN_FOUND_PENDING, err);
	pn_found_list_release(&found);
	return code;
}

/* What csv and regex have to be told. */
static int make_hint(struct job *job, struct pn_error *err)
{
	const struct options *o = job->options;
	struct pn_hint_request request = {.format = o->format,
					  .pattern = o->pattern,
					  .unit = o->unit,
					  .better = o->better,
					  .columns = o->columns.values,
					  .column_count = o->columns.count,
					  .verbatim = o->verbatim};

	return pn_hint_of_request(&job->hint, &request, err);
}

static int open_job(struct job *job, struct pn_text_pair **labels,
		    struct pn_machine *machine, struct pn_error *err)
{
	const struct options *o = job->options;
	struct pn_record_options *r = &job->stage.record;
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
		code = make_hint(job, err);
	if (!code)
		code = pn_setting_pairs(labels, &r->label_count,
					o->labels.values, o->labels.count, err);
	if (!code)
		code = pn_setting_body_bytes(&r->max_bytes, job->context.repo,
					     err);
	if (!code && o->environment)
		code = pn_machine_take(machine, job->context.repo, o->machine,
				       err);
	if (code)
		return code;
	r->labels = *labels;
	r->name = o->name;
	r->hint = job->hint.len ? pn_buf_text(&job->hint) : NULL;
	r->verbatim = o->verbatim;
	r->environment = machine->pairs;
	r->environment_count = machine->count;
	job->stage.repo = job->context.repo;
	job->stage.force = o->force;
	job->stage.keep = o->keep;
	return pn_batch_open(&job->stage.batch, job->context.repo,
			     job->context.notes, err);
}

/* The profiles are stored: a copy that stays is a nuisance, not a failure. */
static void remove_done(const struct pn_stage *stage)
{
	size_t i;

	for (i = 0; i < stage->done_count; i++)
		if (unlink(stage->done[i]) && errno != ENOENT)
			warn("cannot remove '%s': %s", stage->done[i],
			     strerror(errno));
}

/* What was measured in a dirty tree is not the commit's figure. */
static void doubt_text(struct pn_buf *out, const struct pn_stage *stage)
{
	if (stage->dirty_count && stage->count == 1)
		pn_buf_add_text(out, " (the tree was dirty)");
	else if (stage->dirty_count)
		pn_buf_printf(out, " (the tree was dirty for %zu of them)",
			      stage->dirty_count);
}

static void report(const struct job *job)
{
	const struct pn_stage *stage = &job->stage;
	struct pn_buf doubt = {0};
	char hex[PN_OID_HEX + 1];

	doubt_text(&doubt, stage);
	pn_oid_hex(hex, &job->context.lookup.commit);
	if (job->options->from_stdin)
		say("added %zu profile%s%s", stage->count,
		    stage->count == 1 ? "" : "s", pn_buf_text(&doubt));
	else if (stage->count == 1)
		say("added %s to %.10s%s", stage->last_id, hex,
		    pn_buf_text(&doubt));
	else
		say("added %zu profiles to %.10s%s", stage->count, hex,
		    pn_buf_text(&doubt));
	pn_buf_release(&doubt);
}

static int add_all(struct job *job, int argc, char **argv, struct pn_error *err)
{
	int i, code = 0;

	for (i = 0; !code && i < argc; i++)
		code = add_named(job, argv[i], err);
	if (!code && job->options->from_stdin)
		code = pn_stage_stream(&job->stage, stdin, err);
	if (!code)
		code = pn_batch_commit(job->stage.batch, err);
	return code;
}

/* Nothing is added unless it is named: what could be, and how. */
static int list_pending(void)
{
	struct pn_pending_list pending = {0};
	struct context context = {0};
	struct pn_error err;
	size_t i;
	int code = open_context(&context, NULL, true, &err);

	if (!code)
		code = pn_pending_list(&pending, context.repo, &err);
	for (i = 0; i < pending.count && i < PENDING_SHOWN; i++)
		say("  git perf add %zu@p  # %s", i, pending.items[i].name);
	if (pending.count > 1)
		say("  git perf add 0@p-%zu@p  # all of them",
		    pending.count - 1);
	else if (!code && !pending.count)
		say("none is pending: \"git perf collect -- <command>\" makes "
		    "one");
	pn_pending_list_release(&pending);
	close_context(&context);
	return code ? fail(&err) : EXIT_USAGE;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.environment = true};
	struct job job = {.options = &o};
	struct pn_machine machine = {0};
	struct pn_text_pair *labels = NULL;
	struct pn_error err = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_add, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (o.from_stdin && (argc || o.commit))
		return usage(&cmd_add,
			     "--stdin names commits and profiles by itself");
	if (!argc && !o.from_stdin) {
		usage(&cmd_add, "need a profile to add");
		pn_opts_release(opts, &o);
		return list_pending();
	}
	if (o.name && !*o.name)
		return usage(&cmd_add, "the name is empty");
	code = open_job(&job, &labels, &machine, &err);
	if (!code)
		code = add_all(&job, argc, argv, &err);
	if (!code) {
		remove_done(&job.stage);
		report(&job);
	}
	pn_batch_free(job.stage.batch);
	pn_stage_release(&job.stage);
	pn_setting_pairs_free(labels, job.stage.record.label_count);
	pn_machine_release(&machine);
	pn_buf_release(&job.hint);
	close_context(&job.context);
	pn_opts_release(opts, &o);
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
