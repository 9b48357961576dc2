/*
 * Events: when samples were taken, in which thread, in the order in which the
 * input has them. Samples of one stack are one row whose values are added up;
 * its events say when each of them was, for timelines and flame charts. They
 * have no values, so nothing that adds up asks for them.
 *
 * Events are of one run: a merge of several profiles that have any has none.
 */
#ifndef PN_TIMELINE_EVENTS_H
#define PN_TIMELINE_EVENTS_H

#include "model/profile.h"

void pn_events_add(struct pn_profile *p, const struct pn_event *event);
/* Each returns the new index; nothing is looked for. */
uint32_t pn_events_add_process(struct pn_profile *p, uint32_t id,
			       uint32_t name);
uint32_t pn_events_add_thread(struct pn_profile *p, uint32_t process,
			      uint32_t id, uint32_t name);
/* A time in so many nanoseconds; false where that is beyond 64 bits. */
bool pn_events_ns(int64_t *out, double time, double unit_ns);

/* Those of stacks that `stays` is not 0 for; NULL: none. */
void pn_events_keep(struct pn_profile *p, const unsigned char *stays);
/* No events, threads and processes any more. */
void pn_events_clear(struct pn_profile *p);
/* PN_EINVAL as pn_profile_check says it. */
int pn_events_check(const struct pn_profile *p, struct pn_error *err);

#endif
