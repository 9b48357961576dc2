/* Changes from the chances of each commit. */
#include "base/alloc.h"
#include "detect/history/models.h"

#include <stdlib.h>
#include <string.h>

static double mass_beside(const double *p, size_t n, size_t at)
{
	size_t i = at < PN_MODELS_BESIDE ? 0 : at - PN_MODELS_BESIDE;
	double mass = 0;

	for (; i < n && i <= at + PN_MODELS_BESIDE; i++)
		mass += p[i];
	return mass;
}

static size_t likeliest_beside(const double *p, size_t n, size_t at)
{
	size_t i = at < PN_MODELS_BESIDE ? 0 : at - PN_MODELS_BESIDE;
	size_t best = i;

	for (; i < n && i <= at + PN_MODELS_BESIDE; i++)
		if (p[i] > p[best])
			best = i;
	return best;
}

static void insert(struct pn_found_change *found, size_t count,
		   struct pn_found_change new)
{
	for (; count && found[count - 1].at > new.at; count--)
		found[count] = found[count - 1];
	found[count] = new;
}

/* Nothing is left at a change and beside it, where masses change. */
static void clear(double *p, double *masses, size_t n, size_t at)
{
	const size_t away = PN_MODELS_BESIDE + 1;
	const size_t reach = away + PN_MODELS_BESIDE;
	size_t i;

	for (i = at < away ? 0 : at - away; i < n && i <= at + away; i++)
		p[i] = 0;
	for (i = at < reach ? 0 : at - reach; i < n && i <= at + reach; i++)
		masses[i] = mass_beside(p, n, i);
}

struct pn_found_change *pn_models_decode(size_t *count, const double *change,
					 size_t n, double least)
{
	struct pn_found_change *found = NULL;
	double *p = pn_realloc_array(NULL, 2 * n, sizeof(*p)), *masses = p + n;
	size_t cap = 0, i, best, at;

	memcpy(p, change, n * sizeof(*p));
	for (i = 0; i < n; i++)
		masses[i] = mass_beside(p, n, i);
	for (*count = 0;; ++*count) {
		for (best = 0, i = 1; i < n; i++)
			if (masses[i] > masses[best])
				best = i;
		if (!(masses[best] >= least))
			break;
		at = likeliest_beside(p, n, best);
		found = pn_grow(found, &cap, *count + 1, sizeof(*found));
		insert(found, *count,
		       (struct pn_found_change){at, masses[best]});
		clear(p, masses, n, at);
	}
	free(p);
	return found;
}
