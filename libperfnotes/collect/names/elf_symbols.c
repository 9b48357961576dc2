/* Names of functions by symbol tables: elf(5). */
#include "collect/names/elf_symbols.h"

#include "base/alloc.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BACK 64 /* symbols that may begin within another one */

struct symbol {
	uint64_t address, size;
	const char *name;
	int rank; /* the higher one is preferred */
};

struct pn_elf_symbols {
	struct symbol *list;
	size_t count, cap;
};

static bool is_code(const GElf_Sym *sym, GElf_Word section)
{
	int type = GELF_ST_TYPE(sym->st_info);

	if (section == SHN_UNDEF || section == SHN_ABS || section == SHN_COMMON)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

static int rank(const GElf_Sym *sym)
{
	int binding = GELF_ST_BIND(sym->st_info);
	int type = GELF_ST_TYPE(sym->st_info);

	return (binding == STB_GLOBAL ? 3
		: binding == STB_WEAK ? 2
				      : 1) +
	       (sym->st_size ? 8 : 0) + (type == STT_NOTYPE ? 0 : 4);
}

static int compare(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strcmp(b->name, a->name);
}

struct pn_elf_symbols *pn_elf_symbols_new(Dwfl_Module *module)
{
	struct pn_elf_symbols *s = pn_calloc(1, sizeof(*s));
	int count = dwfl_module_getsymtab(module), i;
	GElf_Word section;
	GElf_Addr address;
	const char *name;
	GElf_Sym sym;

	for (i = 0; i < count; i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &address,
					       &section, NULL, NULL);
		if (!name || !*name || !is_code(&sym, section))
			continue;
		s->list = pn_grow(s->list, &s->cap, s->count + 1,
				  sizeof(*s->list));
		s->list[s->count++] =
			(struct symbol){address, sym.st_size, name, rank(&sym)};
	}
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), compare);
	return s;
}

void pn_elf_symbols_free(struct pn_elf_symbols *s)
{
	if (s)
		free(s->list);
	free(s);
}

/* The first symbol that begins above the address. */
static size_t find_above(const struct pn_elf_symbols *s, uint64_t address)
{
	size_t low = 0, high = s->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *pn_elf_symbols_find(const struct pn_elf_symbols *s,
				uint64_t address)
{
	const char *sizeless = NULL;
	size_t at = find_above(s, address), tries;

	for (tries = 0; at > 0 && tries < MAX_BACK; tries++) {
		const struct symbol *symbol = &s->list[--at];

		if (address - symbol->address < symbol->size)
			return symbol->name;
		if (!symbol->size && !sizeless && !tries)
			sizeless = symbol->name;
	}
	return sizeless;
}

size_t pn_elf_symbols_count(const struct pn_elf_symbols *s)
{
	return s->count;
}

const char *pn_elf_symbols_at(uint64_t *address, uint64_t *size,
			      const struct pn_elf_symbols *s, size_t at)
{
	*address = s->list[at].address;
	*size = s->list[at].size;
	return s->list[at].name;
}
