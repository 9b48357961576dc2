/* git perf check --detector: one of Perun's checks of two commits. */
#include "detector.h"

#include "context.h"
#include "jobs/judge/detected.h"
#include "render/judged/detected.h"

#include <string.h>

static void write_text(struct pn_buf *out, const struct pn_detection *d,
		       bool all)
{
	size_t i;

	for (i = 0; i < d->count; i++) {
		const struct pn_detected_series *s = &d->items[i];

		pn_buf_printf(out, "%s%s\n", s->name,
			      s->why.code ? ": not compared" : "");
		if (!s->why.code)
			pn_detected_text(out, &s->found, all);
	}
}

static void write_json(struct pn_buf *out, const struct pn_detection *d,
		       const char *name)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "check");
	pn_json_member(&w, "detector", name);
	pn_json_key(&w, "series");
	pn_json_open(&w, '[');
	for (i = 0; i < d->count; i++) {
		pn_json_open(&w, '{');
		pn_json_member(&w, "series", d->items[i].name);
		if (d->items[i].why.code)
			pn_json_member(&w, "reason", d->items[i].why.message);
		pn_json_key(&w, "verdicts");
		pn_detected_json(&w, &d->items[i].found);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}

/* As of a check: what fails, fails; nothing that is known is no verdict. */
static int conclude(const struct pn_detection *d,
		    const struct detector_call *call, unsigned int fail_on)
{
	bool known = false;
	size_t i, k;

	for (i = 0; i < d->count; i++) {
		if (d->items[i].why.code)
			warn("%s: %s", d->items[i].name,
			     d->items[i].why.message);
		for (k = 0; k < d->items[i].found.count; k++) {
			enum pn_verdict v =
				d->items[i].found.rows[k].check.verdict;

			known |= v != PN_VERDICT_UNKNOWN;
			if (fail_on & 1u << v)
				return EXIT_NO;
		}
	}
	return known || call->allow_unknown ? EXIT_DONE : EXIT_NO_VERDICT;
}

int check_by_detector(const struct global *global,
		      const struct detector_call *call,
		      struct pn_check_request *request)
{
	struct pn_judge_ends ends = {.pair = false};
	struct pn_detection d = {.items = NULL};
	struct pn_error err = {0};
	struct pn_buf text = {0};
	struct context context;
	int done, code = open_context(&context, NULL, true, &err);

	if (code)
		return fail(&err);
	code = pn_judge_ends_find(&ends, context.repo, request->names,
				  request->name_count, NULL, &err);
	if (!code)
		code = pn_detection_run(&d, context.repo, context.notes, &ends,
					pn_detector_find(call->name),
					&request->filter, &err);
	if (!code && call->json)
		write_json(&text, &d, call->name);
	else if (!code)
		write_text(&text, &d, call->all);
	done = code == PN_ENOTFOUND && ends.pair ? (fail(&err), EXIT_NO_VERDICT)
	       : code				 ? fail(&err)
		      : write_output(global, call->output, &text, 0, &err);
	if (!code && done == EXIT_DONE)
		done = conclude(&d, call, request->fail_on);
	pn_buf_release(&text);
	pn_detection_release(&d);
	pn_arena_release(&ends.arena);
	close_context(&context);
	return done;
}
