/* Packs of a commit that is still to come. */
#include "vcs/notes/parts.h"

#include "base/alloc.h"
#include "vcs/objects/pack.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void pn_parts_add(struct pn_parts *parts, const struct pn_pack *pack)
{
	parts->items = pn_grow(parts->items, &parts->cap, parts->count + 1,
			       sizeof(*parts->items));
	parts->items[parts->count++] = *pack;
}

int pn_parts_check(const struct pn_parts *parts, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < parts->count; i++)
		if (access(parts->items[i].path, F_OK))
			return pn_error_system(err, "cannot find '%s'",
					       parts->items[i].path);
	return 0;
}

static void release(struct pn_parts *parts,
		    void (*release_pack)(struct pn_pack *pack))
{
	size_t i;

	for (i = 0; i < parts->count; i++)
		release_pack(&parts->items[i]);
	free(parts->items);
	memset(parts, 0, sizeof(*parts));
}

int pn_parts_end(struct pn_parts *parts, struct pn_error *err)
{
	int code = pn_parts_check(parts, err);

	release(parts, pn_pack_release);
	return code;
}

void pn_parts_discard(struct pn_parts *parts)
{
	release(parts, pn_pack_discard);
}
