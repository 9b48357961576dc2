/* A file of code that was mapped, with its separate debug information. */
#ifndef PN_NAMES_MODULE_H
#define PN_NAMES_MODULE_H

#include "model/profile.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

struct pn_module {
	Dwfl *dwfl;
	Dwfl_Module *dwfl_module;
	Elf *elf;     /* owned by it */
	Dwarf *dwarf; /* the same; NULL: there is none */
};

/* See pn_binary_open; false when there is no such file, or another one. To be
 * closed in any case. */
bool pn_module_open(struct pn_module *out, const char *file,
		    const char *build_id);
void pn_module_close(struct pn_module *module);

/* What to take off an address in the mapping for the file's own; false when
 * no segment of the file is mapped like this. */
bool pn_module_bias(uint64_t *out, const struct pn_module *module,
		    const struct pn_mapping *mapping);

#endif
