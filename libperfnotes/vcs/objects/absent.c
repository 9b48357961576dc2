/* What no index of a pack names and no file is. */
#include "vcs/objects/absent.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/objects/pack.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WORTH_A_LOOK 32 /* objects */
#define OWN_BACKENDS 2	/* of libgit2: loose objects and packs of one folder */
/* One that is not there has nothing in it. */
static bool can_be_listed(const char *path)
{
	DIR *dir = opendir(path);

	if (!dir)
		return errno == ENOENT;
	closedir(dir);
	return true;
}

static bool map_all(struct pn_absent *absent, const char *dir)
{
	struct pn_pack_names names = {0};
	struct pn_buf path = {0};
	bool known = can_be_listed(dir);
	size_t i;

	if (known)
		pn_pack_names_read(&names, dir, "");
	for (i = 0; known && i < names.count; i++) {
		if (!pn_file_ends_with(names.items[i], ".idx"))
			continue;
		absent->packs =
			pn_grow(absent->packs, &absent->cap, absent->count + 1,
				sizeof(*absent->packs));
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/%s", dir, names.items[i]);
		known = pn_pack_index_open(&absent->packs[absent->count],
					   pn_buf_text(&path));
		absent->count += known;
	}
	pn_pack_names_release(&names);
	pn_buf_release(&path);
	return known;
}

void pn_absent_open(struct pn_absent *out, struct pn_repo *repo, size_t asked)
{
	struct pn_absent absent = {0};
	struct pn_buf dir = {0};

	if (asked >= WORTH_A_LOOK && repo->common_dir &&
	    git_odb_num_backends(repo->odb) == OWN_BACKENDS) {
		pn_buf_printf(&dir, "%s/objects/pack", repo->common_dir);
		absent.known = map_all(&absent, pn_buf_text(&dir));
	}
	pn_buf_release(&dir);
	*out = absent;
}

void pn_absent_release(struct pn_absent *absent)
{
	size_t i;

	for (i = 0; i < absent->count; i++)
		pn_pack_index_close(&absent->packs[i]);
	free(absent->packs);
	memset(absent, 0, sizeof(*absent));
}

bool pn_absent_is(const struct pn_absent *absent, struct pn_repo *repo,
		  const struct pn_oid *id)
{
	uint32_t row;
	size_t i;

	if (!absent->known)
		return false;
	/* behind a damaged one others may look, too */
	for (i = 0; i < absent->count; i++)
		if (pn_pack_index_find(&row, &absent->packs[i], id))
			return false;
	return !pn_loose_may_be(repo, id);
}
