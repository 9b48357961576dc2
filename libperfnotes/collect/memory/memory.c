/*
 * The collector "memory": what allocated how much, how much of it was live at
 * the peak and at the end, by stack. runtime/memory.c counts, in the program.
 */
#include "base/number.h"
#include "collect/memory/record.h"
#include "collect/preload.h"

#include <string.h>

static bool is_alone(const struct pn_preload_run *run, size_t number)
{
	size_t i, count = 0;

	for (i = 0; i < run->count; i++)
		count += run->runs[i] == number;
	return count == 1;
}

static int memory_read(struct pn_profile *out, double *lost,
		       const struct pn_preload_run *run, struct pn_error *err)
{
	struct pn_memory_reading reading;
	struct pn_runtime_record record;
	size_t i;
	int code = 0;

	pn_memory_reading_begin(&reading, out, run->run_count);
	for (i = 0; !code && i < run->count; i++) {
		code = pn_runtime_record_open(&record, run->paths[i], err);
		if (code)
			break;
		pn_memory_reading_add(&reading, &record, run->runs[i],
				      is_alone(run, run->runs[i]));
		pn_runtime_record_release(&record);
	}
	pn_memory_reading_end(&reading);
	*lost = reading.lost;
	return code;
}

static int memory_variables(struct pn_buf out[PN_PRELOAD_MAX_ENV],
			    const struct pn_collect_plan *plan,
			    struct pn_error *err)
{
	const char *depth = pn_collect_option(plan, "depth");
	int64_t value;

	if (!depth)
		return 0;
	if (!pn_number_int(&value, depth, strlen(depth)) || value < 1 ||
	    value > PN_RUNTIME_MEMORY_MAX_DEPTH)
		return pn_error_set(err, PN_EINVAL,
				    "bad depth '%s', need a whole number of 1 "
				    "to %d",
				    depth, PN_RUNTIME_MEMORY_MAX_DEPTH);
	pn_buf_printf(&out[0], PN_RUNTIME_MEMORY_DEPTH "=%s", depth);
	return 0;
}

static const struct pn_preload kind = {
	.name = "memory",
	.kind = "memory",
	.variables = memory_variables,
	.read = memory_read,
};

static int memory_open(struct pn_collection **out,
		       const struct pn_collect_plan *plan, struct pn_error *err)
{
	return pn_preload_open(out, &kind, plan, err);
}

static const struct pn_option options[] = {
	{"depth", "<n>", "frames of a stack that are kept, 1 to 256 (64)"},
	{0},
};

const struct pn_collector pn_collector_memory = {
	.name = "memory",
	.summary = "allocations, peak and leaks, by stack",
	.options = options,
	.result_takes = true,
	.open = memory_open,
	.step = pn_preload_step,
	.result = pn_preload_result,
	.warnings = pn_preload_warnings,
	.free = pn_preload_free,
};
