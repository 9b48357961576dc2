/* The profiles of both sides of a row: of the commit that is checked, and of
 * the one that it is seen beside. */
#ifndef PN_JUDGE_SIDES_H
#define PN_JUDGE_SIDES_H

#include "analysis/judge/judge.h"
#include "base/arena.h"
#include "model/profile.h"
#include "storage/body_fetch.h"
#include "storage/series_at.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* Zeroed before, but for the first two. */
struct pn_judge_sides {
	struct pn_repo *repo;
	struct pn_notes *notes;
	const struct pn_judge_row *row;
	struct pn_oid commits[2]; /* the one beside it, the one checked */
	/* What is stored of them, in the caller's arena. */
	const struct pn_series_records *series[2];
	size_t counts[2];
};

/* Of a row; false: there is no commit beside it, or notes cannot be read. */
bool pn_judge_sides_find(struct pn_judge_sides *sides, struct pn_arena *arena,
			 const struct pn_judge_report *report,
			 const struct pn_judge_row *row);
/*
 * What `collector` left of the row's job on both sides. False: not both are
 * there, can be read and have functions. Else `of` are to be released; costs
 * that can tell about the row's metric are those of *type (NULL: the default
 * one), *fits: there are some.
 */
bool pn_judge_sides_load(struct pn_profile of[2], const char **type, bool *fits,
			 const struct pn_judge_sides *sides,
			 const char *collector);

/* Whether a series is of the row's job. */
bool pn_judge_sides_same_job(const struct pn_judge_sides *sides,
			     const struct pn_series *series);
/* Their bodies are needed: those of the collector, or of all (NULL). */
void pn_judge_sides_want(struct pn_bodies_wanted *wanted,
			 const struct pn_judge_sides *sides,
			 const char *collector);

/* The number of the commit that a change is seen beside: the newest that was
 * measured before what may have made it. SIZE_MAX: there is none. */
size_t pn_judge_sides_base(const struct pn_judge_row *row);

#endif
