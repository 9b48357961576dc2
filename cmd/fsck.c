/* git perf fsck: everything that is stored, looked at. */
#include "base/escape.h"
#include "base/json.h"
#include "command.h"
#include "context.h"
#include "storage/verify.h"

#include <string.h>

struct options {
	const char *output;
	bool json, repair;
};

#define UNUSED_SHOWN 20 /* of them as text; --json has all */

static const struct opt opts[] = {
	{OPT_FLAG(repair), 0, "repair", NULL, "mend what can be mended safely"},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static void text(struct pn_buf *out, const struct pn_verify_report *r)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	for (i = 0; i < r->listed_count; i++) {
		const struct pn_problem *p = &r->problems[i];

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
	pn_buf_printf(out,
		      "%zu commit%s, %zu profile%s, %zu bod%s: %zu "
		      "problem%s\n",
		      r->commits, r->commits == 1 ? "" : "s", r->profiles,
		      r->profiles == 1 ? "" : "s", r->bodies,
		      r->bodies == 1 ? "y" : "ies", r->problem_count,
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

static void json(struct pn_buf *out, const struct pn_verify_report *r)
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
		const struct pn_problem *p = &r->problems[i];

		pn_json_open(&w, '{');
		pn_oid_hex(hex, &p->commit);
		if (p->has_commit)
			pn_json_member(&w, "commit", hex);
		pn_json_member(&w, "problem", p->what);
		pn_json_member(&w, "repair", p->repair);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}

/* Looks again after mending: the answer is about what is there now. */
static int look(struct pn_verify_report *report, struct context *context,
		bool repair, struct pn_error *err)
{
	struct pn_mended mended = {0};
	int code = pn_verify_run(report, context->repo, context->notes, err);

	if (code || !repair || !report->problem_count)
		return code;
	code = pn_verify_repair(&mended, context->repo, report, err);
	if (code || !(mended.bodies || mended.notes))
		return code;
	if (mended.bodies)
		say("anchored %zu bod%s", mended.bodies,
		    mended.bodies == 1 ? "y" : "ies");
	if (mended.notes)
		say("wrote each line once in %zu note%s", mended.notes,
		    mended.notes == 1 ? "" : "s");
	pn_verify_report_release(report);
	code = pn_notes_reopen(context->notes, err);
	return code ? code
		    : pn_verify_run(report, context->repo, context->notes, err);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct context context = {0};
	struct pn_verify_report report = {0};
	struct pn_error err = {0};
	struct pn_buf bytes = {0};
	struct output out = {0};
	int code;

	argc = opts_parse(&cmd_fsck, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_fsck, "fsck takes no argument");
	code = open_context(&context, NULL, true, &err);
	if (!code)
		code = look(&report, &context, o.repair, &err);
	if (!code)
		code = open_output(&out, global, o.output, false, &err);
	if (!code) {
		if (o.json)
			json(&bytes, &report);
		else
			text(&bytes, &report);
		fwrite(pn_buf_text(&bytes), 1, bytes.len, out.file);
		code = close_output(&out,
				    report.problem_count ? EXIT_NO : EXIT_DONE);
	} else {
		code = fail(&err);
	}
	pn_buf_release(&bytes);
	pn_verify_report_release(&report);
	close_context(&context);
	return code;
}

const struct command cmd_fsck = {
	.name = "fsck",
	.summary = "look at every line, body and id that is stored",
	.synopsis = "fsck [--repair] [--json] [-o <file>]",
	.opts = opts,
	.run = run,
};
