/* What is to be imported, and what of it is new. */
#include "jobs/import/import.h"

#include "base/file.h"
#include "jobs/import/taker.h"
#include "vcs/lock.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct source {
	const char *name; /* of the tool */
	bool (*fits)(const char *from);
	int (*read)(struct pn_import_taker *t, struct pn_error *err);
};

static bool is_ref(const char *from)
{
	return !strncmp(from, "refs/", 5);
}

bool pn_import_is_folder(const char *from)
{
	struct stat st;

	return !is_ref(from) && (stat(from, &st) || S_ISDIR(st.st_mode));
}

static bool is_any(const char *from)
{
	(void)from;
	return true;
}

/* The first that fits. */
static const struct source sources[] = {
	{"git-perf-v3", is_ref, pn_import_notes},
	{"asv", pn_import_is_folder, pn_import_asv},
	{"github-action-benchmark", is_any, pn_import_data_js},
};

static const struct source *find(const char *from)
{
	const struct source *s = sources;

	while (!s->fits(from))
		s++;
	return s;
}

int pn_import(struct pn_takeover_counts *out, struct pn_buf *doubts,
	      const struct pn_import_request *request, struct pn_error *err)
{
	const struct source *source = find(request->from);
	struct pn_import_taker t = {.request = request,
				    .format = source->name,
				    .counts = out,
				    .doubts = doubts};
	int lock = -1, code = 0;

	memset(out, 0, sizeof(*out));
	if (!request->dry_run)
		code = pn_lock_named(&lock, request->repo, "import.lock", err);
	if (!code)
		code = pn_notes_open(&t.notes, request->repo, PN_NOTES_REF,
				     err);
	if (!code)
		code = pn_batch_open(&t.batch, request->repo, NULL, err);
	if (!code)
		code = source->read(&t, err);
	if (!code)
		code = pn_import_finish(&t, err);
	pn_import_taker_release(&t);
	if (lock >= 0)
		close(lock);
	return code;
}
