/*
 * What DWARF says of an address: the function, those inlined into it there,
 * and the lines. One index for one file's debug information, made as far as
 * it is asked.
 */
#ifndef PN_NAMES_DWARF_NAMES_H
#define PN_NAMES_DWARF_NAMES_H

#include "base/buf.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_DWARF_MAX_INLINED 256 /* of one address; compilers stop at 10s */

struct pn_dwarf_names;

/* `dwarf` is borrowed. */
struct pn_dwarf_names *pn_dwarf_names_new(Dwarf *dwarf);
void pn_dwarf_names_free(struct pn_dwarf_names *names);

/* Texts live as long as the Dwarf and the names; a path may be relative to
 * `folder`. */
struct pn_dwarf_frame {
	const char *name;	   /* the linker's, else the source's */
	const char *file, *folder; /* "" when unknown */
	int64_t start_line, line;  /* 0: unknown */
};

/*
 * Frames at an address of the file, innermost first, at most
 * PN_DWARF_MAX_INLINED; 0 when no function with a name covers it.
 */
size_t pn_dwarf_names_find(struct pn_dwarf_frame *out,
			   struct pn_dwarf_names *names, uint64_t address);

#endif
