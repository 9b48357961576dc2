/*
 * Code addresses of records as locations of a profile. Where the ELF file is
 * known, an address becomes the file's own (as objdump shows it): address
 * space randomization leaves no trace, processes and runs share locations, and
 * a history of profiles stays small.
 */
#ifndef PN_NAMES_PLACES_H
#define PN_NAMES_PLACES_H

#include "model/profile.h"
#include "runtime/record.h"

#include <stdint.h>

struct pn_places;

/* Mappings and locations are added to `profile`, which is borrowed. */
struct pn_places *pn_places_new(struct pn_profile *profile);
void pn_places_free(struct pn_places *places);

/* Another process: nothing is mapped yet. */
void pn_places_restart(struct pn_places *places);
/* From here on this is mapped, in place of what was there. `path` is "" for
 * memory of no file. */
void pn_places_map(struct pn_places *places,
		   const struct pn_runtime_mapping *mapping, const char *path);
/*
 * The location of an address, the same one for equal places. For a caller
 * give an address inside of its call (the return address less 1), as
 * profile.proto wants it. An address of no mapping gets a location without.
 */
uint32_t pn_places_locate(struct pn_places *places, uint64_t address);

#endif
