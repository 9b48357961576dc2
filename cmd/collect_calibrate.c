/* `git perf collect --calibrate`: what the call tracer itself costs here. */
#include "collect_calibrate.h"

#include "base/json.h"
#include "collect/trace_cost.h"

#include <string.h>

static const char *const clocks[] = {"tsc", "wall", "cpu"};

#define CLOCKS (sizeof(clocks) / sizeof(*clocks))

static void print_text(FILE *to, const struct pn_trace_cost *costs)
{
	size_t i;

	fputs("clock     inside    outside     a call   collect -c trace\n",
	      to);
	for (i = 0; i < CLOCKS; i++)
		fprintf(to,
			"%-5s %7.1f ns %7.1f ns %7.1f ns   -O clock=%s "
			"-O calibration=%.1f,%.1f\n",
			clocks[i], costs[i].inside_ns, costs[i].outside_ns,
			costs[i].inside_ns + costs[i].outside_ns, clocks[i],
			costs[i].inside_ns, costs[i].outside_ns);
}

static void print_json(FILE *to, const struct pn_trace_cost *costs,
		       uint64_t rounds)
{
	struct pn_json_writer w;
	struct pn_buf text = {0};
	size_t i;

	pn_json_writer_init(&w, &text, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "collect");
	pn_json_member_int(&w, "rounds", (int64_t)rounds);
	pn_json_key(&w, "calibration");
	pn_json_open(&w, '[');
	for (i = 0; i < CLOCKS; i++) {
		pn_json_open(&w, '{');
		pn_json_member(&w, "clock", clocks[i]);
		pn_json_member(&w, "unit", "ns");
		pn_json_key(&w, "inside");
		pn_json_double(&w, costs[i].inside_ns);
		pn_json_key(&w, "outside");
		pn_json_double(&w, costs[i].outside_ns);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	fprintf(to, "%s\n", pn_buf_text(&text));
	pn_buf_release(&text);
}

static int find_costs(struct pn_trace_cost *costs, uint64_t rounds,
		      struct pn_error *err)
{
	/* the tracer measures when it is loaded; the program does not matter */
	static const char *const argv[] = {"sh", "-c", ":", NULL};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < CLOCKS; i++)
		code = pn_trace_find_cost(&costs[i], clocks[i], rounds, argv,
					  err);
	return code;
}

int calibrate(const struct global *global, const char *path, int64_t rounds,
	      bool json)
{
	struct pn_trace_cost costs[CLOCKS];
	struct pn_error err = {0};
	struct output out;

	if (find_costs(costs, (uint64_t)rounds, &err) ||
	    open_output(&out, global, path, false, &err))
		return fail(&err);
	if (json)
		print_json(out.file, costs, (uint64_t)rounds);
	else
		print_text(out.file, costs);
	return close_output(&out, EXIT_DONE);
}
