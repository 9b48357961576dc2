/* What is wrong with what is stored. */
#include "render/log/checked.h"

#include "base/escape.h"
#include "base/json/json.h"

#include <inttypes.h>
#include <string.h>

#define UNUSED_SHOWN 20 /* of them as text; JSON has all */

void pn_checked_text(struct pn_buf *out, const struct pn_checked *r)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	for (i = 0; i < r->listed_count; i++) {
		const struct pn_checked_problem *p = &r->problems[i];

		if (p->has_commit) {
			pn_oid_hex(hex, &p->commit);
			pn_buf_printf(out, "commit %.10s: ", hex);
		}
		pn_escape_terminal(out, p->what, strlen(p->what));
		pn_buf_printf(out, "\n  to mend: %s\n", p->repair);
	}
	if (r->problem_count > r->listed_count)
		pn_buf_printf(out, "... and %zu more\n",
			      r->problem_count - r->listed_count);
	pn_buf_printf(out, "%zu commit%s, %zu profile%s, %zu bod%s", r->commits,
		      r->commits == 1 ? "" : "s", r->profiles,
		      r->profiles == 1 ? "" : "s", r->bodies,
		      r->bodies == 1 ? "y" : "ies");
	if (r->epoch)
		pn_buf_printf(out, ", epoch %" PRIu64, r->epoch);
	pn_buf_printf(out, ": %zu problem%s\n", r->problem_count,
		      r->problem_count == 1 ? "" : "s");
	for (i = 0; i < r->unused_count && i < UNUSED_SHOWN; i++) {
		pn_oid_hex(hex, &r->unused[i]);
		pn_buf_printf(out, "unused: %s\n", hex);
	}
	if (r->unused_count)
		pn_buf_printf(out,
			      "%zu bod%s needed by no profile (space only)\n",
			      r->unused_count,
			      r->unused_count == 1 ? "y is" : "ies are");
}

void pn_checked_json(struct pn_buf *out, const struct pn_checked *r)
{
	struct pn_json_writer w;
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_json_writer_init(&w, out, 2);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "fsck");
	pn_json_key(&w, "ok");
	pn_json_bool(&w, !r->problem_count);
	pn_json_member_int(&w, "commits", (int64_t)r->commits);
	pn_json_member_int(&w, "profiles", (int64_t)r->profiles);
	pn_json_member_int(&w, "bodies", (int64_t)r->bodies);
	pn_json_member_int(&w, "unused", (int64_t)r->unused_count);
	pn_json_member_int(&w, "epoch", (int64_t)r->epoch);
	pn_json_key(&w, "unused_bodies");
	pn_json_open(&w, '[');
	for (i = 0; i < r->unused_count; i++) {
		pn_oid_hex(hex, &r->unused[i]);
		pn_json_string(&w, hex);
	}
	pn_json_close(&w, ']');
	pn_json_member_int(&w, "problem_count", (int64_t)r->problem_count);
	pn_json_key(&w, "problems");
	pn_json_open(&w, '[');
	for (i = 0; i < r->listed_count; i++) {
		const struct pn_checked_problem *p = &r->problems[i];

		pn_json_open(&w, '{');
		if (p->has_commit) {
			pn_oid_hex(hex, &p->commit);
			pn_json_member(&w, "commit", hex);
		}
		pn_json_member(&w, "problem", p->what);
		pn_json_member(&w, "repair", p->repair);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}

void pn_mended_text(struct pn_buf *out, const struct pn_mended *mended)
{
	if (mended->bodies)
		pn_buf_printf(out, "anchored %zu bod%s\n", mended->bodies,
			      mended->bodies == 1 ? "y" : "ies");
	if (mended->lines)
		pn_buf_printf(out, "brought back %zu line%s\n", mended->lines,
			      mended->lines == 1 ? "" : "s");
	if (mended->notes)
		pn_buf_printf(out, "wrote each line once in %zu note%s\n",
			      mended->notes, mended->notes == 1 ? "" : "s");
}
