/* Ends of ranges. */
#include "jobs/functions/ends.h"

#include "base/alloc.h"
#include "vcs/walk/touched.h"

#include <stdlib.h>
#include <string.h>

int pn_range_ends(struct pn_oid *base, struct pn_oid *target,
		  struct pn_repo *repo, const char *asked, struct pn_error *err)
{
	const char *range = asked ? asked : "HEAD", *dots;
	struct pn_commit_facts facts;
	struct pn_oid other;
	char *left;
	int code;

	dots = strstr(range, "..");
	if (!dots) {
		code = pn_repo_resolve(base, repo, range, err);
		if (code || !asked)
			return code;
		*target = *base;
		code = pn_repo_commit_facts(&facts, repo, base, err);
		if (!code && !facts.parent_count)
			code = pn_error_set(err, PN_EINVAL,
					    "'%s' has no parent that it "
					    "changes",
					    range);
		*base = facts.first_parent;
		return code;
	}
	left = pn_strndup(range, (size_t)(dots - range));
	dots += 2 + (dots[2] == '.');
	code = pn_repo_resolve(base, repo, *left ? left : "HEAD", err);
	if (!code)
		code = pn_repo_resolve(target, repo, *dots ? dots : "HEAD",
				       err);
	if (!code && dots[-1] == '.' && dots[-2] == '.' && dots[-3] == '.' &&
	    dots - range > 2) {
		code = pn_touched_base(&other, repo, base, target, err);
		if (!code && pn_oid_is_zero(&other))
			code = pn_error_set(err, PN_EINVAL,
					    "'%s' has no common ancestor",
					    range);
		*base = other;
	}
	free(left);
	return code;
}
