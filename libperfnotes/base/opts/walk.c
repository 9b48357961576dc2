/* The rows of a table and of those that it links to. */
#include "base/opts/walk.h"

const struct pn_opt *pn_opts_step(struct pn_opts_walk *w)
{
	while (w->at) {
		if (w->at->kind == PN_OPT_TABLE) {
			w->after = w->at + 1;
			w->base = w->at->offset;
			w->at = w->at->table;
		} else if (w->at->kind == PN_OPT_END) {
			w->at = w->after;
			w->after = NULL;
			w->base = 0;
		} else {
			return w->at++;
		}
	}
	return NULL;
}

bool pn_opt_takes_value(const struct pn_opt *opt)
{
	return opt->kind != PN_OPT_FLAG;
}
