/* What the environment and the configuration say of measuring and storing. */
#ifndef PN_JOBS_SETTINGS_H
#define PN_JOBS_SETTINGS_H

#include "base/error.h"
#include "model/profile.h"
#include "storage/record.h"
#include "vcs/repo.h"

#include <stddef.h>
#include <stdint.h>

/* An option, else the environment's variable, else the configuration's key,
 * whose text the caller frees; *option may stay NULL. Where there is no
 * repository (NULL) there is no configuration. */
int pn_setting_find(const char **option, char **owned, struct pn_repo *repo,
		    const char *variable, const char *key,
		    struct pn_error *err);

/* GIT_PERF_RUNS or perf.runs, a whole number of at least 1; *out stays as it is
 * where neither is set. */
int pn_setting_runs(int64_t *out, struct pn_repo *repo, struct pn_error *err);

/* Whether a variable of the environment is set, and not to what means no: some
 * CI systems set CI to that. */
bool pn_setting_is_on(const char *variable);

/* perf.maxBodySize in bytes (git's k, m, g suffixes), else, or without a
 * repository (NULL), the default. */
int pn_setting_body_bytes(uint64_t *out, struct pn_repo *repo,
			  struct pn_error *err);

/* "key=value" texts of a repeated option as pairs, to be freed; values are
 * borrowed. PN_EINVAL names the one without '='. */
int pn_setting_pairs(struct pn_text_pair **out, size_t *count,
		     const char *const *texts, size_t text_count,
		     struct pn_error *err);
void pn_setting_pairs_free(struct pn_text_pair *pairs, size_t count);

/*
 * The facts of this machine as pairs for a record that has none of its own.
 * `machine` (NULL: GIT_PERF_MACHINE, then perf.machine) is the name given to
 * it.
 */
struct pn_machine {
	struct pn_profile facts; /* owns the texts */
	struct pn_text_pair *pairs;
	size_t count;
};
int pn_machine_take(struct pn_machine *out, struct pn_repo *repo,
		    const char *machine, struct pn_error *err);
void pn_machine_release(struct pn_machine *machine);

#endif
