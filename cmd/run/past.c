/* git perf run over commits of the history. Long by what it says: of each
 * commit as soon as it is stored, and of all of them in the end. */
#include "past.h"

#include "base/file.h"
#include "interrupt.h"
#include "jobs/rows.h"
#include "progress.h"
#include "recover.h"
#include "render/run/run.h"
#include "render/run/totals.h"
#include "render/terminal.h"

/* What the loop gathers. */
struct tally {
	struct pn_run_totals all;
	int64_t start_ns;
	struct pn_json_writer w;
	struct pn_buf json;
};

/* One commit's results, as soon as they are stored. */
static void print_commit(FILE *to, struct tally *t,
			 const struct past_call *call, struct pn_run *run,
			 const char *hex)
{
	size_t rows, count = call->matrix->job_count, bad = t->all.bad;
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	struct pn_ran *ran = pn_rows_ran(&rows, &arena, run, count);

	pn_rows_add_totals(&t->all, run, count);
	if (call->json) {
		pn_ran_commit(&t->w, hex, ran, rows);
	} else {
		pn_ran_text(&text, ran, rows, pn_terminal_columns(to));
		fprintf(to, "%.10s\n%s", hex, pn_buf_text(&text));
		fflush(to);
	}
	if (t->all.bad > bad)
		say("%.10s:", hex);
	run_say_faults(run, count);
	pn_buf_release(&text);
	pn_arena_release(&arena);
}

static int measure(FILE *to, struct tally *t, const struct past_call *call,
		   struct pn_past *past, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_oid commit;
	struct run_place place = {
		.walk = {.count = pn_past_count(past), .commit = hex},
		.start_ns = t->start_ns};
	struct pn_run *run;
	int code = 0;

	while (!code && !interrupted &&
	       (code = pn_past_next(&run, &commit, past, err)) > 0) {
		pn_oid_hex(hex, &commit);
		place.walk.done = t->all.commits;
		if (pn_past_lost(past))
			warn("the worktree for measuring is made anew, and "
			     "what builds left there is gone: %s",
			     pn_past_lost(past));
		code = run_steps(run, &place, err);
		if (!code && !interrupted) {
			code = pn_past_store(past, err);
			if (code && code != PN_ESTOPPED)
				run_leave_pending(run, hex);
		}
		if (!code && !interrupted)
			print_commit(to, t, call, run, hex);
	}
	return code;
}

static void say_nothing_to_do(const struct tally *t, size_t named)
{
	struct pn_buf text = {0};

	pn_run_idle_text(&text, named, &t->all);
	pn_run_left_out_text(&text, &t->all);
	say_lines(&text);
}

/* What was stored stays, whatever came after it. The same commits have the same
 * answer again: 125 when none has a figure, be it since now or before. */
static int conclude(const struct tally *t)
{
	struct pn_buf text = {0};

	if (interrupted) {
		pn_run_interrupted_text(&text, &t->all);
	} else {
		pn_run_added_text(&text, &t->all);
		pn_run_failed_text(&text, &t->all);
	}
	say_lines(&text);
	if (interrupted)
		return EXIT_INTERRUPTED;
	return t->all.bad + t->all.bad_before &&
			       !(t->all.done + t->all.done_before)
		       ? EXIT_NO_VERDICT
		       : EXIT_DONE;
}

static int recover_first(const struct past_call *call, struct pn_error *err)
{
	struct pn_inplace_report report = {0};
	int code = 0;

	if (call->options.in_place)
		code = pn_inplace_recover(&report, call->repo, err);
	say_report(&report);
	return code;
}

/* The worktree goes, or comes back, whatever happened. */
static int loop(FILE *to, struct tally *t, const struct past_call *call,
		struct pn_past *past)
{
	struct pn_error err = {0}, later = {0};
	struct pn_inplace_report report = {0};
	int code = measure(to, t, call, past, &err);
	int closed = pn_past_close(&report, past, &later);

	say_report(&report);
	if (closed)
		return fail(&later);
	return code && !interrupted ? fail(&err) : conclude(t);
}

int run_past(const struct global *global, const struct past_call *call)
{
	struct tally t = {.start_ns = pn_time_now_ns()};
	struct pn_past *past = NULL;
	struct pn_error err = {0};
	struct output out;
	int code;

	if (recover_first(call, &err) ||
	    pn_past_open(&past, call->repo, call->matrix, &call->options,
			 &err) ||
	    open_output(&out, global, call->path, false, &err)) {
		pn_past_close(NULL, past, NULL);
		return fail(&err);
	}
	if (call->json)
		pn_ran_begin(&t.w, &t.json);
	t.all.bad_before = pn_past_skipped(past);
	t.all.done_before = pn_past_measured(past);
	if (!pn_past_count(past))
		say_nothing_to_do(&t, pn_past_named(past));
	code = loop(out.file, &t, call, past);
	if (call->json) {
		pn_ran_end(&t.w, &t.json);
		fwrite(t.json.data, 1, t.json.len, out.file);
	}
	pn_buf_release(&t.json);
	return close_output(&out, EXIT_DONE) == EXIT_DONE ? code : EXIT_FATAL;
}
