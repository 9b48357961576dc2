/* git perf collect --list-collectors. */
#include "list.h"

#include "base/buf.h"
#include "collect/collector.h"

static void print_collector(FILE *to, const struct pn_collector *collector)
{
	const struct pn_collect_option *option = collector->options;
	struct pn_buf name = {0};

	fprintf(to, "%-20s%s\n", collector->name, collector->summary);
	for (; option && option->key; option++) {
		pn_buf_clear(&name);
		pn_buf_printf(&name, "%s%s%s", option->key,
			      option->argument ? "=" : "",
			      option->argument ? option->argument : "");
		fprintf(to, "    %-23s %s\n", pn_buf_text(&name),
			option->summary);
	}
	pn_buf_release(&name);
}

int list_collectors(const struct global *global, const char *path,
		    const char *wanted)
{
	const struct pn_collector *one = NULL;
	struct pn_error err = {0};
	struct output out;
	size_t i;

	if ((wanted && !(one = pn_collector_find(wanted, &err))) ||
	    open_output(&out, global, path, false, &err))
		return fail(&err);
	for (i = 0; pn_collectors[i]; i++)
		if (!one || one == pn_collectors[i])
			print_collector(out.file, pn_collectors[i]);
	return close_output(&out, EXIT_DONE);
}
