/* git perf collect --list-collectors. */
#include "list.h"

#include "collect/collector.h"
#include "render/options.h"

#include <stdlib.h>

int list_collectors(const struct global *global, const char *path,
		    const char *wanted, bool json)
{
	const struct pn_collector *one = NULL;
	struct pn_with_options *rows;
	struct pn_error err = {0};
	struct pn_buf text = {0};
	size_t count;
	int code;

	if (wanted && !(one = pn_collector_find(wanted, &err)))
		return fail(&err);
	rows = pn_collector_rows(&count, one);
	if (json)
		pn_options_json(&text, rows, count, "collect", "collectors");
	else
		pn_options_text(&text, rows, count, false);
	code = write_output(global, path, &text, 0, &err);
	pn_buf_release(&text);
	free(rows);
	return code;
}
