/* What a project says of its metrics, and of Perun's checks for its series:
 * [metric "<name>"] and [detector "<name>"] of the job file. No
 * command stands there: it is read whether the file is trusted or not. */
#ifndef PN_JUDGE_GATES_H
#define PN_JUDGE_GATES_H

#include "analysis/judge/course.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "jobs/judge/detector_rules.h"
#include "vcs/repo.h"

#define PN_GATES_MAX 256 /* sections */
/* Of git's configuration: of what no section says a least effect. */
#define PN_GATES_EFFECT "perf.minEffect"

/* One section; what it does not say is as in struct pn_course_rule. */
struct pn_gate {
	const char *name; /* of metrics: a pattern as of a shell's files */
	enum pn_better better;
	struct pn_course_rule rule;
};

/* Zeroed before, released in any case. */
struct pn_gates {
	struct pn_arena arena;
	struct pn_gate *items; /* in the order of the file */
	size_t count;
	/* Least effects: perf.minEffect, of what no section says one of, and
	 * one over all that is said; 0: there is none. */
	double usual, asked;
	struct pn_detector_rules detectors;
};

/* The bytes of the file at the top of the work tree; none without one. */
int pn_gates_bytes(struct pn_buf *out, struct pn_repo *repo,
		   struct pn_error *err);
/* Of the file at the top of the work tree, if there is one, and of git's
 * configuration. PN_EINVAL names the file and the key. */
int pn_gates_read(struct pn_gates *out, struct pn_repo *repo,
		  struct pn_error *err);
/* The same of what `git config -lz` prints; other sections are passed over. */
int pn_gates_parse(struct pn_gates *out, const char *list, size_t len,
		   struct pn_error *err);
/* An effect that counts, as the file has it: above 0. */
int pn_gates_effect(double *out, const char *text, struct pn_error *err);
void pn_gates_release(struct pn_gates *gates);

/* Whether a section is about a metric: it was asked for by name then. */
bool pn_gates_name(const struct pn_gates *gates, const char *metric);
/* Give courses what all sections say that fit, the later ones over those
 * before. */
void pn_gates_apply(const struct pn_gates *gates, struct pn_courses *courses);

#endif
