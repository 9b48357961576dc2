/*
 * Postprocessors: a profile and options in, the profile with what was made of
 * it out: models in its header, or other values and labels. One file each
 * exports one const struct pn_postprocessor; postprocess.c is the table. They
 * are those of Perun (perun.postprocess), whose defects are named where a
 * formula differs on purpose.
 */
#ifndef PN_POST_POSTPROCESS_H
#define PN_POST_POSTPROCESS_H

#include "analysis/post/points.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "model/option.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_POST_MAX_SETTINGS 64 /* of one; a person wrote them */
#define PN_POST_MAX_NOTES 20	/* kept; the others are counted */

struct pn_post_setting {
	const char *key, *value;
};

struct pn_postprocessor;

/* One to apply, with its settings. Borrowed texts. */
struct pn_post {
	const struct pn_postprocessor *with;
	const struct pn_post_setting *settings;
	size_t setting_count;
};

/* What could not be modelled and why, a line each. */
struct pn_post_notes {
	struct pn_arena arena;
	const char *lines[PN_POST_MAX_NOTES];
	size_t count; /* of all, those that are not kept too */
};

struct pn_postprocessor {
	const char *name;    /* "regression-analysis" */
	const char *key;     /* as a profile says it: "regression_analysis" */
	const char *summary; /* a few words */
	/* Ends with a zeroed one. */
	const struct pn_option *options;
	/* Whether the values of the settings can be right. */
	int (*check)(const struct pn_post *post, struct pn_error *err);
	/*
	 * Apply it. The settings were checked; `params` is an open object for
	 * those that hold, defaults too. On failure the profile is as it
	 * was. PN_EINVAL, PN_ENOTFOUND: the profile is no subject
	 * for it.
	 */
	int (*apply)(struct pn_profile *profile, const struct pn_post *post,
		     struct pn_json_writer *params, struct pn_post_notes *notes,
		     struct pn_error *err);
};

/* NULL-terminated; the first one is the default of `git perf model`. */
extern const struct pn_postprocessor *const pn_postprocessors[];
/* Them with their options, to be listed; the caller frees. */
struct pn_with_options *pn_post_rows(size_t *count);

/* Append the names, with `between` between two. */
void pn_post_names(struct pn_buf *out, const char *between);
/* The same of the keys of all options, each with its "=". */
void pn_post_keys(struct pn_buf *out, const char *between);
/* By name, '_' and '-' being one; NULL: PN_ENOTFOUND lists the names. */
const struct pn_postprocessor *pn_post_find(const char *name,
					    struct pn_error *err);

/*
 * From words: a name, then settings as "key=value" or "--key=value". `words`
 * is NULL-terminated; texts are copied into `arena`. Checks everything that
 * can be checked without a profile; messages name postprocessor and key.
 */
int pn_post_parse(struct pn_post *out, struct pn_arena *arena,
		  const char *const *words, struct pn_error *err);
/* Whether the postprocessor has these settings and their values can be right.
 */
int pn_post_check(const struct pn_post *post, struct pn_error *err);

/* Apply it and append it to the profile's postprocessors. */
int pn_post_apply(struct pn_profile *profile, const struct pn_post *post,
		  struct pn_post_notes *notes, struct pn_error *err);

void pn_post_notes_release(struct pn_post_notes *notes);

/*
 * For postprocessors: a setting (the last one given), its default where it is
 * absent. Messages name the key.
 */
const char *pn_post_text(const struct pn_post *post, const char *key,
			 const char *absent);
/* Index of the text in `names` (NULL-terminated). */
int pn_post_choice(size_t *out, const struct pn_post *post, const char *key,
		   const char *const *names, size_t absent,
		   struct pn_error *err);
/* *out is left as it is where the setting is absent. */
int pn_post_count(uint64_t *out, const struct pn_post *post, const char *key,
		  uint64_t least, uint64_t most, struct pn_error *err);
/* A number above `least`, or `least` itself with `or_equal`. */
int pn_post_number(double *out, const struct pn_post *post, const char *key,
		   double least, bool or_equal, struct pn_error *err);
/*
 * The points that a model is of, in the order of x, by the settings "of" and
 * "depending-on" (analysis/post/points.h), which are put into `params`; what
 * has to be left out is noted.
 */
int pn_post_points(struct pn_points_list *out, const struct pn_profile *profile,
		   const struct pn_post *post, struct pn_json_writer *params,
		   struct pn_post_notes *notes, struct pn_error *err);

/* What makes a model of the points of each function. */
struct pn_post_each {
	const void *settings; /* handed to both */
	void (*write_params)(struct pn_json_writer *params,
			     const void *settings);
	void (*add)(struct pn_profile *profile, const struct pn_points *points,
		    const struct pn_points_list *list, const void *settings,
		    struct pn_post_notes *notes);
};

/* All points, one function after the other. */
int pn_post_each_points(struct pn_profile *profile, const struct pn_post *post,
			struct pn_json_writer *params,
			struct pn_post_notes *notes,
			const struct pn_post_each *each, struct pn_error *err);
/* The value type of samples that the setting "of" names, with or without its
 * unit; else "amount", else the default one. PN_ENOTFOUND lists those there
 * are. */
int pn_post_column(size_t *out, const struct pn_profile *profile,
		   const struct pn_post *post, struct pn_error *err);
void pn_post_note(struct pn_post_notes *notes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
