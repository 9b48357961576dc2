/* One run of a command, with what goes around it. */
#include "collect/iteration.h"

#include "base/file.h"
#include "base/hash.h"
#include "collect/said.h"
#include "collect/steady.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

#define OFFSET "GIT_PERF_RANDOM_ENV_OFFSET="
#define ENV_MAX (2 * PN_COLLECT_MAX_ENV + 3) /* ours, and the NULL */

/* What the plan says of every child. Cleaning up is due when all else is over:
 * only what comes now stops it. */
static void set_common(struct pn_process_options *options,
		       const struct pn_collect_plan *plan, bool is_cleanup)
{
	options->dir = plan->dir;
	options->env_unset = plan->env_unset;
	options->own_group = true;
	options->background = plan->background;
	options->stop = plan->stop;
	options->timeout_ns = plan->timeout_ns;
	options->launcher = plan->launcher;
	if (is_cleanup && plan->stop)
		options->stop_after = *plan->stop;
}

/* A list of the plan's behind our own variables. */
static size_t add_env(const char *env[ENV_MAX], size_t count,
		      const char *const *more)
{
	size_t i;

	for (i = 0; more && more[i] && i < PN_COLLECT_MAX_ENV; i++)
		env[count++] = more[i];
	env[count] = NULL;
	return count;
}

int pn_iteration_line(const struct pn_collect_plan *plan, const char *what,
		      const char *line, const char *iteration,
		      struct pn_error *err)
{
	const char *argv[] = {PN_ITERATION_SHELL, "-c", line, NULL};
	const char *env[ENV_MAX] = {iteration};
	/* the result is on standard output: nothing else may come there */
	struct pn_process_options options = {.env_set = env, .out = -1};
	struct pn_process_cost cost;
	int code, status;

	if (!line)
		return 0;
	add_env(env, iteration != NULL, plan->env_set);
	set_common(&options, plan, !strcmp(what, "cleanup"));
	code = pn_process_measure(&cost, &status, argv, &options, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO,
				    "the %s command '%s' exited with status %d",
				    what, line, status);
	return code;
}

static int open_at(int *fd, const char *path, int flags, struct pn_error *err)
{
	*fd = open(path, flags | O_CLOEXEC, 0666);
	if (*fd < 0)
		return pn_error_system(err, "cannot open '%s'", path);
	return 0;
}

/* Fds of the command; those above 0 are for the caller to close. */
static int open_files(struct pn_process_options *options,
		      const struct pn_collect_plan *plan, struct pn_error *err)
{
	int code = 0;

	options->in = options->out = options->err = -1;
	if (plan->output == PN_COLLECT_INHERIT)
		options->out = options->err = 0;
	else
		options->err = pn_said_begin(plan->said);
	if (plan->input_path)
		code = open_at(&options->in, plan->input_path, O_RDONLY, err);
	if (!code && plan->output == PN_COLLECT_FILE)
		code = open_at(&options->out, plan->output_path,
			       O_WRONLY | O_CREAT | O_TRUNC, err);
	return code;
}

static void make_offset(char *out)
{
	size_t len = pn_hash_random() % PN_ITERATION_MAX_OFFSET;

	memcpy(out, OFFSET, sizeof(OFFSET) - 1);
	memset(out + sizeof(OFFSET) - 1, 'X', len);
	out[sizeof(OFFSET) - 1 + len] = '\0';
}

/* What is to be measured gets neither more nor less of it. */
static const char *const *steady_env(struct pn_arena *arena,
				     const struct pn_collect_plan *plan,
				     const char *const *given)
{
	char *here = plan->dir ? NULL : getcwd(NULL, 0);
	struct pn_steady steady = {.have = (const char *const *)environ,
				   .given = given,
				   .argv = plan->stack_argv,
				   .names = pn_collect_option(plan, "env"),
				   .dir = plan->dir ? plan->dir : here};
	const char *const *env = pn_steady_environment(arena, &steady);

	free(here);
	return env;
}

int pn_iteration_start(struct pn_process_run **out,
		       const struct pn_collect_plan *plan,
		       const char *const *argv, const char *iteration,
		       struct pn_error *err)
{
	char offset[sizeof(OFFSET) + PN_ITERATION_MAX_OFFSET];
	const char *env[ENV_MAX] = {iteration};
	struct pn_process_options options = {.env_set = env};
	struct pn_arena arena = {0};
	size_t count = 1;
	int code;

	make_offset(offset);
	if (!plan->fixed_stack)
		env[count++] = offset;
	count = add_env(env, count, plan->env_set);
	add_env(env, count, plan->command_env);
	set_common(&options, plan, false);
	options.env_whole = plan->fixed_stack;
	if (plan->fixed_stack)
		options.env_set = steady_env(&arena, plan, env);
	code = open_files(&options, plan, err);
	if (!code)
		code = pn_process_measure_start(out, argv, &options, err);
	if (options.in > 0)
		close(options.in);
	if (options.out > 0)
		close(options.out);
	pn_arena_release(&arena);
	return code;
}

int pn_iteration_measure(struct pn_iteration *out,
			 const struct pn_collect_plan *plan,
			 const char *const *argv, const char *iteration,
			 struct pn_error *err)
{
	struct pn_process_run *run;
	int code;

	code = pn_iteration_start(&run, plan, argv, iteration, err);
	if (code)
		return code;
	pn_said_wait(plan->said, run, 0);
	return pn_process_measure_finish(&out->cost, &out->status, run, err);
}

void pn_iteration_name(char out[PN_ITERATION_NAME], bool warming_up,
		       uint64_t iteration)
{
	snprintf(out, PN_ITERATION_NAME, "GIT_PERF_ITERATION=%s%" PRIu64,
		 warming_up ? "warmup-" : "", iteration);
}

int pn_iteration_run(struct pn_iteration *out,
		     const struct pn_collect_plan *plan,
		     const struct pn_collect_job *job, const char *iteration,
		     struct pn_error *err)
{
	const char *shell[] = {plan->shell, "-c", job->line, NULL};
	int64_t start = pn_time_monotonic_ns();
	int code = pn_iteration_line(plan, "prepare", job->prepare, iteration,
				     err);

	if (!code)
		code = pn_iteration_measure(out, plan,
					    job->line ? shell : job->argv,
					    iteration, err);
	if (!code)
		code = pn_iteration_line(plan, "conclude", job->conclude,
					 iteration, err);
	out->elapsed_ns = pn_time_monotonic_ns() - start;
	return code;
}

/* A shell passes on as 128 + n that its command died of signal n. */
int pn_iteration_refuse(const struct pn_collect_job *job, int status,
			struct pn_error *err)
{
	const char *name = job->line ? job->line : job->argv[0];

	if (status > 128 && status <= 128 + SIGSYS)
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' ended with signal %d (%s)", name,
				    status - 128, strsignal(status - 128));
	return pn_error_set(err, PN_EREFUSED, "'%s' exited with status %d",
			    name, status);
}
