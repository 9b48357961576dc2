/* git perf check --collect and --why: what is missing is measured first. */
#include "collect.h"

#include "base/file.h"
#include "command.h"
#include "interrupt.h"
#include "run/progress.h"

int check_measure(struct pn_check_measure *m, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1] = "";
	struct run_place place = {.walk = {.commit = hex},
				  .start_ns = pn_time_now_ns()};
	struct pn_error later;
	struct pn_run *run;
	struct pn_oid commit;
	int closed, code;

	catch_interrupt();
	m->stop = &interrupted;
	code = pn_check_measure_open(m, err);
	place.walk.count = code ? 0 : pn_past_count(m->past);
	while (!code && !interrupted &&
	       (code = pn_past_next(&run, &commit, m->past, err)) > 0) {
		pn_oid_hex(hex, &commit);
		code = run_steps(run, &place, err);
		if (!code && !interrupted)
			code = pn_past_store(m->past, err);
		if (code || interrupted)
			break;
		run_say_faults(run, m->matrix.job_count);
		say("measured %.10s", hex);
		place.walk.done++;
	}
	closed = pn_check_measure_close(m, code ? &later : err);
	if (interrupted)
		return pn_error_set(err, PN_ESTOPPED, "interrupted");
	return code ? code : closed;
}
