/* git perf detect duel: what pairs of runs decide, and when. */
#include "detect/duel/duel.h"
#include "base/alloc.h"
#include "detect/duel/pairs.h"
#include "render/answers/answer.h"
#include "render/judged/duel.h"

#include <stdlib.h>

static void set_rule(struct pn_duel_rule *rule, const struct pn_answer_ask *ask)
{
	pn_duel_rule_init(rule);
	rule->counter = ask->counts;
	if (ask->counts)
		rule->tolerance = PN_DUEL_COUNTER_TOLERANCE;
	if (ask->tolerance >= 0)
		rule->tolerance = ask->tolerance;
	if (ask->margin >= 0)
		rule->margin = ask->margin;
	if (ask->max_pairs)
		rule->max_pairs = (size_t)ask->max_pairs;
}

static int judge(struct pn_buf *out, const struct pn_duel_pairs *pairs,
		 const struct pn_answer_ask *ask, struct pn_error *err)
{
	struct pn_duel_rule rule;
	struct pn_duel duel = {0};
	struct pn_duel_look *looks;
	size_t failed[2] = {0}, n;
	int code;

	set_rule(&rule, ask);
	code = pn_duel_init(&duel, &rule, err);
	if (code)
		return code;
	looks = pn_calloc(rule.max_pairs + 1, sizeof(*looks));
	n = pn_duel_play(looks, failed, &duel, pairs);
	if (!n)
		code = pn_error_set(err, PN_EINVAL,
				    "need a pair of numbers on each line, "
				    "have none");
	else if (ask->json)
		pn_duel_json(out, looks, n, failed);
	else
		pn_duel_text(out, &looks[n - 1]);
	free(looks);
	pn_duel_release(&duel);
	return code;
}

static int run(struct pn_buf *out, bool *have, struct pn_lines *in,
	       const struct pn_answer_ask *ask, struct pn_error *err)
{
	struct pn_duel_pairs pairs = {0};
	struct pn_buf text = {0};
	int code = pn_reader_rest(&text, in->in, PN_INPUT_MAX_BYTES, err);

	*have = true;
	if (!code)
		code = pn_duel_pairs_parse(&pairs, pn_buf_text(&text), text.len,
					   err);
	if (!code)
		code = judge(out, &pairs, ask, err);
	pn_duel_pairs_release(&pairs);
	pn_buf_release(&text);
	return code;
}

const struct pn_answer pn_answer_duel = {
	.name = "duel",
	.has_counts = true,
	.is_duel = true,
	.run = run,
};
