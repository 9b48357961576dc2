/* What objects take on the disk. */
#include "vcs/disk.h"

#include "base/number.h"
#include "vcs/child.h"
#include "vcs/objects/loose.h"
#include "vcs/objects/packed.h"

#include <stdio.h>
#include <string.h>

static int not_measured(struct pn_error *err, char said[1024])
{
	return pn_error_set(err, PN_EIO, "cannot measure objects: %s",
			    pn_child_said(said));
}

static int of_commit(uint64_t *out, struct pn_repo *repo,
		     const struct pn_oid *commit, const char *option,
		     struct pn_error *err)
{
	char of[PN_OID_HEX + 1], said[1024] = "";
	const char *argv[] = {
		"git",		"rev-list", "--objects", "--missing=allow-any",
		"--disk-usage", of,	    option,	 NULL};
	struct pn_buf text = {0};
	int status = 0, code;

	pn_oid_hex(of, commit);
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code &&
	    (status || !pn_number_uint(out, pn_buf_text(&text),
				       strcspn(pn_buf_text(&text), "\n"))))
		code = not_measured(err, said);
	pn_buf_release(&text);
	return code;
}

int pn_disk_of_history(uint64_t *out, struct pn_repo *repo,
		       const struct pn_oid *commit, struct pn_error *err)
{
	return of_commit(out, repo, commit, NULL, err);
}

int pn_disk_of_newest(uint64_t *out, struct pn_repo *repo,
		      const struct pn_oid *commit, struct pn_error *err)
{
	return of_commit(out, repo, commit, "--max-count=1", err);
}

/* git cat-file would fetch what is absent, so it is not asked for that. */
static void ask(FILE *file, struct pn_disk *out, struct pn_repo *repo,
		const struct pn_buf *ids)
{
	char hex[PN_OID_HEX + 1];
	struct pn_oid id;
	size_t i;

	for (i = 0; i < ids->len / PN_OID_BYTES; i++) {
		memcpy(id.bytes, ids->data + i * PN_OID_BYTES, PN_OID_BYTES);
		out[i] = (struct pn_disk){
			.absent = !pn_repo_has_object(repo, &id)};
		if (out[i].absent)
			continue;
		out[i].loose = pn_packed_has(repo, &id) <= 0 &&
			       pn_loose_has(repo, &id);
		pn_oid_hex(hex, &id);
		fprintf(file, "%s\n", hex);
	}
}

/* A line for each: "<bytes on the disk> <bytes>", or words of one that went
 * meanwhile. */
static void take_answers(struct pn_disk *out, size_t count, const char *at)
{
	size_t i, len, word;

	for (i = 0; i < count; i++) {
		if (out[i].absent)
			continue;
		len = strcspn(at, "\n");
		word = strcspn(at, " \n");
		out[i].absent = word >= len ||
				!pn_number_uint(&out[i].disk, at, word) ||
				!pn_number_uint(&out[i].bytes, at + word + 1,
						len - word - 1);
		if (out[i].absent)
			out[i] = (struct pn_disk){.absent = true};
		at += len + (at[len] != '\0');
	}
}

int pn_disk_of_each(struct pn_disk *out, struct pn_repo *repo,
		    const struct pn_buf *ids, struct pn_error *err)
{
	static const char *const argv[] = {
		"git", "cat-file", "--buffer",
		"--batch-check=%(objectsize:disk) %(objectsize)", NULL};
	struct pn_process_options options = pn_child_options(repo);
	struct pn_buf text = {0};
	char said[1024] = "";
	FILE *file = tmpfile();
	int status = 0, code = 0;

	if (!file)
		return pn_error_system(err, "cannot make a temporary file");
	ask(file, out, repo, ids);
	if (fflush(file) || fseek(file, 0, SEEK_SET))
		code = pn_error_system(err, "cannot write a temporary file");
	options.in = fileno(file);
	if (!code)
		code = pn_process_capture(&text, said, &status, argv, &options,
					  PN_CHILD_TEXT_MAX, err);
	if (!code && status)
		code = not_measured(err, said);
	if (!code)
		take_answers(out, ids->len / PN_OID_BYTES, pn_buf_text(&text));
	pn_buf_release(&text);
	fclose(file);
	return code;
}
