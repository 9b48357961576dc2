/* What a person should know before trusting a measurement. */
#ifndef PN_MODEL_DOUBT_H
#define PN_MODEL_DOUBT_H

enum pn_doubt_kind {
	PN_DOUBT_SLOW_FIRST, /* the first run stands out: caches were cold */
	PN_DOUBT_OUTLIERS,   /* value: how many others stand out */
	PN_DOUBT_TOO_SHORT,  /* value: median in ns, too short for a shell */
	PN_DOUBT_FAILED,     /* value: runs whose status was not 0 */
	PN_DOUBT_WIDE,	     /* value: half width reached, share of median */
	PN_DOUBT_LOST,	     /* value: events that could not be recorded */
	PN_DOUBT_ABSENT,     /* value: events that the machine has not */
	PN_DOUBT_KINDS	     /* how many there are */
};

struct pn_doubt {
	enum pn_doubt_kind kind;
	double value;
};

/* "slow-first", ...: for programs. */
const char *pn_doubt_name(enum pn_doubt_kind kind);

#endif
