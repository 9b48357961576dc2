/* Walks over commits as text, beside git log's own. */
#ifndef TESTS_UNIT_VCS_WALK_WALKED_H
#define TESTS_UNIT_VCS_WALK_WALKED_H

#include "notes_scratch.h"

#include "base/alloc.h"
#include "vcs/walk/history.h"

/* What the walk gives, one line a commit, as
 * `--format='%H %T %at %P|%aN|%aE|%s'` has it. */
UNUSED_IN_SOME static char *walk(struct scratch *s, const char *const *args,
				 bool drawn)
{
	struct pn_repo *repo = open_repo(s);
	struct pn_history *history;
	struct pn_commit commit;
	struct pn_buf text = {0};
	struct pn_error err;
	char hex[PN_OID_HEX + 1];
	size_t i;
	int more;

	if ((drawn ? pn_history_open_drawn : pn_history_open)(&history, repo,
							      args, &err))
		fail_msg("%s", err.message);
	while ((more = pn_history_next(&commit, history, &err)) > 0) {
		assert_int_equal(commit.above && commit.beside, drawn);
		pn_oid_hex(hex, &commit.id);
		pn_buf_printf(&text, "%s ", hex);
		pn_oid_hex(hex, &commit.tree);
		pn_buf_printf(&text, "%s %lld ", hex,
			      (long long)commit.author_time_s);
		for (i = 0; i < commit.parent_count; i++) {
			pn_oid_hex(hex, &commit.parents[i]);
			pn_buf_printf(&text, i ? " %s" : "%s", hex);
		}
		pn_buf_printf(&text, "|%s|%s|%s\n", commit.author, commit.email,
			      commit.subject);
	}
	if (more < 0)
		fail_msg("%s", err.message);
	assert_int_equal(pn_history_next(&commit, history, &err), 0);
	pn_history_free(history);
	pn_repo_free(repo);
	pn_buf_add(&text, "", 0);
	return pn_buf_detach(&text);
}

/* `order`: options that git log needs for the same. */
UNUSED_IN_SOME static void same_as_git(struct scratch *s,
				       const char *const *args, bool drawn,
				       const char *order)
{
	struct pn_buf quoted = {0};
	char *own, *git;
	size_t i;

	for (i = 0; args[i]; i++)
		pn_buf_printf(&quoted, " '%s'", args[i]);
	own = walk(s, args, drawn);
	git = scratch_sh(s,
			 "git log -s --format='%%H %%T %%at "
			 "%%P|%%aN|%%aE|%%s' %s %s",
			 order, pn_buf_text(&quoted));
	assert_string_equal(own, git);
	free(own);
	free(git);
	pn_buf_release(&quoted);
}

#endif
