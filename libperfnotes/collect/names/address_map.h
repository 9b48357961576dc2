/*
 * Code addresses of records as locations of a profile. Where the ELF file is
 * known, an address becomes the file's own (as objdump shows it): address
 * space randomization leaves no trace, processes and runs share locations, and
 * a history of profiles stays small.
 */
#ifndef PN_NAMES_ADDRESS_MAP_H
#define PN_NAMES_ADDRESS_MAP_H

#include "model/profile.h"
#include "runtime/record.h"

#include <stdint.h>

struct pn_address_map;

/* Mappings and locations are added to `profile`, which is borrowed. */
struct pn_address_map *pn_address_map_new(struct pn_profile *profile);
void pn_address_map_free(struct pn_address_map *map);

/* Another process: nothing is mapped yet. */
void pn_address_map_restart(struct pn_address_map *map);
/* From here on this is mapped, in place of what was there. `path` is "" for
 * memory of no file. */
void pn_address_map_add(struct pn_address_map *map,
			const struct pn_runtime_mapping *mapping,
			const char *path);
/*
 * The location of an address, the same one for equal places. For a caller
 * give an address inside of its call (the return address less 1), as
 * profile.proto wants it. An address of no mapping gets a location without.
 */
uint32_t pn_address_map_locate(struct pn_address_map *map, uint64_t address);

#endif
