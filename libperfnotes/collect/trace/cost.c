/* What a call costs by being traced: a program is started with the tracer in
 * it, which measures that at its start. */
#include "collect/trace/cost.h"

#include "base/process/process.h"
#include "collect/runtime.h"
#include "collect/runtime_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_MAX 65536 /* of a program whose output nobody wants */

static bool find_totals(struct pn_runtime_trace *out,
			struct pn_runtime_record *record)
{
	struct pn_runtime_part part;

	while (pn_runtime_record_next(&part, record)) {
		if (part.kind != PN_RUNTIME_TRACE_TOTALS ||
		    part.len < sizeof(*out))
			continue;
		memcpy(out, part.bytes, sizeof(*out));
		return true;
	}
	return false;
}

static int read_cost(struct pn_trace_cost *out, const char *path,
		     struct pn_error *err)
{
	struct pn_runtime_record record;
	struct pn_runtime_trace t;
	double ns = 1;
	int code = pn_runtime_record_open(&record, path, err);

	if (code)
		return code;
	if (!find_totals(&t, &record))
		code = pn_error_set(err, PN_EINVAL,
				    "the tracer left nothing in '%s'", path);
	pn_runtime_record_release(&record);
	if (code)
		return code;
	if (t.clock == PN_RUNTIME_TRACE_TSC && t.last_ticks > t.begin_ticks)
		ns = ((double)t.last_ns - (double)t.begin_ns) /
		     ((double)t.last_ticks - (double)t.begin_ticks);
	out->inside_ns = t.inside * ns;
	out->outside_ns = t.outside * ns;
	return 0;
}

static int run(const struct pn_runtime *runtime, const char *clock,
	       uint64_t rounds, const char *const *argv, struct pn_error *err)
{
	struct pn_buf texts[2] = {{0}}, output = {0};
	const char *env[] = {runtime->env[0], runtime->env[1], NULL, NULL,
			     NULL};
	struct pn_process_options options = {.env_set = env};
	int code, status;

	pn_buf_printf(&texts[0], PN_RUNTIME_TRACE_CLOCK "=%s", clock);
	pn_buf_printf(&texts[1], PN_RUNTIME_TRACE_ROUNDS "=%" PRIu64, rounds);
	env[2] = pn_buf_text(&texts[0]);
	env[3] = pn_buf_text(&texts[1]);
	code = pn_process_capture(&output, NULL, &status, argv, &options,
				  OUTPUT_MAX, err);
	if (!code && status)
		code = pn_error_set(err, PN_EREFUSED,
				    "'%s' exited with status %d", argv[0],
				    status);
	pn_buf_release(&texts[0]);
	pn_buf_release(&texts[1]);
	pn_buf_release(&output);
	return code;
}

int pn_trace_find_cost(struct pn_trace_cost *out, const char *clock,
		       uint64_t rounds, const char *const *argv,
		       struct pn_error *err)
{
	struct pn_runtime runtime = {0};
	char **paths = NULL;
	size_t count = 0, i;
	int code;

	if (rounds > PN_RUNTIME_TRACE_MAX_ROUNDS)
		return pn_error_set(err, PN_ERANGE,
				    "cannot trace %" PRIu64 " calls at once, "
				    "need at most %d",
				    rounds, PN_RUNTIME_TRACE_MAX_ROUNDS);
	code = pn_runtime_open(&runtime, "trace", err);
	if (!code)
		code = run(&runtime, clock, rounds, argv, err);
	if (!code)
		code = pn_runtime_list(&paths, &count, &runtime, "trace", err);
	if (!code && !count)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "the tracer could not be loaded into '%s'",
				    argv[0]);
	if (!code)
		code = read_cost(out, paths[0], err);
	for (i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	pn_runtime_release(&runtime);
	return code;
}

int pn_trace_find_costs(struct pn_trace_clock_cost out[PN_TRACE_CLOCKS],
			uint64_t rounds, struct pn_error *err)
{
	static const char *const clocks[PN_TRACE_CLOCKS] = {"tsc", "wall",
							    "cpu"};
	static const char *const argv[] = {"sh", "-c", ":", NULL};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < PN_TRACE_CLOCKS; i++) {
		out[i].clock = clocks[i];
		code = pn_trace_find_cost(&out[i].cost, clocks[i], rounds, argv,
					  err);
	}
	return code;
}
