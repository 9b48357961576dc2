/* What is said of results beside them. */
#include "render/measured/results.h"

#include "base/escape.h"
#include "base/file.h"
#include "model/symbols.h"
#include "render/remark.h"

#include <string.h>

static void add_line(struct pn_buf *out, const struct pn_measured *result,
		     const struct pn_buf *text)
{
	if (!text->len)
		return;
	pn_buf_add_byte(out, '\'');
	pn_escape_terminal(out, result->title, strlen(result->title));
	pn_buf_add_text(out, "': ");
	pn_escape_terminal(out, text->data, text->len);
	pn_buf_add_byte(out, '\n');
}

void pn_results_doubts(struct pn_buf *out, const struct pn_measured *results,
		       size_t count, const struct pn_doubt_context *context)
{
	struct pn_buf text = {0};
	size_t i, k;

	for (i = 0; i < count; i++) {
		for (k = 0; k < results[i].doubt_count; k++) {
			pn_buf_clear(&text);
			pn_doubt_text(&text, &results[i].doubts[k], context);
			add_line(out, &results[i], &text);
		}
		/* as show names them, whether or not anything was printed */
		pn_symbols_demangle(results[i].profile, PN_DEMANGLE_SIMPLE);
		for (k = 0; k < PN_REMARKS; k++) {
			pn_buf_clear(&text);
			pn_remark_warning(&text, k, results[i].profile);
			add_line(out, &results[i], &text);
		}
	}
	pn_buf_release(&text);
}

void pn_results_kept(struct pn_buf *out, const struct pn_measured *results,
		     size_t count, bool dirty)
{
	const char *doubt = dirty ? " (the tree was dirty)" : "";
	const char *name;
	size_t i;

	for (i = 0; i < count; i++)
		if (results[i].id) {
			pn_buf_printf(out, "added %s to %.10s%s\n",
				      results[i].id, results[i].origin, doubt);
		} else if (results[i].path) {
			name = pn_file_basename(results[i].path);
			pn_buf_add_text(out, "pending: ");
			pn_escape_terminal(out, name, strlen(name));
			pn_buf_printf(out, "%s\n", doubt);
		}
}
