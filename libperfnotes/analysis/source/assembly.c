/* What the instructions of functions cost. */
#include "analysis/source/assembly.h"

#include <stdlib.h>
#include <string.h>

static int compare(const char *binary, uint64_t address,
		   const struct pn_assembly_place *place)
{
	int order = binary == place->binary ? 0 : strcmp(binary, place->binary);

	return order ? order
		     : (address > place->address) - (address < place->address);
}

static int by_address(const void *left, const void *right)
{
	const struct pn_assembly_place *a = left, *b = right;
	int order = compare(a->binary, a->address, b);

	return order ? order : (a->row > b->row) - (a->row < b->row);
}

void pn_assembly_sort(struct pn_assembly_place *places, size_t count)
{
	if (count)
		qsort(places, count, sizeof(*places), by_address);
}

/* The first place at the address or behind it. */
static size_t find(const struct pn_assembly_place *places, size_t count,
		   const char *binary, uint64_t address)
{
	size_t low = 0, high = count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare(binary, address, &places[middle]) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t pn_assembly_within(const struct pn_assembly_place **out,
			  const struct pn_assembly_place *places, size_t count,
			  const struct pn_assembly_routine *routine)
{
	size_t first = find(places, count, routine->binary, routine->start);

	*out = places + first;
	return find(places, count, routine->binary, routine->end) - first;
}

void pn_assembly_fill(struct pn_assembly_routine *routine,
		      const struct pn_report *report,
		      const struct pn_assembly_place *places, size_t count)
{
	struct pn_instruction *at = routine->items;
	struct pn_instruction *end = at + routine->count;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct pn_report_node *row = &report->rows[places[i].row];

		routine->flat = pn_weight_add(routine->flat, row->flat_sum);
		routine->cum = pn_weight_add(routine->cum, row->cum_sum);
		if (at == end)
			continue;
		while (at + 1 < end && at[1].address <= places[i].address)
			at++;
		at->flat = pn_weight_add(at->flat, row->flat);
		at->cum = pn_weight_add(at->cum, row->cum);
	}
}

void pn_assembly_release(struct pn_assembly *assembly)
{
	pn_arena_release(&assembly->arena);
	memset(assembly, 0, sizeof(*assembly));
}
