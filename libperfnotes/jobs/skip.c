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

int pn_skip_store(const struct pn_run_job *j,
		  const struct pn_run_options *options, const char *fingerprint,
		  struct pn_batch *batch, struct pn_error *err)
{
	const struct pn_collect_job *job = &j->job->job;
	struct pn_record record = {.kind = "skip"};
	int code;

	record.commit = options->commit;
	record.tree = options->tree;
	pn_record_add_field(&record, "cmd", job->cmd ? job->cmd : "");
	if (job->args && *job->args)
		pn_record_add_field(&record, "args", job->args);
	if (job->workload && *job->workload)
		pn_record_add_field(&record, "workload", job->workload);
	pn_record_add_field(&record, "collector", j->job->with->name);
	pn_record_add_field(&record, "env", fingerprint);
	pn_record_set_label(&record, "job", j->job->section->name);
	pn_record_add_field(&record, "state",
			    j->state == PN_RUN_NOT_BUILT ? "build" : "run");
	pn_record_add_field(&record, "reason", j->why.message);
	code = pn_batch_add(batch, &record, err);
	pn_record_release(&record);
	return code;
}
