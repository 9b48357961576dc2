/* Inside of vcs/ only: object names to numbers. A zeroed struct is empty. */
#ifndef PN_VCS_OIDMAP_H
#define PN_VCS_OIDMAP_H

#include "base/oid.h"

#include <stddef.h>
#include <stdint.h>

#define PN_OIDMAP_NONE UINT32_MAX

struct pn_oidmap_slot {
	struct pn_oid key;
	uint32_t value; /* + 1; 0: free */
};

struct pn_oidmap {
	struct pn_oidmap_slot *slots;
	size_t slot_count, used; /* a power of two; at most half is used */
};

void pn_oidmap_release(struct pn_oidmap *map);
/* PN_OIDMAP_NONE when there is none. */
uint32_t pn_oidmap_find(const struct pn_oidmap *map, const struct pn_oid *key);
/* The key must not be there yet. */
void pn_oidmap_add(struct pn_oidmap *map, const struct pn_oid *key,
		   uint32_t value);

#endif
