/*
 * Counters of a trace ("ph":"C"): each member of their args that is a number
 * is a series of its own. "Trace Event Format", "Counter Events".
 */
#ifndef PN_V8_CHROME_COUNTERS_H
#define PN_V8_CHROME_COUNTERS_H

#include "base/json/json.h"
#include "codec/counters.h"
#include "codec/v8/chrome_cpu.h"

struct pn_chrome_arg {
	size_t key; /* where it begins in `keys` */
	double value;
};

struct pn_chrome_counters {
	struct pn_counters counters;
	/* of the event that is read */
	struct pn_buf keys; /* each with a NUL */
	struct pn_chrome_arg *args;
	size_t arg_count, arg_cap;
};

/* What a counter is of; strings as they are in the file. */
struct pn_chrome_counter {
	const struct pn_buf *process, *id;
	const char *name;
	double us;
};

void pn_chrome_counters_release(struct pn_chrome_counters *c);
/* The args of an event that may be a counter, behind their '{': numbers are
 * kept until the next event, the others are V8's. */
int pn_chrome_counters_take(struct pn_chrome_counters *c,
			    struct pn_chrome_cpu *cpu, struct pn_json *json,
			    struct pn_error *err);
/* The event was a counter. */
void pn_chrome_counters_add(struct pn_chrome_counters *c,
			    const struct pn_chrome_counter *of);

#endif
