/* Refs of ours below one place. */
#include "vcs/ref/list.h"

#include "vcs/git.h"

#include <string.h>

int pn_refs_list(struct pn_buf *out, struct pn_repo *repo, const char *prefix,
		 size_t max, struct pn_error *err)
{
	git_reference_iterator *iter = NULL;
	struct pn_buf glob = {0};
	const char *name;
	size_t count = 0;
	int result;

	pn_buf_printf(&glob, "%s*", prefix);
	result = git_reference_iterator_glob_new(&iter, repo->git,
						 pn_buf_text(&glob));
	while (!result && count < max &&
	       !(result = git_reference_next_name(&name, iter))) {
		if (strncmp(name, prefix, strlen(prefix)) != 0)
			continue;
		pn_buf_add(out, name, strlen(name) + 1);
		count++;
	}
	git_reference_iterator_free(iter);
	pn_buf_release(&glob);
	if (result && result != GIT_ITEROVER)
		return pn_git_fail(err, PN_EIO, "cannot read refs '%s*'",
				   prefix);
	return 0;
}
