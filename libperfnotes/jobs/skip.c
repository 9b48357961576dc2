/* What is remembered of failures. */
#include "jobs/skip.h"

#include "base/buf.h"

#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define ROOM_MIN_BYTES (1u << 20) /* less is what a full disk has */

/* Whether a program of the commit's own is not there. */
static bool is_absent(const char *dir, const char *cmd)
{
	struct pn_buf path = {0};
	bool absent;

	if (!cmd || !strchr(cmd, '/') || *cmd == '/')
		return false;
	pn_buf_printf(&path, "%s/%s", dir, cmd);
	absent = access(pn_buf_text(&path), F_OK) != 0;
	pn_buf_release(&path);
	return absent;
}

static bool is_full(const char *dir)
{
	struct statvfs fs;

	if (statvfs(dir, &fs) || !fs.f_blocks)
		return false;
	return (uint64_t)fs.f_bavail * fs.f_frsize < ROOM_MIN_BYTES ||
	       (fs.f_files && !fs.f_favail);
}

bool pn_skip_is_lasting(const struct pn_run_job *j, const char *dir)
{
	if (j->state != PN_RUN_FAILED && j->state != PN_RUN_NOT_BUILT)
		return false;
	if (is_full(dir))
		return false;
	return j->why.code == PN_EREFUSED || j->why.code == PN_ETIMEOUT ||
	       (j->state == PN_RUN_FAILED && is_absent(dir, j->job->job.cmd));
}

/* Not the commit's fault for sure, nor the system's: a tool that left nothing,
 * or nothing that can be read. */
static bool is_doubtful(const struct pn_run_job *j, const char *dir)
{
	switch (j->why.code) {
	case PN_EINVAL:
	case PN_ENOTFOUND:
	case PN_ERANGE:
	case PN_ELIMIT:
	case PN_EFORMAT:
		return j->state == PN_RUN_FAILED && !is_full(dir);
	default:
		return false;
	}
}

bool pn_skip_is_worth(const struct pn_run_job *j, const char *dir)
{
	return pn_skip_is_lasting(j, dir) || is_doubtful(j, dir);
}

static const char *state_of(const struct pn_run_job *j)
{
	return j->state == PN_RUN_NOT_BUILT ? "build" : "run";
}

bool pn_skip_settles(const struct pn_entry *line)
{
	return !strcmp(line->kind_text, "skip") &&
	       !*pn_entry_field(line, "where");
}

static bool says(const struct pn_entry *line, const char *key,
		 const char *value)
{
	struct pn_buf text = {0};
	bool equal;

	pn_record_text(&text, value ? value : "");
	equal = !strcmp(pn_entry_field(line, key), pn_buf_text(&text));
	pn_buf_release(&text);
	return equal;
}

bool pn_skip_names_job(const struct pn_entry *line,
		       const struct pn_matrix_job *job, const char *fingerprint)
{
	return says(line, "cmd", job->job.cmd) &&
	       says(line, "args", job->job.args) &&
	       says(line, "workload", job->job.workload) &&
	       says(line, "collector", job->with->name) &&
	       says(line, "l.job", job->section->name) &&
	       says(line, "env", fingerprint);
}

bool pn_skip_is_told(const struct pn_run_job *j,
		     const struct pn_run_options *options,
		     const char *fingerprint, const struct pn_entry *lines,
		     size_t count)
{
	bool lasting = pn_skip_is_lasting(j, options->dir);
	size_t i;

	if (lasting && options->skips)
		return false;
	for (i = 0; i < count; i++)
		if (!strcmp(lines[i].kind_text, "skip") &&
		    pn_oid_equal(&lines[i].tree, &options->tree) &&
		    pn_skip_names_job(&lines[i], j->job, fingerprint) &&
		    says(&lines[i], "state", state_of(j)) &&
		    (!lasting || says(&lines[i], "reason", j->why.message)))
			return true;
	return false;
}

/* As long a text as the lines of profiles have. */
static void add_text(struct pn_record *record, const char *key,
		     const char *text)
{
	struct pn_buf cut = {0};

	pn_record_text(&cut, text ? text : "");
	pn_record_add_field(record, key, pn_buf_text(&cut));
	pn_buf_release(&cut);
}

int pn_skip_store(const struct pn_run_job *j,
		  const struct pn_run_options *options, const char *fingerprint,
		  struct pn_batch *batch, struct pn_error *err)
{
	const struct pn_collect_job *job = &j->job->job;
	struct pn_record record = {.kind = "skip"};
	int code;

	record.commit = options->commit;
	record.tree = options->tree;
	add_text(&record, "cmd", job->cmd);
	add_text(&record, "args", job->args);
	add_text(&record, "workload", job->workload);
	pn_record_add_field(&record, "collector", j->job->with->name);
	pn_record_add_field(&record, "env", fingerprint);
	pn_record_set_label(&record, "job", j->job->section->name);
	pn_record_add_field(&record, "state", state_of(j));
	if (!options->skips)
		pn_record_add_field(&record, "where", "checkout");
	else if (!pn_skip_is_lasting(j, options->dir))
		pn_record_add_field(&record, "where", "machine");
	add_text(&record, "reason", j->why.message);
	code = pn_batch_add(batch, &record, err);
	pn_record_release(&record);
	return code;
}
