/*
 * The file 'format' of the notes tree: who may read it, who may write to it.
 *
 *	perf-notes <version>
 *	epoch <number>
 *	compacted-from <commit>
 *
 * and lines that later versions add. A later version is another grammar, so
 * that nobody may read on.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "vcs/notes/epoch.h"
#include "vcs/notes/notes.h"
#include "vcs/notes/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 1
#define HEAD "perf-notes "
#define EPOCH "\nepoch "
#define FROM "\ncompacted-from "
#define FORMAT_MAX 4096 /* bytes of the file */

static int not_ours(struct pn_error *err, const char *ref)
{
	return pn_error_set(err, PN_EREFUSED,
			    "'%s' has a file 'format' that is not git-perf's; "
			    "another tool keeps its notes there",
			    ref);
}

static bool take_number(uint64_t *out, const char *at)
{
	return pn_number_uint(out, at, strcspn(at, "\n"));
}

static int check_version(const char *text, const char *ref,
			 struct pn_error *err)
{
	uint64_t version;

	if (strncmp(text, HEAD, strlen(HEAD)) != 0 ||
	    !take_number(&version, text + strlen(HEAD)) || !version)
		return not_ours(err, ref);
	if (version > VERSION)
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' has format %" PRIu64 ", this "
				    "git-perf knows format %d: use a newer one",
				    ref, version, VERSION);
	return 0;
}

/* No such line is epoch 0. */
static int read_epoch(struct pn_notes_epoch *out, const char *text,
		      const char *ref, struct pn_error *err)
{
	const char *at = strstr(text, EPOCH);

	memset(out, 0, sizeof(*out));
	if (at && !take_number(&out->number, at + strlen(EPOCH)))
		return not_ours(err, ref);
	if (out->number > PN_EPOCH_MAX)
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' has epoch %" PRIu64 ", at most "
				    "%" PRIu64 " can be",
				    ref, out->number, PN_EPOCH_MAX);
	at = strstr(text, FROM);
	if (at && strcspn(at + strlen(FROM), "\n") == PN_OID_HEX &&
	    pn_oid_parse(&out->from, at + strlen(FROM)))
		memset(&out->from, 0, sizeof(out->from));
	return 0;
}

static int read_text(struct pn_buf *out, struct pn_repo *repo, const char *ref,
		     const struct pn_oid *id, struct pn_error *err)
{
	if (!pn_repo_read_blob(out, repo, id, FORMAT_MAX, err))
		return 0;
	return pn_error_context(err, "cannot read 'format' of '%s'", ref);
}

int pn_notes_format_readable(struct pn_repo *repo, const char *ref,
			     const struct pn_fan *texts, struct pn_error *err)
{
	struct pn_tree_entry entry;
	struct pn_buf text = {0};
	struct pn_oid known;
	int code = 0;

	pn_object_hash(&known, PN_OBJECT_BLOB, PN_NOTES_FORMAT_TEXT,
		       strlen(PN_NOTES_FORMAT_TEXT));
	if (!pn_fan_other(&entry, texts, PN_NOTES_FORMAT) ||
	    entry.mode != PN_MODE_BLOB || pn_oid_equal(&entry.id, &known))
		return 0;
	code = read_text(&text, repo, ref, &entry.id, err);
	/* another tool's notes are read like any that have no such file */
	if (!code && !strncmp(pn_buf_text(&text), HEAD, strlen(HEAD)))
		code = check_version(pn_buf_text(&text), ref, err);
	pn_buf_release(&text);
	return code;
}

int pn_notes_epoch(struct pn_notes_epoch *out, struct pn_notes *notes,
		   struct pn_error *err)
{
	struct pn_tree_entry entry;
	struct pn_buf text = {0};
	struct pn_oid known;
	int code;

	pn_object_hash(&known, PN_OBJECT_BLOB, PN_NOTES_FORMAT_TEXT,
		       strlen(PN_NOTES_FORMAT_TEXT));
	memset(out, 0, sizeof(*out));
	if (!pn_fan_other(&entry, notes->texts, PN_NOTES_FORMAT) ||
	    pn_oid_equal(&entry.id, &known))
		return 0;
	code = read_text(&text, notes->repo, notes->ref, &entry.id, err);
	if (!code)
		code = check_version(pn_buf_text(&text), notes->ref, err);
	if (!code)
		code = read_epoch(out, pn_buf_text(&text), notes->ref, err);
	pn_buf_release(&text);
	return code;
}

int pn_notes_check_format(struct pn_notes *notes, struct pn_error *err)
{
	struct pn_notes_epoch epoch;

	return pn_notes_epoch(&epoch, notes, err);
}

void pn_notes_set_epoch(struct pn_notes *notes,
			const struct pn_notes_epoch *epoch)
{
	char hex[PN_OID_HEX + 1];

	pn_buf_clear(&notes->format);
	pn_buf_printf(&notes->format, "perf-notes 1\nepoch %" PRIu64 "\n",
		      epoch->number);
	if (pn_oid_is_zero(&epoch->from))
		return;
	pn_oid_hex(hex, &epoch->from);
	pn_buf_printf(&notes->format, "compacted-from %s\n", hex);
}

void pn_notes_set_orphan(struct pn_notes *notes)
{
	if (!notes->apart)
		notes->at = notes->tip;
	notes->apart = notes->orphan = true;
}

void pn_notes_plant(struct pn_notes *notes, const struct pn_notes *where)
{
	free(notes->ref);
	notes->ref = pn_strdup(where->ref);
	notes->at = where->tip;
	notes->apart = true;
}
