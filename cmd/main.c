/*
 * git-perf: the options before the command, the table of commands, dispatch,
 * and the last look at what was written. Long by its tables.
 */
#include "base/alloc.h"
#include "base/process/standard.h"
#include "base/trace2.h"
#include "command.h"
#include "interrupt.h"
#include "vcs/lock.h"
#include "vcs/repo.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order in which help lists them. */
const struct command *const commands[] = {
	&cmd_init,     &cmd_collect, &cmd_run,		&cmd_recover,
	&cmd_trust,    &cmd_hooks,   &cmd_worker,	&cmd_add,
	&cmd_rm,       &cmd_status,  &cmd_log,		&cmd_show,
	&cmd_annotate, &cmd_diff,    &cmd_merge,	&cmd_model,
	&cmd_check,    &cmd_accept,  &cmd_blame,	&cmd_impact,
	&cmd_detect,   &cmd_bisect,  &cmd_report,	&cmd_export,
	&cmd_formats,  &cmd_import,  &cmd_export_perun, &cmd_push,
	&cmd_fetch,    &cmd_pull,    &cmd_bundle,	&cmd_prune,
	&cmd_gc,       &cmd_size,    &cmd_fsck,		&cmd_help,
	NULL,
};

void pn_alloc_failed(size_t size)
{
	static const char text[] = "fatal: out of memory\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)n;
	(void)size;
	_exit(EXIT_FATAL);
}

const struct command *find_command(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* -C has changed the folder by now. */
int open_repo(struct pn_repo **out, struct pn_error *err)
{
	return open_repo_at(out, NULL, err);
}

int open_repo_at(struct pn_repo **out, const char *dir, struct pn_error *err)
{
	const struct pn_patience patience = {stderr, &interrupted, 0};
	int code = pn_repo_open(out, dir, err);

	if (!code)
		pn_lock_set_patience(*out, &patience);
	if (!code || code == PN_ENOTFOUND)
		read_colors(code ? NULL : *out);
	return code;
}

/* What completion asks for: one line for each command. */
static int list_commands(void)
{
	for (size_t i = 0; commands[i]; i++)
		printf("%s\t%s\n", commands[i]->name, commands[i]->summary);
	return EXIT_DONE;
}

static int change_dir(const char *dir)
{
	struct pn_error err;

	if (!*dir || !chdir(dir))
		return EXIT_DONE;
	pn_error_system(&err, "cannot change to '%s'", dir);
	return fail(&err);
}

static bool is_color_choice(const char *text)
{
	return !strcmp(text, "auto") || !strcmp(text, "always") ||
	       !strcmp(text, "never");
}

/* An option that is all of the command line. */
static int answer_global(const char *arg)
{
	if (!strcmp(arg, "--help"))
		return open_manual(NULL);
	if (!strcmp(arg, "--list-commands"))
		return list_commands();
	if (!strcmp(arg, "--version"))
		printf("git-perf version %s\n", PERF_VERSION);
	else if (!strcmp(arg, "-h"))
		print_commands(stdout);
	else
		return unknown_global(arg);
	return EXIT_DONE;
}

/*
 * Take the options before the command. Returns the index of the command, argc
 * when there is none, or -1 with an exit code in *code when all is done.
 */
static int read_globals(struct global *global, int *code, int argc, char **argv)
{
	int i = 1;

	*code = EXIT_USAGE;
	for (; i < argc && argv[i][0] == '-'; i++) {
		const char *arg = argv[i];

		if (!strcmp(arg, "-C")) {
			if (++i == argc) {
				usage(NULL, "option '-C' needs a folder");
				return -1;
			}
			if ((*code = change_dir(argv[i])) != EXIT_DONE)
				return -1;
			*code = EXIT_USAGE;
		} else if (!strcmp(arg, "--no-pager")) {
			global->no_pager = true;
		} else if (!strncmp(arg, "--color=", 8) &&
			   is_color_choice(arg + 8)) {
			global->color = arg + 8;
		} else if (!strcmp(arg, "--color")) {
			global->color = "always";
		} else if (!strcmp(arg, "--no-color")) {
			global->color = "never";
		} else if (!strncmp(arg, "--color=", 8)) {
			usage(NULL,
			      "'%s' is no colour setting; need auto, "
			      "always or never",
			      arg + 8);
			return -1;
		} else {
			*code = answer_global(arg);
			return -1;
		}
	}
	return i;
}

static int dispatch(const struct global *global, int argc, char **argv)
{
	const struct command *command = find_command(argv[0]);

	if (!command)
		return unknown_command(argv[0]);
	if (argc == 2 && !strcmp(argv[1], "--help"))
		return open_manual(command);
	if (argc == 2 && !strcmp(argv[1], "--list-options")) {
		pn_opts_list(stdout, command->opts);
		return EXIT_DONE;
	}
	if (argc >= 2 && !strcmp(argv[1], "--list-names"))
		return list_names(command, argc > 2 ? argv[2] : "");
	if (argc >= 3 && !strcmp(argv[1], "--list-values"))
		return list_values(command, argv[2], argc - 3, argv + 3);
	pn_trace2_command(PN_TRACE2_HERE, command->name);
	expect_output(command);
	return command->run(global, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	struct global global = {0};
	int code, at;

	pn_process_standard();
	pn_alloc_give_back();
	pn_trace2_start(PN_TRACE2_HERE, PERF_VERSION,
			(const char *const *)argv);
	at = read_globals(&global, &code, argc, argv);
	if (at >= argc)
		print_commands(stderr);
	else if (at > 0)
		code = dispatch(&global, argc - at, argv + at);
	code = finish_stdout(code);
	pn_trace2_exit(PN_TRACE2_HERE, code);
	return code;
}
