/* The functions of a file of code, by its symbols. */
#include "collect/names/code.h"

#include "base/alloc.h"
#include "collect/names/elf_symbols.h"
#include "collect/names/module.h"

#include <stdlib.h>

struct pn_code_file {
	struct pn_module module;
	struct pn_elf_symbols *symbols;
	struct pn_code_symbol *list;
	size_t count;
};

struct pn_code_file *pn_code_open(const char *path, const char *build_id)
{
	struct pn_code_file *code = pn_calloc(1, sizeof(*code));

	if (pn_module_open(&code->module, path, build_id))
		return code;
	pn_code_close(code);
	return NULL;
}

void pn_code_close(struct pn_code_file *code)
{
	if (!code)
		return;
	free(code->list);
	pn_elf_symbols_free(code->symbols);
	pn_module_close(&code->module);
	free(code);
}

static void read_symbols(struct pn_code_file *code)
{
	size_t i;

	code->symbols = pn_elf_symbols_new(code->module.dwfl_module);
	code->count = pn_elf_symbols_count(code->symbols);
	code->list = pn_calloc(code->count + 1, sizeof(*code->list));
	for (i = 0; i < code->count; i++) {
		struct pn_code_symbol *s = &code->list[i];
		uint64_t size;

		s->name = pn_elf_symbols_at(&s->start, &size, code->symbols, i);
		s->end = s->start + size < s->start ? UINT64_MAX
						    : s->start + size;
	}
	for (i = code->count; i-- > 0;) {
		struct pn_code_symbol *s = &code->list[i];

		if (s->end == s->start && i + 1 < code->count)
			s->end = s[1].start == s->start ? s[1].end : s[1].start;
	}
}

size_t pn_code_symbols(const struct pn_code_symbol **out,
		       struct pn_code_file *code)
{
	if (!code->list)
		read_symbols(code);
	*out = code->list;
	return code->count;
}

bool pn_code_address(uint64_t *out, const struct pn_code_file *code,
		     const struct pn_mapping *mapping, uint64_t address)
{
	uint64_t bias = 0;

	if ((mapping->start || mapping->limit || mapping->offset) &&
	    !pn_module_bias(&bias, &code->module, mapping))
		return false;
	*out = address - bias;
	return true;
}
