/*
 * Which of Perun's checks judge which series: [detector "<name>"] of the job
 * file, with patterns of jobs and collectors. No command stands there: it is
 * read whether the file is trusted or not.
 */
#ifndef PN_JUDGE_DETECTOR_RULES_H
#define PN_JUDGE_DETECTOR_RULES_H

#include "analysis/checks/detector.h"
#include "base/arena.h"
#include "base/error.h"
#include "model/series.h"

#include <stddef.h>

#define PN_DETECTOR_RULES "rules"   /* in the place of a detector's name */
#define PN_DETECTOR_RULES_MAX 64    /* sections: a name each */
#define PN_DETECTOR_PATTERNS_MAX 64 /* of one key of one section */

struct pn_detector_patterns {
	const char **items; /* as of a shell's files; none: all fit */
	size_t count;
};

struct pn_detector_rule {
	const struct pn_detector *detector;
	struct pn_detector_patterns jobs, collectors;
};

/* Zeroed before; texts and items are in the caller's arena. */
struct pn_detector_rules {
	struct pn_detector_rule *items; /* in the order of the file */
	size_t count;
};

/* One line of the file: `name` (len bytes) is the section's, `value` may be
 * NULL. PN_EINVAL, PN_ELIMIT. */
int pn_detector_rules_take(struct pn_detector_rules *rules,
			   struct pn_arena *arena, const char *name, size_t len,
			   const char *key, const char *value,
			   struct pn_error *err);
bool pn_detector_rule_fits(const struct pn_detector_rule *rule,
			   const struct pn_series *series);

/* Names of detectors, and what stands for those of the file. */
void pn_detector_rules_names(struct pn_buf *out, const char *between);

#endif
