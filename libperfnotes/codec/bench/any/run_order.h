/*
 * The order of values by the run that each is of: runs that are numbers by
 * their value, others behind them as they come; values of one run stay as they
 * were. A zeroed struct is empty.
 */
#ifndef PN_ANY_RUN_ORDER_H
#define PN_ANY_RUN_ORDER_H

#include "model/profile.h"

struct pn_run_value;

struct pn_run_order {
	struct pn_strtab metrics, runs; /* "name\0unit"; texts; ids from 1 on */
	struct pn_run_value *values;	/* in order of reading */
	size_t count, cap;
};

void pn_run_order_release(struct pn_run_order *order);
/* A value was read of this metric, in this run. */
void pn_run_order_add(struct pn_run_order *order, const char *name,
		      const char *unit, const char *run);
/* Puts the values of the metrics that were read into that order. */
void pn_run_order_apply(const struct pn_run_order *order, struct pn_profile *p);

#endif
