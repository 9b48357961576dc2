/* Tables of functions and pairs of duels become tables or one line of text,
 * and what is judged by them has the shape that it promises. */
#include "detect/duel/duel.h"
#include "detect/duel/pairs.h"
#include "detect/functions/table.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(int code, const struct pn_error *err)
{
	if (code && (code != err->code || !*err->message))
		abort();
}

static void check_share(double p)
{
	if (p < 0 || p > 1)
		abort();
}

static void compare(const struct pn_function_table *table, bool exact)
{
	struct pn_functions_rule rule;
	struct pn_functions found;
	struct pn_error err;
	size_t i;

	pn_functions_rule_init(&rule);
	rule.exact = exact;
	if (pn_functions_compare(&found, table->functions, table->count,
				 table->runs, &rule, &err))
		abort();
	for (i = 0; i < found.count; i++) {
		const struct pn_function_verdict *v = &found.items[i];

		if (!*pn_verdict_name(v->verdict) || v->low > v->high ||
		    (v->partner != SIZE_MAX && v->partner >= found.count))
			abort();
		check_share(v->p);
		check_share(v->q);
	}
	pn_functions_release(&found);
}

static void play(const struct pn_duel_pairs *pairs, bool counter)
{
	struct pn_duel_rule rule;
	struct pn_duel duel;
	struct pn_error err;
	size_t i;

	pn_duel_rule_init(&rule);
	rule.counter = counter;
	if (pairs->a.count != pairs->b.count ||
	    pn_duel_init(&duel, &rule, &err))
		abort();
	for (i = 0; i < pairs->a.count; i++)
		if (!isnan(pairs->a.values[i]) && !isnan(pairs->b.values[i]))
			pn_duel_add(&duel, pairs->a.values[i],
				    pairs->b.values[i]);
	pn_duel_finish(&duel);
	if (duel.count && !pn_duel_is_over(&duel))
		abort();
	if (duel.last.low > duel.last.high)
		abort();
	check_share(duel.last.p);
	check_share(duel.last.p_any);
	pn_duel_release(&duel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_function_table table = {0};
	struct pn_duel_pairs pairs = {0};
	struct pn_error err = {0};
	int code;

	code = pn_function_table_parse(&table, (const char *)data, size, &err);
	check_error(code, &err);
	if (!code) {
		compare(&table, false);
		compare(&table, true);
	}
	pn_function_table_release(&table);
	code = pn_duel_pairs_parse(&pairs, (const char *)data, size, &err);
	check_error(code, &err);
	if (!code) {
		play(&pairs, false);
		play(&pairs, true);
	}
	pn_duel_pairs_release(&pairs);
	return 0;
}
