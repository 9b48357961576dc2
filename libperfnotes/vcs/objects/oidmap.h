/* Inside of vcs/ only: object names, numbered as they come. A zeroed struct is
 * empty. */
#ifndef PN_OBJECTS_OIDMAP_H
#define PN_OBJECTS_OIDMAP_H

#include "base/oid.h"
#include "base/slots.h"

#define PN_OIDMAP_NONE UINT32_MAX

struct pn_oidmap {
	struct pn_oid *keys;
	size_t count, cap;
	struct pn_slots slots;
};

void pn_oidmap_release(struct pn_oidmap *map);
/* Its number, PN_OIDMAP_NONE when it is not there. */
uint32_t pn_oidmap_find(const struct pn_oidmap *map, const struct pn_oid *key);
/* The key must not be there yet; its number is how many were before it. */
void pn_oidmap_add(struct pn_oidmap *map, const struct pn_oid *key);

#endif
