/* `git perf collect --calibrate`: what the call tracer itself costs here. */
#include "calibrate.h"

#include "collect/trace/cost.h"
#include "render/measured/calibration.h"

static const char *const clocks[] = {"tsc", "wall", "cpu"};

#define CLOCKS (sizeof(clocks) / sizeof(*clocks))

static int find_costs(struct pn_calibration *rows, uint64_t rounds,
		      struct pn_error *err)
{
	/* the tracer measures when it is loaded; the program does not matter */
	static const char *const argv[] = {"sh", "-c", ":", NULL};
	struct pn_trace_cost cost;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < CLOCKS; i++) {
		code = pn_trace_find_cost(&cost, clocks[i], rounds, argv, err);
		rows[i] = (struct pn_calibration){clocks[i], cost.inside_ns,
						  cost.outside_ns};
	}
	return code;
}

int calibrate(const struct global *global, const char *path, int64_t rounds,
	      bool json)
{
	struct pn_calibration rows[CLOCKS];
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code = find_costs(rows, (uint64_t)rounds, &err);

	if (!code && json)
		pn_calibration_json(&text, rows, CLOCKS, (uint64_t)rounds);
	else if (!code)
		pn_calibration_text(&text, rows, CLOCKS);
	code = write_output(global, path, &text, code, &err);
	pn_buf_release(&text);
	return code;
}
