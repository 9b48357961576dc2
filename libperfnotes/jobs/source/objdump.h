/* Instructions as text, by the program objdump of GNU binutils. */
#ifndef PN_SOURCE_OBJDUMP_H
#define PN_SOURCE_OBJDUMP_H

#include "analysis/source/assembly.h"

/*
 * Fill in the instructions of the routine, of the file `path`; their texts are
 * in `arena`. PN_ENOTFOUND: objdump is not installed; PN_EIO is what it said.
 */
int pn_objdump(struct pn_assembly_routine *routine, struct pn_arena *arena,
	       const char *path, struct pn_error *err);
/* The same of what it printed, which is changed; for tests. */
void pn_objdump_parse(struct pn_assembly_routine *routine,
		      struct pn_arena *arena, char *text);

#endif
