/* Two profiles, a thread each. */
#include "jobs/profiles/pair.h"

#include "base/ahead.h"
#include "jobs/profiles/pool.h"

struct loading {
	const struct pn_pair_source *from;
	bool busy;
	struct pn_profile *const *to;
	const struct pn_clean *clean;
	struct pn_error err[2];
	int code[2];
};

static void load(void *data, size_t side, size_t worker)
{
	struct loading *l = data;
	const struct pn_pair_source *from = &l->from[side];
	struct pn_lookup lookup = *from->lookup;
	int *code = &l->code[side];

	(void)worker;
	lookup.busy = l->busy;
	*code = pn_pool_load(l->to[side], NULL, &lookup, from->found,
			     from->codec, &l->err[side]);
	if (!*code)
		*code = pn_clean(l->to[side], l->clean, &l->err[side]);
}

/* Then git is run, which may ask for a password and has to hear of signals:
 * that is for our own thread, and for one side after the other. */
static bool may_fetch(const struct pn_pair_source *from)
{
	return from->found->entry && pn_repo_is_partial(from->lookup->repo);
}

int pn_pair_load(struct pn_profile *const out[2],
		 const struct pn_pair_source from[2],
		 const struct pn_clean *clean, struct pn_error *err)
{
	struct loading l = {.from = from, .to = out, .clean = clean};
	bool fetch = may_fetch(&from[0]) || may_fetch(&from[1]);
	size_t side;

	/* of one repository, whoever has opened it */
	if (may_fetch(&from[0]) && may_fetch(&from[1]) &&
	    !strcmp(pn_repo_common_dir(from[0].lookup->repo),
		    pn_repo_common_dir(from[1].lookup->repo))) {
		const struct pn_found *both[] = {from[0].found, from[1].found};

		pn_pool_fetch(from[0].lookup->repo, both, 2);
	}
	l.busy = !fetch && pn_ahead_fills(2);
	if (fetch)
		for (side = 0; side < 2; side++)
			load(&l, side, 0);
	else
		pn_ahead_both(load, &l);
	for (side = 0; side < 2; side++)
		if (l.code[side]) {
			*err = l.err[side];
			return l.code[side];
		}
	return 0;
}

static bool has_weights(const struct pn_profile *p)
{
	return p->sample_count || p->graph.node_count;
}

bool pn_pair_has_weights(const struct pn_profile *before,
			 const struct pn_profile *after)
{
	return has_weights(before) && has_weights(after);
}
