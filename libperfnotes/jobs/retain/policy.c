/* What is to be kept. */
#define _GNU_SOURCE /* gmtime_r */
#include "jobs/retain/policy.h"

#include "base/alloc.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAY_S 86400

int pn_retain_policy_add(struct pn_retain_policy *policy, const char *text,
			 struct pn_error *err)
{
	uint64_t n = 0;

	if (!strncmp(text, "last:", 5) &&
	    pn_number_uint(&n, text + 5, strlen(text + 5)) && n &&
	    n < INT64_MAX)
		policy->last =
			policy->last > (int64_t)n ? policy->last : (int64_t)n;
	else if (!strcmp(text, "tagged"))
		policy->tagged = true;
	else if (!strcmp(text, "daily"))
		policy->daily = true;
	else if (!strcmp(text, "weekly"))
		policy->weekly = true;
	else if (!strcmp(text, "monthly"))
		policy->monthly = true;
	else
		return pn_error_set(err, PN_EINVAL,
				    "no policy '%s': need last:<n>, tagged, "
				    "daily, weekly or monthly",
				    text);
	return 0;
}

int pn_retain_policy_check(const char *text, struct pn_error *err)
{
	struct pn_retain_policy policy = {0};

	return pn_retain_policy_add(&policy, text, err);
}

bool pn_retain_policy_is_set(const struct pn_retain_policy *p)
{
	return p->last || p->tagged || p->daily || p->weekly || p->monthly;
}

static int by_order(const void *a, const void *b)
{
	const struct pn_retain_commit *const *x = a, *const *y = b;

	return (*x)->order < (*y)->order ? -1 : (*x)->order > (*y)->order;
}

static int newest_first(const void *a, const void *b)
{
	const struct pn_retain_commit *const *x = a, *const *y = b;

	if ((*x)->time_s != (*y)->time_s)
		return (*x)->time_s < (*y)->time_s ? 1 : -1;
	return by_order(a, b);
}

/* Days, weeks from Monday on and months of UTC, numbered. */
static int64_t day_of(int64_t time_s)
{
	return time_s / DAY_S - (time_s % DAY_S < 0);
}

static int64_t week_of(int64_t time_s)
{
	int64_t day = day_of(time_s) + 3; /* 1970 began with a Thursday */

	return day / 7 - (day % 7 < 0);
}

static int64_t month_of(int64_t time_s)
{
	time_t time = (time_t)time_s;
	struct tm tm;

	if (!gmtime_r(&time, &tm))
		return 0;
	return (int64_t)tm.tm_year * 12 + tm.tm_mon;
}

/* The newest of each span stays; `list` has the newest first. */
static void keep_one_each(struct pn_retain_commit *const *list, size_t count,
			  int64_t (*span)(int64_t))
{
	int64_t last = 0, now;
	size_t i;

	for (i = 0; i < count; i++) {
		now = span(list[i]->time_s);
		if (!i || now != last)
			list[i]->why = PN_RETAIN_STAYS;
		last = now;
	}
}

static void keep_by_policy(struct pn_retain_commit **list, size_t count,
			   const struct pn_retain_policy *p)
{
	size_t i;

	qsort(list, count, sizeof(*list), by_order);
	if (count && (p->daily || p->weekly || p->monthly))
		list[0]->why = PN_RETAIN_STAYS;
	for (i = 0; i < count; i++)
		if ((int64_t)i < p->last || (p->tagged && list[i]->tagged) ||
		    list[i]->named)
			list[i]->why = PN_RETAIN_STAYS;
	qsort(list, count, sizeof(*list), newest_first);
	if (p->daily)
		keep_one_each(list, count, day_of);
	if (p->weekly)
		keep_one_each(list, count, week_of);
	if (p->monthly)
		keep_one_each(list, count, month_of);
}

void pn_retain_choose(struct pn_retain_commit *commits, size_t count,
		      const struct pn_retain_policy *policy, int64_t young_ns)
{
	struct pn_retain_commit **list = pn_calloc(count + 1, sizeof(*list));
	bool set = pn_retain_policy_is_set(policy);
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		struct pn_retain_commit *c = &commits[i];

		c->why = PN_RETAIN_STAYS;
		if (!c->reached && !c->rewritten && !c->named &&
		    c->newest_ns < young_ns) {
			c->unsure = c->absent && !policy->absent;
			if (!c->unsure)
				c->why = PN_RETAIN_VANISHED;
		}
		if (!set || !c->in_past || !c->profiles)
			continue;
		c->why = PN_RETAIN_LEFT_OUT;
		list[n++] = c;
	}
	if (set)
		keep_by_policy(list, n, policy);
	free(list);
}
