/* Which commit is judged, and beside what. */
#include "jobs/judge/ends.h"

#include "vcs/walk/reach.h"

#include <string.h>

static int find_target(struct pn_judge_ends *out, struct pn_repo *repo,
		       const char *rev, struct pn_error *err)
{
	out->target_rev = rev;
	return pn_repo_resolve(&out->target, repo, rev, err);
}

static int find_base(struct pn_judge_ends *out, struct pn_repo *repo,
		     const char *rev, struct pn_error *err)
{
	out->base_rev = rev;
	return pn_repo_resolve(&out->base, repo, rev, err);
}

static const char *or_head(struct pn_arena *arena, const char *text, size_t len)
{
	return len ? pn_arena_copy(arena, text, len) : "HEAD";
}

/* A branch and where it left another one. */
static int find_range(struct pn_judge_ends *out, struct pn_repo *repo,
		      const char *range, const char *dots, struct pn_error *err)
{
	const char *end = dots + (dots[2] == '.' ? 3 : 2);
	const char *from = or_head(&out->arena, range, (size_t)(dots - range));
	const char *to = or_head(&out->arena, end, strlen(end));
	struct pn_oid common;
	int code = find_target(out, repo, to, err);

	if (!code)
		code = find_base(out, repo, from, err);
	if (!code)
		code = pn_reach_common(&common, repo, &out->base, &out->target,
				       err);
	else
		return code;
	if (!code)
		return pn_error_set(err, PN_EINVAL,
				    "'%s' and '%s' have no commit in common",
				    from, to);
	if (code < 0)
		return code;
	out->base = common;
	if (pn_oid_equal(&common, &out->target))
		return pn_error_set(err, PN_EINVAL,
				    "'%s' has no commit that '%s' has not: "
				    "nothing to judge",
				    to, from);
	return 0;
}

int pn_judge_ends_find(struct pn_judge_ends *out, struct pn_repo *repo,
		       const char *const *names, size_t count,
		       const char *against, struct pn_error *err)
{
	const char *dots = count == 1 ? strstr(names[0], "..") : NULL;
	int code;

	if (dots && against)
		return pn_error_set(err, PN_EINVAL,
				    "a range has a base: need a commit beside "
				    "--against");
	if (dots)
		return find_range(out, repo, names[0], dots, err);
	code = find_target(out, repo, count ? names[count - 1] : "HEAD", err);
	if (!code && against)
		code = find_base(out, repo, against, err);
	if (!code && count == 2)
		code = find_base(out, repo, names[0], err);
	out->pair = count == 2;
	return code;
}
