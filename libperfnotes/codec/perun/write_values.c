/* Texts and JSON in Python's form. */
#include "codec/perun/write.h"

#include <string.h>

void pn_perun_write_text(struct pn_buf *out, const char *text)
{
	pn_json_write_string(out, text, strlen(text), PN_JSON_PYTHON);
}

int pn_perun_write_json(struct pn_buf *out, struct pn_perun_writing *w,
			uint32_t text, struct pn_error *err)
{
	const struct pn_strtab *strings = &w->profile->strings;
	int code = pn_json_tree_parse(&w->value, pn_strtab_text(strings, text),
				      pn_strtab_len(strings, text), err);

	if (!code)
		pn_json_tree_write(out, &w->value, 0, PN_JSON_PYTHON);
	return code;
}
