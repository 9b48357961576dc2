/* git perf collect --list-collectors. */
#include "list.h"

#include "base/alloc.h"
#include "collect/collector.h"
#include "render/options.h"

#include <stdlib.h>

int list_collectors(const struct global *global, const char *path,
		    const char *wanted, bool json)
{
	const struct pn_collector *one = NULL;
	struct pn_with_options *rows = NULL;
	struct pn_error err = {0};
	struct pn_buf text = {0};
	size_t i, cap = 0, count = 0;
	int code;

	if (wanted && !(one = pn_collector_find(wanted, &err)))
		return fail(&err);
	for (i = 0; pn_collectors[i]; i++) {
		if (one && one != pn_collectors[i])
			continue;
		rows = pn_grow(rows, &cap, count + 1, sizeof(*rows));
		rows[count++] = (struct pn_with_options){
			pn_collectors[i]->name, pn_collectors[i]->summary,
			pn_collectors[i]->options};
	}
	if (json)
		pn_options_json(&text, rows, count, "collect", "collectors");
	else
		pn_options_text(&text, rows, count, false);
	code = write_output(global, path, &text, 0, &err);
	pn_buf_release(&text);
	free(rows);
	return code;
}
