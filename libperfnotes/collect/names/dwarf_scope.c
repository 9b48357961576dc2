/* DWARF 5, 3.3.8.1: what is inlined refers to an abstract instance, which
 * stands where the source has it. */
#include "collect/names/dwarf_scope.h"

#include "base/alloc.h"
#include "base/text/demangle.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REFERENCES 8 /* an instance, its abstract one, its declaration */
#define MAX_FUNCTIONS 8	 /* a lambda within a lambda within ... */

void pn_dwarf_scope_release(struct pn_dwarf_scope *scope)
{
	pn_strtab_release(&scope->dies);
	pn_arena_release(&scope->arena);
	free(scope->names);
}

const char *pn_dwarf_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return dwarf_formstring(&attr);
	return NULL;
}

/* The one that stands in its class or function. */
static Dwarf_Die declaration_of(const Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attr;
	int i;

	for (i = 0; i < MAX_REFERENCES; i++) {
		if (!dwarf_attr(&at, DW_AT_abstract_origin, &attr) &&
		    !dwarf_attr(&at, DW_AT_specification, &attr))
			break;
		if (!dwarf_formref_die(&attr, &next))
			break;
		at = next;
	}
	return at;
}

static bool is_class(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* Of the classes without a name in this scope, from 1. */
static int number_of(Dwarf_Die *class, Dwarf_Die *scope)
{
	Dwarf_Die die;
	int number = 0;

	if (dwarf_child(scope, &die))
		return 1;
	do {
		number += is_class(&die) && !dwarf_diename(&die);
		if (dwarf_dieoffset(&die) == dwarf_dieoffset(class))
			break;
	} while (!dwarf_siblingof(&die, &die));
	return number;
}

static void add_function(struct pn_buf *out, Dwarf_Die *die, int depth);

/* What is around it, from the outside, each with "::" behind it. */
static void add_scopes(struct pn_buf *out, Dwarf_Die *die, int depth)
{
	Dwarf_Die *scopes = NULL;
	int i, count = dwarf_getscopes_die(die, &scopes), from;

	/* what a function is in its own name says */
	for (from = 1; from < count - 1; from++)
		if (dwarf_tag(&scopes[from]) == DW_TAG_subprogram)
			break;
	for (i = from < count - 1 ? from : count - 2; i > 0; i--) {
		const char *name = dwarf_diename(&scopes[i]);

		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			add_function(out, &scopes[i], depth + 1);
		else if (dwarf_tag(&scopes[i]) == DW_TAG_namespace)
			pn_buf_add_text(out,
					name ? name : "(anonymous namespace)");
		else if (is_class(&scopes[i]) && name)
			pn_buf_add_text(out, name);
		else if (is_class(&scopes[i]))
			pn_buf_printf(out, "{lambda#%d}",
				      number_of(&scopes[i], &scopes[i + 1]));
		else
			continue; /* a block */
		pn_buf_add_text(out, "::");
	}
	free(scopes);
}

static void add_function(struct pn_buf *out, Dwarf_Die *die, int depth)
{
	const char *linkage = pn_dwarf_linkage_name(die);
	const char *name = dwarf_diename(die);
	Dwarf_Die at = declaration_of(die);

	if (linkage && pn_demangle(out, linkage, false) != PN_LANGUAGE_OTHER)
		return;
	if (depth < MAX_FUNCTIONS)
		add_scopes(out, &at, depth);
	pn_buf_add_text(out, name ? name : "(anonymous)");
}

static bool is_cxx(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

const char *pn_dwarf_scope_name(struct pn_dwarf_scope *scope, Dwarf_Die *die,
				Dwarf_Die *unit, const char *plain)
{
	Dwarf_Die at = declaration_of(die);
	uint64_t offset = dwarf_dieoffset(&at);
	size_t had = scope->dies.count;
	struct pn_buf name = {0};
	uint32_t id;

	if (!is_cxx(unit))
		return plain;
	id = pn_strtab_add(&scope->dies, &offset, sizeof(offset));
	if (scope->dies.count == had)
		return scope->names[id];
	add_scopes(&name, &at, 0);
	pn_buf_add_text(&name, plain);
	scope->names = pn_grow(scope->names, &scope->cap, (size_t)id + 1,
			       sizeof(*scope->names));
	scope->names[id] = pn_arena_copy(&scope->arena, name.data, name.len);
	pn_buf_release(&name);
	return scope->names[id];
}

const char *pn_dwarf_scope_file(Dwarf_Die *die, int *line)
{
	Dwarf_Die at = declaration_of(die), *scopes = NULL;
	int i, count = dwarf_getscopes_die(&at, &scopes);
	const char *file = NULL;

	for (i = 1; i < count && !file; i++)
		if (is_class(&scopes[i])) {
			file = dwarf_decl_file(&scopes[i]);
			dwarf_decl_line(&scopes[i], line);
		}
	free(scopes);
	return file;
}
