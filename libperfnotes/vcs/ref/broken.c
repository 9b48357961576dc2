/*
 * A ref whose file has no text: what a power cut leaves where the file was
 * renamed before its bytes were on the disk. git neither reads nor replaces it;
 * its reflog, gitrepository-layout(5), still says what it was.
 */
#include "vcs/ref/ref.h"

#include "base/escape.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/objects/stored.h"

#include <string.h>

#define REF_MAX 4096
#define LOG_MAX (64u << 20)
#define LINE_MIN (2 * PN_OID_HEX + 2) /* "<old> <new> " */

static bool is_blank(const struct pn_buf *text)
{
	size_t i;

	for (i = 0; i < text->len; i++)
		if (text->data[i])
			return false;
	return true;
}

bool pn_ref_is_text(const char *text)
{
	struct pn_oid id;

	if (!strncmp(text, "ref:", 4))
		return true;
	return strlen(text) >= PN_OID_HEX && !pn_oid_parse(&id, text) &&
	       (!text[PN_OID_HEX] || strchr(" \t\r\n", text[PN_OID_HEX]));
}

/* Of one that is well, or that cannot be looked at, it is the system that
 * failed: it says nothing about the ref. */
static int tell(const char *ref, const struct pn_buf *text, bool looked,
		struct pn_error *err)
{
	bool well = !looked || pn_ref_is_text(pn_buf_text(text));

	return pn_git_fail(err, well ? PN_EIO : PN_EINVAL, "cannot read '%s'",
			   ref);
}

/* The newest line's commit that is there; false when none is. */
static bool last_known(char hex[PN_OID_HEX + 1], struct pn_repo *repo,
		       const char *path)
{
	struct pn_buf text = {0};
	const char *start, *line, *end;
	bool found = false;
	struct pn_oid oid;
	git_oid id;

	if (pn_file_read(&text, path, LOG_MAX, NULL)) {
		pn_buf_release(&text);
		return false;
	}
	start = pn_buf_text(&text);
	for (end = start + text.len; !found && end > start; end = line) {
		for (line = end - 1; line > start && line[-1] != '\n';)
			line--;
		if (end - line < LINE_MIN || line[PN_OID_HEX] != ' ' ||
		    pn_oid_parse(&oid, line + PN_OID_HEX + 1))
			continue;
		pn_git_to(&id, &oid);
		found = git_odb_exists(pn_stored_odb(repo), &id);
		pn_oid_hex(hex, &oid);
	}
	pn_buf_release(&text);
	return found;
}

int pn_ref_unreadable(struct pn_repo *repo, const char *ref,
		      struct pn_error *err)
{
	struct pn_buf path = {0}, log = {0}, word = {0}, text = {0};
	char hex[PN_OID_HEX + 1];
	bool looked;
	int code;

	pn_buf_printf(&path, "%s/%s", repo->common_dir, ref);
	pn_buf_printf(&log, "%s/logs/%s", repo->common_dir, ref);
	pn_escape_shell(&word, pn_buf_text(&path));
	looked = !pn_file_read(&text, pn_buf_text(&path), REF_MAX, NULL);
	if (!looked || !is_blank(&text))
		code = tell(ref, &text, looked, err);
	else if (last_known(hex, repo, pn_buf_text(&log)))
		code = pn_error_set(err, PN_EINVAL,
				    "'%s' is empty, as a power cut leaves it; "
				    "what it was last: rm %s && git update-ref "
				    "%s %s",
				    ref, pn_buf_text(&word), ref, hex);
	else
		code = pn_error_set(err, PN_EINVAL,
				    "'%s' is empty, as a power cut leaves it, "
				    "and has no log; without it: rm %s, then "
				    "fetch it, or look for its commit with git "
				    "fsck --lost-found",
				    ref, pn_buf_text(&word));
	pn_buf_release(&text);
	pn_buf_release(&path);
	pn_buf_release(&log);
	pn_buf_release(&word);
	return code;
}
