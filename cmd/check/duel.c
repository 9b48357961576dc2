/* git perf check --run: the jobs of .gitperf at two commits, run in turns until
 * it is known which is slower. */
#include "duel.h"

#include "base/file.h"
#include "interrupt.h"
#include "jobs/duel/request.h"
#include "jobs/duel/told.h"
#include "render/judged/duelled.h"
#include "render/judged/studied.h"
#include "render/terminal.h"

#include <string.h>
#include <unistd.h>

static void show(struct pn_terminal_line *line,
		 const struct pn_duels_progress *p)
{
	const void *about = p->building ? (const void *)p->building : p->row;
	struct pn_buf text = {0};

	if (!pn_terminal_line_due(line, about, pn_time_monotonic_ns()))
		return;
	pn_duels_progress_text(&text, p);
	pn_terminal_line_show(line, stderr, &text);
	pn_buf_release(&text);
}

static int all_steps(struct pn_duels *duels, struct pn_error *err)
{
	bool is_shown = isatty(STDERR_FILENO), told = false;
	struct pn_terminal_line line = {0};
	struct pn_duels_progress progress;
	int code;

	if (is_shown)
		follow_resize(&line, NULL);
	while ((code = pn_duels_step(duels, &progress, err)) > 0) {
		if (is_shown)
			show(&line, &progress);
		else if (progress.waiting && !told)
			say("waiting for another run of this repository to "
			    "end");
		told |= progress.waiting;
	}
	follow_resize(NULL, NULL);
	pn_terminal_line_clear(&line, stderr);
	return code;
}

static int result_of(const struct pn_duels_told *told,
		     const struct duel_call *call)
{
	int may = pn_studied_may_gate(&told->studied);

	if (call->ask->selfcheck)
		return may > 0 ? EXIT_DONE : may ? EXIT_NO_VERDICT : EXIT_NO;
	switch (pn_duelled_result(&told->report)) {
	case PN_VERDICT_DEGRADATION:
		return EXIT_NO;
	case PN_VERDICT_UNKNOWN:
		return call->allow_unknown ? EXIT_DONE : EXIT_NO_VERDICT;
	default:
		return EXIT_DONE;
	}
}

static int print(const struct pn_duels *duels, const struct duel_call *call,
		 const struct global *global)
{
	struct pn_duels_told told;
	struct pn_error err = {0};
	struct pn_buf text = {0}, faults = {0};
	int code;

	pn_duels_tell(&told, duels, call->ask->selfcheck);
	if (!call->ask->selfcheck)
		pn_duelled_print(&text, &told.report, call->format);
	else if (!strcmp(call->format, "json"))
		pn_studied_json(&text, &told.studied);
	else
		pn_studied_text(&text, &told.studied);
	pn_duelled_faults(&faults, &told.report);
	code = write_output(global, call->output, &text, 0, &err);
	fputs(pn_buf_text(&faults), stderr);
	if (code == EXIT_DONE)
		code = result_of(&told, call);
	pn_buf_release(&text);
	pn_buf_release(&faults);
	pn_duels_told_release(&told);
	return code;
}

static int duel(struct pn_duel_request *request, struct pn_error *err)
{
	int code = open_repo(&request->repo, err);

	catch_interrupt();
	if (!code)
		code = pn_duel_request_open(request, err);
	if (!code && request->left_changes)
		say("the work tree differs from HEAD: HEAD is measured as it "
		    "was committed");
	if (!code)
		code = all_steps(request->duels, err);
	if (!code && !interrupted)
		code = pn_duels_store(request->duels, err);
	return code;
}

int check_by_duel(const struct global *global, const struct duel_call *call,
		  int argc, char **argv)
{
	struct pn_duel_request request = {.config = call->ask->config,
					  .names = (const char *const *)argv,
					  .name_count = (size_t)argc,
					  .same = call->ask->selfcheck};
	struct pn_error err = {0}, later = {0};
	int result = EXIT_FATAL, code;

	code = pn_duel_ask_read(&request.options, call->ask, call->which, &err);
	request.options.sides.stop = &interrupted;
	if (!code)
		code = duel(&request, &err);
	if (!code && !interrupted)
		result = print(request.duels, call, global);
	/* the worktrees go whatever happened */
	if (pn_duel_request_close(&request, &later) && !code && !interrupted)
		result = fail(&later);
	pn_repo_free(request.repo);
	if (interrupted)
		say("interrupted: nothing is kept");
	return interrupted ? EXIT_INTERRUPTED : code ? fail(&err) : result;
}
