/* What is to be kept: pure, but for the names of policies. */
#ifndef PN_RETAIN_POLICY_H
#define PN_RETAIN_POLICY_H

#include "base/error.h"
#include "base/oid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_retain_policy {
	int64_t last; /* newest measured commits; 0: not asked for */
	bool tagged, daily, weekly, monthly;
	int64_t body_days; /* bodies of so many days; -1: all */
	bool absent;	   /* what vanished goes though it is not here */
};

/* Why a measured commit goes or stays. */
enum pn_retain_why {
	PN_RETAIN_STAYS,
	PN_RETAIN_VANISHED, /* no ref leads to it any more */
	PN_RETAIN_LEFT_OUT  /* no policy names it */
};

/* A commit that has records. There may be millions. */
struct pn_retain_commit {
	struct pn_oid id;
	uint32_t profiles; /* of its records */
	uint32_t order;	   /* in HEAD's past: children have less than parents */
	bool reached : 1;  /* some ref or reflog leads to it */
	bool in_past : 1;  /* HEAD does */
	bool rewritten : 1; /* none does, but to a commit of its tree or
			     * change */
	bool absent : 1;    /* from here: what became of it cannot be told */
	bool unsure : 1;    /* stays for that alone */
	bool tagged : 1;
	bool named : 1;	   /* by an acceptance, a change point or a line of kind
			    * `keep`: stays whole */
	bool old_body : 1; /* has one of which the figures would do */
	enum pn_retain_why why : 8;
	int64_t time_s;	   /* committer's; of the newest record where unknown */
	int64_t newest_ns; /* registration of its newest record */
};

/* "last:<n>", "tagged", "daily", "weekly" or "monthly"; several calls unite.
 * PN_EINVAL, which can be asked for before. */
int pn_retain_policy_check(const char *text, struct pn_error *err);
int pn_retain_policy_add(struct pn_retain_policy *policy, const char *text,
			 struct pn_error *err);
/* Whether some commits are asked for; else all are kept that did not vanish. */
bool pn_retain_policy_is_set(const struct pn_retain_policy *policy);

/*
 * Fill in `why` and `unsure`. Policies thin the past of HEAD, where the change
 * points are known; there only commits with profiles count, and stays what a
 * policy or `named` says. Of equal times the newer is the one whose `order` is
 * less, and the one where it is least is the newest whatever its time. Of those
 * that nothing leads to, and that were not rewritten, stays what is named or
 * has a record from `young_ns` on, and what is absent where the policy does not
 * say otherwise.
 */
void pn_retain_choose(struct pn_retain_commit *commits, size_t count,
		      const struct pn_retain_policy *policy, int64_t young_ns);

#endif
