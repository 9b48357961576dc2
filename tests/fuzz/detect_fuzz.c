/* What a filter reads becomes lists of finite numbers or one line of text, and
 * what is judged by them has the shape that it promises. */
#include "detect/history/history.h"
#include "detect/input.h"
#include "detect/pair.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Long ones would only take long. */
#define MOST_VALUES 200

static void look(const struct pn_numbers *numbers)
{
	size_t n = numbers->count < MOST_VALUES ? numbers->count : MOST_VALUES;
	struct pn_change_points h;
	size_t i;

	pn_change_points_of(&h, numbers->values, n);
	for (i = 0; i < h.count; i++)
		if (h.changes[i].from > h.changes[i].at ||
		    h.changes[i].to < h.changes[i].at || h.changes[i].to >= n ||
		    !(h.changes[i].confidence >= 0 &&
		      h.changes[i].confidence <= 1))
			abort();
	pn_change_points_release(&h);
}

static void check_error(int code, const struct pn_error *err)
{
	if (code && (code != err->code || !*err->message))
		abort();
}

static void check_numbers(const struct pn_numbers *numbers)
{
	size_t i;

	if (numbers->count > PN_INPUT_MAX_VALUES)
		abort();
	for (i = 0; i < numbers->count; i++)
		if (isinf(numbers->values[i]))
			abort();
}

static void judge(struct pn_numbers *a, struct pn_numbers *b)
{
	static const struct pn_pair_options defaults = PN_PAIR_DEFAULTS;
	struct pn_pair_verdict pair;

	pn_numbers_compact(a);
	pn_numbers_compact(b);
	pn_pair_of(&pair, a->values, a->count, b->values, b->count, &defaults);
	if (!*pn_verdict_name(pair.verdict) || pair.p < 0 || pair.p > 1 ||
	    pair.low > pair.high)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_numbers a = {0}, b = {0};
	struct pn_lines lines = {0};
	struct pn_error err = {0};
	bool have = true;
	int code;

	code = pn_numbers_parse_pair(&a, &b, (const char *)data, size, &err);
	check_error(code, &err);
	check_numbers(&a);
	check_numbers(&b);
	if (!code)
		judge(&a, &b);
	code = pn_numbers_parse(&a, (const char *)data, size, 1, &err);
	check_error(code, &err);
	check_numbers(&a);
	if (!code)
		look(&a);
	if (!pn_reader_memory(&lines.in, data, size, "fuzz", 1 << 24, &err)) {
		for (code = 0; !code && have;)
			code = pn_numbers_next(&have, &a, &lines, size % 2,
					       &err);
		check_error(code, &err);
	}
	pn_reader_free(lines.in);
	pn_numbers_release(&a);
	pn_numbers_release(&b);
	return 0;
}
