/* What a command line asks to be duelled, made ready: the trusted job file of
 * the present checkout, which counts at both commits, and the two commits. */
#ifndef PN_DUEL_REQUEST_H
#define PN_DUEL_REQUEST_H

#include "jobs/duel/duels.h"
#include "jobs/duel/suspect.h"
#include "jobs/judge/ends.h"

/* `repo` to `options` are the caller's to fill in but for the two commits;
 * `machine` of the options may be NULL. The rest is zeroed. */
struct pn_duel_request {
	struct pn_repo *repo;
	const char *config; /* a job file that was named, or NULL */
	/* As pn_judge_ends_find has two; one name is the base of HEAD, and none
	 * says HEAD and its first parent. */
	const char *const *names;
	size_t name_count;
	bool same; /* HEAD, or the one that is named, with itself */
	struct pn_duels_options options;

	struct pn_judge_ends ends;
	struct pn_matrix matrix;
	char *machine; /* from the configuration */
	struct pn_duel_suspicions suspicions;
	bool left_changes; /* the work tree has some that are not measured */
	struct pn_duels *duels;
};

/* Nothing is built or run but generators of workloads. On failure it is to be
 * closed, too. PN_EREFUSED: the job file is not trusted. */
int pn_duel_request_open(struct pn_duel_request *request, struct pn_error *err);
/* With its duels and their worktrees. */
int pn_duel_request_close(struct pn_duel_request *request,
			  struct pn_error *err);

#endif
