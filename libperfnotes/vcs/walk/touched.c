/* Files of commits, and where two lines part. */
#include "vcs/walk/touched.h"

#include "vcs/child.h"

#include <stdio.h>
#include <string.h>

int pn_touched_read(struct pn_buf *out, struct pn_repo *repo,
		    const struct pn_oid *from, const struct pn_oid *to,
		    struct pn_error *err)
{
	char a[PN_OID_HEX + 1], b[PN_OID_HEX + 1], said[1024];
	char range[2 * PN_OID_HEX + 3];
	const char *const argv[] = {"git",
				    "-c",
				    "core.quotePath=false",
				    "log",
				    "--first-parent",
				    "-m",
				    "--name-only",
				    "--no-renames",
				    "--no-color",
				    "--no-show-signature",
				    "--no-ext-diff",
				    "--format=%x01%H",
				    range,
				    "--",
				    NULL};
	int status = 0, code;

	pn_oid_hex(a, from);
	pn_oid_hex(b, to);
	snprintf(range, sizeof(range), "%s..%s", a, b);
	code = pn_child_run(out, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "%s", pn_child_said(said));
	return code;
}

int pn_touched_base(struct pn_oid *out, struct pn_repo *repo,
		    const struct pn_oid *a, const struct pn_oid *b,
		    struct pn_error *err)
{
	char x[PN_OID_HEX + 1], y[PN_OID_HEX + 1], said[1024];
	const char *const argv[] = {"git", "merge-base", x, y, NULL};
	struct pn_buf text = {0};
	int status = 0, code;

	pn_oid_hex(x, a);
	pn_oid_hex(y, b);
	*out = (struct pn_oid){0};
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && !status && text.len >= PN_OID_HEX)
		code = pn_oid_parse(out, pn_buf_text(&text)) ? PN_EIO : 0;
	pn_buf_release(&text);
	return code;
}
