/*
 * Names of functions by the symbol tables of a file, sorted once:
 * dwfl_module_addrinfo looks at every symbol for every address.
 */
#ifndef PN_NAMES_ELF_SYMBOLS_H
#define PN_NAMES_ELF_SYMBOLS_H

#include <elfutils/libdwfl.h>
#include <stddef.h>
#include <stdint.h>

struct pn_elf_symbols;

/* The module stays open until free. Never NULL. Time O(n log n). */
struct pn_elf_symbols *pn_elf_symbols_new(Dwfl_Module *module);
void pn_elf_symbols_free(struct pn_elf_symbols *symbols);

/*
 * The function that the address lies in; of several names for one place the
 * global before the weak before the local. A symbol without a size reaches to
 * the next one. NULL: none. Borrowed.
 */
const char *pn_elf_symbols_find(const struct pn_elf_symbols *symbols,
				uint64_t address);

/* Each by its place in the order of addresses, of several names for one place
 * the preferred one last. Borrowed. */
size_t pn_elf_symbols_count(const struct pn_elf_symbols *symbols);
const char *pn_elf_symbols_at(uint64_t *address, uint64_t *size,
			      const struct pn_elf_symbols *symbols, size_t at);

#endif
