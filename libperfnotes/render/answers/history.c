/* git perf detect history: where a course of numbers changes for good. */
#include "detect/history/history.h"

#include "detect/input.h"
#include "render/answers/answer.h"
#include "render/judged/history.h"

static int read_all(bool *have, struct pn_numbers *out, struct pn_lines *in,
		    struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_reader_rest(&text, in->in, PN_INPUT_MAX_BYTES, err);

	*have = true;
	if (!code)
		code = pn_numbers_parse(out, pn_buf_text(&text), text.len, 1,
					err);
	pn_buf_release(&text);
	return code;
}

static int run(struct pn_buf *out, bool *have, struct pn_lines *in,
	       const struct pn_answer_ask *ask, struct pn_error *err)
{
	struct pn_numbers values = {0};
	struct pn_change_points history;
	int code = ask->series ? pn_numbers_next(have, &values, in, false, err)
			       : read_all(have, &values, in, err);

	if (!code && *have) {
		pn_change_points_of(&history, values.values, values.count);
		if (ask->json)
			pn_change_points_json(out, &history);
		else
			pn_change_points_text(out, &history, ask->series);
		pn_change_points_release(&history);
	}
	pn_numbers_release(&values);
	return code;
}

const struct pn_answer pn_answer_history = {
	.name = "history",
	.has_series = true,
	.run = run,
};
