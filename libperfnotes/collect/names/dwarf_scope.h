/*
 * The names of C++ functions that no linker knows, such as a lambda that was
 * inlined everywhere: DWARF calls every one of them "operator()" and leaves it
 * to the scopes around it to say which one it is.
 */
#ifndef PN_NAMES_DWARF_SCOPE_H
#define PN_NAMES_DWARF_SCOPE_H

#include "base/arena.h"
#include "base/strtab.h"

#include <elfutils/libdw.h>
#include <stdbool.h>

/* What was found so far; a zeroed struct is empty. */
struct pn_dwarf_scope {
	struct pn_strtab dies; /* offsets; `names` is in their order */
	const char **names;
	size_t cap;
	struct pn_arena arena;
};

void pn_dwarf_scope_release(struct pn_dwarf_scope *scope);

/*
 * "app::sum::{lambda#1}::operator()" for a function of that plain name, which
 * lives as long as the struct; `plain` itself where the unit is not of C++ or
 * nothing is around it. Classes without a name are lambdas; they are numbered
 * in their order within what is around them.
 */
const char *pn_dwarf_scope_name(struct pn_dwarf_scope *scope, Dwarf_Die *die,
				Dwarf_Die *unit, const char *plain);

/* Where the nearest class around the function is declared, for one that does
 * not say it itself. NULL: unknown. */
const char *pn_dwarf_scope_file(Dwarf_Die *die, int *line);

/* The linker's name of a function, NULL when it has none. */
const char *pn_dwarf_linkage_name(Dwarf_Die *die);

#endif
