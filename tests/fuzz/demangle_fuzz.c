/* Mangled names are texts of hostile files: bounded time, bounded text. */
#include "base/text/demangle.h"
#include "model/symbols.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_function function = {0};
	struct pn_buf name = {0}, out = {0};
	struct pn_profile p;

	pn_buf_add_text(&name, "_");
	pn_buf_add(&name, data, size);
	pn_demangle(&out, pn_buf_text(&name), size % 2);
	if (out.len > PN_DEMANGLE_OUT_MAX ||
	    pn_symbol_base(pn_buf_text(&name), name.len) > name.len)
		abort();
	pn_profile_init(&p);
	function.name = pn_strtab_add(&p.strings, name.data, name.len);
	pn_profile_add_function(&p, &function);
	pn_symbols_demangle(&p, (enum pn_demangling)(size % 3));
	pn_symbols_join_clones(&p);
	pn_profile_release(&p);
	pn_buf_release(&name);
	pn_buf_release(&out);
	return 0;
}
