/* git perf check --detector: one of Perun's checks of two commits. */
#include "detector.h"

#include "context.h"
#include "jobs/judge/detected.h"
#include "jobs/judge/gates.h"
#include "render/judged/detected.h"

#include <string.h>

/* As of a check: what fails, fails; nothing that is known is no verdict. */
static int conclude(const struct pn_detection *d,
		    const struct detector_call *call, unsigned int fail_on)
{
	int result = pn_detection_result(d, fail_on);
	size_t i;

	for (i = 0; i < d->count; i++)
		if (d->items[i].why.code)
			warn("%s: %s", d->items[i].name,
			     d->items[i].why.message);
	if (result > 0)
		return EXIT_NO;
	return !result || call->allow_unknown ? EXIT_DONE : EXIT_NO_VERDICT;
}

int check_by_detector(const struct global *global,
		      const struct detector_call *call,
		      struct pn_check_request *request)
{
	struct pn_detector_rule one = {.detector =
					       pn_detector_find(call->name)};
	struct pn_judge_ends ends = {.pair = false};
	struct pn_gates gates = {.count = 0};
	struct pn_detection d = {.items = NULL};
	struct pn_error err = {0};
	struct pn_buf text = {0};
	struct context context;
	int done, code = open_context(&context, NULL, true, &err);

	if (code)
		return fail(&err);
	d.by_rules = !strcmp(call->name, PN_DETECTOR_RULES);
	if (d.by_rules)
		code = pn_gates_read(&gates, context.repo, &err);
	else
		gates.detectors = (struct pn_detector_rules){&one, 1};
	if (!code)
		code = pn_judge_ends_find(&ends, context.repo, request->names,
					  request->name_count, NULL, &err);
	if (!code)
		code = pn_detection_run(&d, context.repo, context.notes, &ends,
					&gates.detectors, &request->filter,
					&err);
	if (!code && call->json)
		pn_detection_json(&text, &d, call->name);
	else if (!code)
		pn_detection_text(&text, &d, call->all);
	say_where_profiles_are(&context.lookup);
	done = code == PN_ENOTFOUND && ends.pair ? (fail(&err), EXIT_NO_VERDICT)
	       : code				 ? fail(&err)
		      : write_output(global, call->output, &text, 0, &err);
	if (!code && done == EXIT_DONE)
		done = conclude(&d, call, request->fail_on);
	pn_buf_release(&text);
	pn_detection_release(&d);
	pn_gates_release(&gates);
	pn_arena_release(&ends.arena);
	close_context(&context);
	return done;
}
