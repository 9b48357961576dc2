/* git perf detect pair: whether two samples differ. */
#include "detect/pair.h"
#include "detect/input.h"
#include "render/answers/answer.h"
#include "render/judged/pair.h"

static int read_lines(bool *have, struct pn_numbers *baseline,
		      struct pn_numbers *target, struct pn_lines *in,
		      struct pn_error *err)
{
	bool more = false;
	int code = pn_numbers_next(have, baseline, in, true, err);

	if (code || !*have)
		return code;
	code = pn_numbers_next(&more, target, in, true, err);
	if (!code && !more)
		code = pn_error_set(err, PN_EINVAL,
				    "need two lines for each pair, the last "
				    "one is missing");
	return code;
}

static int read_all(bool *have, struct pn_numbers *baseline,
		    struct pn_numbers *target, struct pn_lines *in,
		    struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_reader_rest(&text, in->in, PN_INPUT_MAX_BYTES, err);

	*have = true;
	if (!code)
		code = pn_numbers_parse_pair(baseline, target,
					     pn_buf_text(&text), text.len, err);
	pn_buf_release(&text);
	return code;
}

static int run(struct pn_buf *out, bool *have, struct pn_lines *in,
	       const struct pn_answer_ask *ask, struct pn_error *err)
{
	struct pn_pair_options rule = PN_PAIR_DEFAULTS;
	struct pn_numbers baseline = {0}, target = {0};
	struct pn_pair_verdict pair;
	int code = ask->series ? read_lines(have, &baseline, &target, in, err)
			       : read_all(have, &baseline, &target, in, err);

	rule.clock = !ask->counts;
	if (!code && *have) {
		pn_numbers_compact(&baseline);
		pn_numbers_compact(&target);
		pn_pair_of(&pair, baseline.values, baseline.count,
			   target.values, target.count, &rule);
		(ask->json ? pn_pair_json : pn_pair_text)(out, &pair);
	}
	pn_numbers_release(&baseline);
	pn_numbers_release(&target);
	return code;
}

const struct pn_answer pn_answer_pair = {
	.name = "pair",
	.has_series = true,
	.has_counts = true,
	.run = run,
};
