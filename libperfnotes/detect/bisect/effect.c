/* How large the step is that was found. */
#include "detect/bisect/effect.h"

#include "base/alloc.h"
#include "detect/pair.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t gather(double *out, const struct pn_bisect_commit *commits,
		     size_t from, size_t to)
{
	size_t n = 0;

	for (; from <= to; from++) {
		const struct pn_bisect_commit *c = &commits[from];

		if (c->count)
			memcpy(out + n, c->values, c->count * sizeof(*out));
		n += c->count;
	}
	return n;
}

void pn_bisect_effect_of(struct pn_bisect_effect *out,
			 const struct pn_bisect *look,
			 const struct pn_bisect_commit *commits)
{
	const double unknown = (double)NAN;
	struct pn_pair_verdict pair;
	size_t i, all = 0;
	double *values;

	*out = (struct pn_bisect_effect){.before = unknown,
					 .after = unknown,
					 .ratio = unknown,
					 .low = unknown,
					 .high = unknown,
					 .noise = unknown};
	for (i = look->good; i <= look->bad; i++)
		all += commits[i].count;
	values = pn_calloc(all + 1, sizeof(*values));
	out->n = gather(values, commits, look->good, look->from - 1);
	out->m = gather(values + out->n, commits, look->to, look->bad);
	if (out->n && out->m) {
		out->before = pn_stats_median(values, out->n);
		out->after = pn_stats_median(values + out->n, out->m);
		pn_pair_of(&pair, values, out->n, values + out->n, out->m,
			   &PN_PAIR_DEFAULTS);
		out->ratio = pair.ratio;
		out->low = pair.low;
		out->high = pair.high;
		out->noise = pair.noise;
		if (isnan(out->ratio) && out->before > 0)
			out->ratio = out->after / out->before;
	}
	free(values);
}
