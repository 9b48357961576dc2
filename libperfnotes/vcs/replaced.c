/* git-replace(1): refs/replace/<id> names what is read in place of <id>. */
#include "vcs/replaced.h"

#include "base/buf.h"
#include "base/file.h"
#include "vcs/git.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BASE "refs/replace/"
#define STEPS_MAX 5		/* git's own limit */
#define PACKED_MAX (256u << 20) /* bytes of packed-refs */

struct pair {
	struct pn_oid object, with;
};

/* Most repositories have none, which is to cost them nothing. */
static bool may_have(const struct pn_repo *repo, const char *base)
{
	struct pn_buf path = {0}, text = {0};
	struct stat st;
	bool may;

	pn_buf_printf(&path, "%s/%s", repo->common_dir, base);
	may = !lstat(pn_buf_text(&path), &st);
	pn_buf_clear(&path);
	pn_buf_printf(&path, "%s/packed-refs", repo->common_dir);
	if (!may &&
	    !pn_file_read(&text, pn_buf_text(&path), PACKED_MAX, NULL) &&
	    text.len)
		may = strstr(pn_buf_text(&text), base) != NULL;
	pn_buf_release(&path);
	pn_buf_release(&text);
	return may;
}

static bool is_off(struct pn_repo *repo)
{
	char *value = NULL;
	int on = 1;

	if (getenv("GIT_NO_REPLACE_OBJECTS"))
		return true;
	if (!pn_repo_config(&value, repo, "core.useReplaceRefs", NULL) &&
	    value && git_config_parse_bool(&on, value))
		on = 1;
	free(value);
	return !on;
}

/* `a` and `b` begin with an id. */
static int compare(const void *a, const void *b)
{
	return memcmp(a, b, PN_OID_BYTES);
}

/* One may be symbolic, and be a tag's or a branch's, and lie in folders. */
static void add(struct pn_buf *out, git_reference *ref)
{
	const char *hex = pn_file_basename(git_reference_name(ref));
	git_reference *last = NULL;
	struct pair pair;

	if (strlen(hex) != PN_OID_HEX || pn_oid_parse(&pair.object, hex) ||
	    git_reference_resolve(&last, ref))
		return;
	pn_git_from(&pair.with, git_reference_target(last));
	git_reference_free(last);
	pn_buf_add(out, &pair, sizeof(pair));
}

static void read_refs(struct pn_buf *out, struct pn_repo *repo,
		      const char *base)
{
	git_reference_iterator *iter = NULL;
	git_reference *ref = NULL;
	struct pn_buf glob = {0};

	pn_buf_printf(&glob, "%s*", base);
	if (git_reference_iterator_glob_new(&iter, repo->git,
					    pn_buf_text(&glob)) < 0)
		iter = NULL;
	while (iter && !git_reference_next(&ref, iter)) {
		add(out, ref);
		git_reference_free(ref);
	}
	git_reference_iterator_free(iter);
	if (out->len)
		qsort(out->data, out->len / sizeof(struct pair),
		      sizeof(struct pair), compare);
	pn_buf_release(&glob);
}

static void load(struct pn_repo *repo)
{
	const char *given = getenv("GIT_REPLACE_REF_BASE");
	struct pn_buf base = {0};

	pn_buf_add_text(&base, given && *given ? given : BASE);
	if (base.data[base.len - 1] != '/')
		pn_buf_add_byte(&base, '/');
	if (may_have(repo, pn_buf_text(&base)) && !is_off(repo))
		read_refs(&repo->replaced, repo, pn_buf_text(&base));
	pn_buf_release(&base);
	repo->asked_replaced = true;
}

bool pn_replaced_any(struct pn_repo *repo)
{
	if (!repo->asked_replaced)
		load(repo);
	return repo->replaced.len > 0;
}

bool pn_replaced(struct pn_oid *with, struct pn_repo *repo,
		 const struct pn_oid *object)
{
	const struct pn_buf *all = &repo->replaced;
	const struct pair *found;
	struct pn_oid at = *object;
	int steps;

	*with = at;
	if (!pn_replaced_any(repo))
		return false;
	for (steps = 0; steps < STEPS_MAX; steps++) {
		found = bsearch(&at, all->data, all->len / sizeof(*found),
				sizeof(*found), compare);
		if (!found)
			break;
		at = found->with;
	}
	*with = at;
	return steps > 0;
}
