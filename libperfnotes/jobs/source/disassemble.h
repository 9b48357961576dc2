/* The instructions that a disassembly shows. */
#ifndef PN_SOURCE_DISASSEMBLE_H
#define PN_SOURCE_DISASSEMBLE_H

#include "analysis/source/assembly.h"

#define PN_ASSEMBLY_ROUTINES_MAX 200 /* objdump runs once for each */

/*
 * Those of the functions of `report` (PN_BY_BINARY_ADDRESSES) that match
 * `pattern` or lie at it (an address of the file, "0x401136"), of the binaries
 * that were measured (see pn_binary_find). Those that are not here are listed
 * in out->missing. PN_ENOTFOUND: no function matches, or the profile has no
 * addresses, or nothing of it is here; PN_ELIMIT: too many match. Released in
 * any case.
 */
int pn_assembly_load(struct pn_assembly *out, const struct pn_report *report,
		     const char *pattern, const char *where,
		     struct pn_error *err);

#endif
