/* git perf collect --list-collectors and --calibrate. */
#include "list.h"

#include "collect/collector.h"
#include "collect/trace/cost.h"
#include "render/measured/calibration.h"
#include "render/options.h"
#include "render/terminal.h"

#include <stdlib.h>

int print_options(const struct list_call *call, struct pn_with_options *rows,
		  size_t count, const char *command, const char *member,
		  bool apart)
{
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code;

	if (call->json)
		pn_options_json(&text, rows, count, command, member);
	else
		pn_options_text(
			&text, rows, count, apart,
			pn_terminal_columns(call->path ? NULL : stdout));
	code = write_output(call->global, call->path, &text, 0, &err);
	pn_buf_release(&text);
	free(rows);
	return code;
}

int list_collectors(const struct list_call *call, const char *wanted)
{
	const struct pn_collector *one = NULL;
	struct pn_with_options *rows;
	struct pn_error err = {0};
	size_t count;

	if (wanted && !(one = pn_collector_find(wanted, &err)))
		return fail(&err);
	rows = pn_collector_rows(&count, one);
	return print_options(call, rows, count, "collect", "collectors", false);
}

int calibrate(const struct list_call *call, int64_t rounds)
{
	struct pn_trace_clock_cost costs[PN_TRACE_CLOCKS];
	struct pn_calibration rows[PN_TRACE_CLOCKS];
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code = pn_trace_find_costs(costs, (uint64_t)rounds, &err);
	size_t i, n = code ? 0 : PN_TRACE_CLOCKS;

	for (i = 0; i < n; i++)
		rows[i] = (struct pn_calibration){costs[i].clock,
						  costs[i].cost.inside_ns,
						  costs[i].cost.outside_ns};
	if (call->json)
		pn_calibration_json(&text, rows, n, (uint64_t)rounds);
	else
		pn_calibration_text(&text, rows, n);
	code = write_output(call->global, call->path, &text, code, &err);
	pn_buf_release(&text);
	return code;
}
