/* What most commands begin with: the repository, its notes, a commit. */
#ifndef CMD_CONTEXT_H
#define CMD_CONTEXT_H

#include "base/error.h"
#include "opts.h"
#include "storage/lookup.h"
#include "storage/record.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

struct context {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_head head;
	struct pn_lookup lookup; /* of the above, for the wanted commit */
};

/*
 * Open the repository of the current folder and its notes. `rev` (NULL: HEAD)
 * is the commit that names refer to. Without `needed`, a folder outside of
 * any repository gives a context without one, unless `rev` asks for it.
 */
int open_context(struct context *out, const char *rev, bool needed,
		 struct pn_error *err);
void close_context(struct context *context);

/* perf.maxBodySize in bytes (git's k, m, g suffixes), else the default. */
int max_body_bytes(uint64_t *out, struct pn_repo *repo, struct pn_error *err);

/*
 * The facts of this machine as pairs for a record that has none of its own.
 * `machine` (NULL: GIT_PERF_MACHINE, then perf.machine) is the name given to
 * it.
 */
struct machine {
	struct pn_profile facts; /* owns the texts */
	struct pn_text_pair *pairs;
	size_t count;
};
int take_machine(struct machine *out, struct pn_repo *repo, const char *machine,
		 struct pn_error *err);
void release_machine(struct machine *machine);

/* "k=v" texts of a repeated option as pairs; the caller frees with
 * free_pairs. PN_EINVAL names the one without '='. */
int parse_pairs(struct pn_text_pair **out, size_t *count,
		const struct opt_list *texts, struct pn_error *err);
void free_pairs(struct pn_text_pair *pairs, size_t count);

/* An option, else the environment's variable, else the configuration's key,
 * whose text the caller frees; *option may stay NULL. */
int get_setting(const char **option, char **owned, struct pn_repo *repo,
		const char *variable, const char *key, struct pn_error *err);

#endif
