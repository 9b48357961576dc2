/* The functions of a file of code: where each begins and ends. */
#ifndef PN_NAMES_CODE_H
#define PN_NAMES_CODE_H

#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_code_file;

struct pn_code_symbol {
	const char *name;
	uint64_t start, end; /* addresses in the file; end is not in it */
};

/* NULL when there is no such file, or one with another build id, as of
 * pn_binary_open. */
struct pn_code_file *pn_code_open(const char *path, const char *build_id);
void pn_code_close(struct pn_code_file *code);
/* By address; of several names of one place the best known is the last. A
 * symbol without a size reaches to the next one. Borrowed. */
size_t pn_code_symbols(const struct pn_code_symbol **out,
		       struct pn_code_file *code);
/* The file's own address of one in the mapping, whose addresses are the file's
 * where it does not say at which it begins. False: it is not in the file. */
bool pn_code_address(uint64_t *out, const struct pn_code_file *code,
		     const struct pn_mapping *mapping, uint64_t address);

#endif
