/*
 * DWARF 5, 2.17 (ranges), 3.3 (subroutines, inlining). Units are looked up by
 * their ranges and not by .debug_aranges, which clang leaves out; functions by
 * an index a unit, because libdw's dwarf_getscopes walks the whole unit each
 * time.
 */
#include "collect/names/dwarf_names.h"

#include "base/alloc.h"
#include "collect/names/dwarf_scope.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NESTING 64 /* of namespaces, blocks, inlined functions */

/* Addresses that belong to a unit or to a function of one. */
struct range {
	uint64_t low, high;
	uint64_t reach; /* the largest `high` up to here */
	size_t unit;
	Dwarf_Die die;
};

struct ranges {
	struct range *items;
	size_t count, cap;
};

struct unit {
	Dwarf_Die die;
	struct ranges functions;
	bool indexed;
};

struct pn_dwarf_names {
	struct unit *units;
	size_t count, cap;
	struct ranges ranges;
	struct pn_dwarf_scope scope;
};

static int compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->high > y->high) - (x->high < y->high);
}

static void sort_ranges(struct ranges *ranges)
{
	uint64_t reach = 0;
	size_t i;

	if (ranges->count)
		qsort(ranges->items, ranges->count, sizeof(*ranges->items),
		      compare);
	for (i = 0; i < ranges->count; i++) {
		if (ranges->items[i].high > reach)
			reach = ranges->items[i].high;
		ranges->items[i].reach = reach;
	}
}

/* Of those that cover the address, the one that begins last. */
static const struct range *find_range(const struct ranges *ranges,
				      uint64_t address)
{
	size_t low = 0, high = ranges->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (ranges->items[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0) {
		if (ranges->items[low].high > address)
			return &ranges->items[low];
		if (ranges->items[low].reach <= address)
			break;
	}
	return NULL;
}

static void add_ranges(struct ranges *to, Dwarf_Die *die, size_t unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		/* 0 is where a linker puts what it threw away */
		if (!start || start >= end)
			continue;
		to->items = pn_grow(to->items, &to->cap, to->count + 1,
				    sizeof(*to->items));
		to->items[to->count++] =
			(struct range){start, end, end, unit, *die};
	}
}

/* `children` says whether a tag may hold functions. */
static bool holds_functions(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return true;
	default:
		return false;
	}
}

static void add_functions(struct unit *unit, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > MAX_NESTING || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram)
			add_ranges(&unit->functions, &die, 0);
		else if (holds_functions(tag))
			add_functions(unit, &die, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

struct pn_dwarf_names *pn_dwarf_names_new(Dwarf *dwarf)
{
	struct pn_dwarf_names *names = pn_calloc(1, sizeof(*names));
	Dwarf_Die die, sub;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &sub)) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		names->units = pn_grow(names->units, &names->cap,
				       names->count + 1, sizeof(*names->units));
		/* functions of a skeleton are in its .dwo file */
		names->units[names->count] = (struct unit){
			.die = type == DW_UT_skeleton && dwarf_tag(&sub) ? sub
									 : die};
		add_ranges(&names->ranges, &die, names->count++);
	}
	sort_ranges(&names->ranges);
	return names;
}

void pn_dwarf_names_free(struct pn_dwarf_names *names)
{
	size_t i;

	if (!names)
		return;
	for (i = 0; i < names->count; i++)
		free(names->units[i].functions.items);
	free(names->units);
	free(names->ranges.items);
	pn_dwarf_scope_release(&names->scope);
	free(names);
}

static const char *folder_of(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *folder = NULL;

	if (dwarf_attr(unit, DW_AT_comp_dir, &attr))
		folder = dwarf_formstring(&attr);
	return folder ? folder : "";
}

/* libdw takes the file 0 for none; since DWARF 5 it is the unit's own. */
static bool is_of_unit(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word file;

	return dwarf_attr_integrate(die, DW_AT_decl_file, &attr) &&
	       !dwarf_formudata(&attr, &file) && !file;
}

/* False when it has no name. */
static bool describe(struct pn_dwarf_frame *out, struct pn_dwarf_names *names,
		     Dwarf_Die *die, Dwarf_Die *unit)
{
	const char *name = pn_dwarf_linkage_name(die);
	const char *plain = dwarf_diename(die), *file = dwarf_decl_file(die);
	int line = 0;

	if (!name && plain && *plain)
		name = pn_dwarf_scope_name(&names->scope, die, unit, plain);
	if (!name || !*name)
		return false;
	if (!file && is_of_unit(die))
		file = dwarf_diename(unit);
	if (file)
		dwarf_decl_line(die, &line);
	else
		file = pn_dwarf_scope_file(die, &line);
	*out = (struct pn_dwarf_frame){.name = name,
				       .file = file ? file : "",
				       .folder = folder_of(unit),
				       .start_line = line};
	return true;
}

/* The child block or inlined function that covers the address. */
static bool descend(Dwarf_Die *out, Dwarf_Die *parent, uint64_t address)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return false;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
		case DW_TAG_with_stmt:
			if (dwarf_haspc(&die, address) > 0) {
				*out = die;
				return true;
			}
		}
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* The function and what is inlined, outermost first; `call_lines` are where
 * each was inlined. */
static size_t find_chain(struct pn_dwarf_frame *chain, int64_t *call_lines,
			 struct pn_dwarf_names *names,
			 const struct range *function, Dwarf_Die *unit,
			 uint64_t address)
{
	Dwarf_Die die = function->die;
	size_t count = 0;
	int depth;

	if (!describe(&chain[count], names, &die, unit))
		return 0;
	call_lines[count++] = 0;
	for (depth = 0; depth < MAX_NESTING && count < PN_DWARF_MAX_INLINED &&
			descend(&die, &die, address);
	     depth++) {
		Dwarf_Attribute attr;
		Dwarf_Word line = 0;

		if (dwarf_tag(&die) != DW_TAG_inlined_subroutine ||
		    !describe(&chain[count], names, &die, unit))
			continue;
		if (dwarf_attr(&die, DW_AT_call_line, &attr))
			dwarf_formudata(&attr, &line);
		call_lines[count++] = (int64_t)line;
	}
	return count;
}

static struct unit *find_unit(struct pn_dwarf_names *names, uint64_t address)
{
	const struct range *range = find_range(&names->ranges, address);
	struct unit *unit;

	if (!range)
		return NULL;
	unit = &names->units[range->unit];
	if (!unit->indexed) {
		add_functions(unit, &unit->die, 0);
		sort_ranges(&unit->functions);
		unit->indexed = true;
	}
	return unit;
}

size_t pn_dwarf_names_find(struct pn_dwarf_frame *out,
			   struct pn_dwarf_names *names, uint64_t address)
{
	struct unit *unit = find_unit(names, address);
	const struct range *function;
	struct pn_dwarf_frame chain[PN_DWARF_MAX_INLINED];
	int64_t call_lines[PN_DWARF_MAX_INLINED];
	Dwarf_Line *source;
	size_t count, i;
	int line = 0;

	function = unit ? find_range(&unit->functions, address) : NULL;
	if (!function)
		return 0;
	count = find_chain(chain, call_lines, names, function, &unit->die,
			   address);
	if (!count)
		return 0;
	source = dwarf_getsrc_die(&unit->die, address);
	if (source)
		dwarf_lineno(source, &line);
	for (i = 0; i < count; i++) {
		out[i] = chain[count - 1 - i];
		out[i].line = i ? call_lines[count - i] : line;
	}
	return count;
}
