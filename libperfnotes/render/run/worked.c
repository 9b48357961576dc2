/* The worker, in words. */
#include "render/run/worked.h"

void pn_worked_step_text(struct pn_buf *out, const struct pn_worker_step *step)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &step->commit);
	switch (step->kind) {
	case PN_WORKER_WAIT:
		pn_buf_printf(out, "waiting for %s", step->text);
		break;
	case PN_WORKER_CARRY:
		pn_buf_printf(out,
			      "%zu profile%s went along with rewritten "
			      "commits",
			      step->count, step->count == 1 ? "" : "s");
		break;
	case PN_WORKER_LEAVE:
		pn_buf_printf(out, "left out %.10s: %s", hex, step->text);
		break;
	case PN_WORKER_MEASURE:
		pn_buf_printf(out, "measuring %.10s", hex);
		break;
	case PN_WORKER_DONE:
		if (step->count)
			pn_buf_printf(out, "%zu commit%s %s for %s",
				      step->count, step->count == 1 ? "" : "s",
				      step->count == 1 ? "waits" : "wait",
				      step->text);
		else
			pn_buf_add_text(out, "the queue is empty");
		break;
	}
}

void pn_worked_end_text(struct pn_buf *out, const struct pn_worker_step *step,
			int status, bool interrupted)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &step->commit);
	if (!status)
		pn_buf_printf(out, "measured %.10s", hex);
	else if (!interrupted)
		pn_buf_printf(out, "could not measure %.10s: exit status %d",
			      hex, status);
}

const char *pn_worked_state(bool runs, bool waits)
{
	if (!runs)
		return "no worker runs";
	return waits ? "a worker waits for a quiet machine" : "a worker runs";
}

void pn_worked_queue_text(struct pn_buf *out, size_t count, bool runs,
			  bool waits)
{
	pn_buf_printf(out, "%zu commit%s queued, %s\n", count,
		      count == 1 ? "" : "s", pn_worked_state(runs, waits));
}
