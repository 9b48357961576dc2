/*
 * How quiet the machine was while something was measured: a fact of a profile
 * (`quiet` of its environment), by which a noisy record can be told. Pure.
 */
#ifndef PN_MACHINE_QUIET_H
#define PN_MACHINE_QUIET_H

#include "base/buf.h"

#include <stdbool.h>

/* The fact's key, and where an index line has it. */
#define PN_QUIET_KEY "quiet"
#define PN_QUIET_FIELD "e." PN_QUIET_KEY

/* Above these a record is noisy. */
#define PN_QUIET_OTHERS 0.25	  /* of the machine, by other programs */
#define PN_QUIET_OTHERS_FULL 0.10 /* when no processor is left idle */
#define PN_QUIET_IDLE 0.05	  /* below it none is left */
#define PN_QUIET_STEAL 0.05	  /* of the machine, by its host */
/* Involuntary switches a second of processor time: a competitor on the same
 * processor makes some 250 (Linux's scheduler gives turns of 3 to 4 ms). Only
 * where `others` is unknown, as threads of one program compete, too. */
#define PN_QUIET_SWITCHES 100

/* NaN: unknown. Shares are of all the machine's processors' time. */
struct pn_quiet {
	double others;	 /* share that other programs used */
	double idle;	 /* share that nobody used */
	double steal;	 /* share that the host of a virtual machine took */
	double switches; /* involuntary, a second of processor time */
	double load;	 /* of the last minute, at the end */
	double mhz;	 /* mean clock frequency, at the end */
	double nice;	 /* of what was measured; NaN is 0 */
};

void pn_quiet_init(struct pn_quiet *quiet);

/* "others:0.03,idle:0.5,steal:0,switches:12,load:0.4,mhz:2100": what is known;
 * shares to a hundredth. */
void pn_quiet_write(struct pn_buf *out, const struct pn_quiet *quiet);
/* What is not understood is passed over; false when nothing was. */
bool pn_quiet_parse(struct pn_quiet *out, const char *text);

bool pn_quiet_is_noisy(const struct pn_quiet *quiet);
/* Why, in words: "other programs used 62 % of the machine"; nothing when it is
 * not noisy. */
void pn_quiet_reason(struct pn_buf *out, const struct pn_quiet *quiet);

/*
 * How many times its processor time a program that only computes may take here,
 * where `load` others want to run on `processors`: each has its turn (a nice
 * value weighs 1.25 times less a step, sched(7)), after what the host takes. 1
 * on an idle machine; NaN where the load is not known.
 */
double pn_quiet_stretch(const struct pn_quiet *quiet, double load,
			double processors);

/* Of the text of such a fact, "" where there is none: what is not known to be
 * noisy is not. */
bool pn_quiet_text_is_noisy(const char *text);

#endif
