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

/* A commit that has records. */
struct pn_retain_commit {
	struct pn_oid id;
	int64_t time_s;	   /* committer's; of the newest record where unknown */
	size_t profiles;   /* of its records */
	int64_t newest_ns; /* registration of its newest record */
	bool reached;	   /* some ref or reflog leads to it */
	bool in_past;	   /* HEAD does */
	size_t order;	   /* there; children have less than parents */
	bool rewritten; /* none does, but to a commit of its tree or change */
	bool absent;	/* from here: what became of it cannot be told */
	bool unsure;	/* stays for that alone */
	bool tagged;
	bool named; /* by an acceptance, a change point or a line of kind
		     * `keep`: stays whole */
	enum pn_retain_why why;
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
