/* Where results go: a file, standard output, or git's pager; and in which
 * colours. Long by what a pager needs: its process, signals, git's settings. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/process/process.h"
#include "command.h"
#include "render/terminal.h"
#include "vcs/config/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a signal has to look after; 0: no pager runs. */
static volatile sig_atomic_t pager_pid, pager_fd;

static bool expected, always; /* colours: of use, even in a pipe */
static unsigned forms = PN_VIEW_FORMS_TEXT;

/*
 * The terminal belongs to the pager until it ends: a shell that came back
 * before would fight with it for the keyboard.
 */
static void wait_for_pager(int signal)
{
	close(pager_fd);
	while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
		;
	raise(signal);
}

static void guard_pager(pid_t pid, int fd)
{
	static const int signals[] = {SIGINT, SIGHUP, SIGTERM, SIGQUIT,
				      SIGPIPE};
	struct sigaction action = {.sa_handler = wait_for_pager,
				   .sa_flags = SA_RESETHAND | SA_NODEFER};

	pager_pid = pid;
	pager_fd = fd;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i],
			  pid ? &action
			      : &(struct sigaction){.sa_handler = SIG_DFL},
			  NULL);
}

/* What is written into the pager's pipe is still for the terminal's width, as
 * git tells its own commands. */
static void tell_columns(void)
{
	size_t columns = pn_terminal_columns(stdout);
	char text[PN_NUMBER_TEXT];

	if (columns) {
		snprintf(text, sizeof(text), "%zu", columns);
		setenv("COLUMNS", text, 0);
	}
}

static int start_pager(struct output *out, const char *pager,
		       struct pn_error *err)
{
	int fd, code;

	tell_columns();
	code = pn_pager_start(&fd, &out->pager, pager, err);
	if (code)
		return code;
	out->file = fdopen(fd, "w");
	if (!out->file)
		pn_alloc_failed(sizeof(FILE));
	guard_pager(out->pager, fd);
	return 0;
}

void expect_output(const struct command *command)
{
	expected = command->colored;
	if (command->forms)
		forms = command->forms;
}

void read_colors(struct pn_repo *repo)
{
	always = expected && !isatty(STDOUT_FILENO) && pn_color_is_always(repo);
}

/* Colour is asked for only where somebody may look, or said always to have it:
 * git takes its time to answer. */
static bool choose_color(const struct global *global, const struct output *out)
{
	const char *no_color = getenv("NO_COLOR");
	bool paged = out->pager || getenv("GIT_PAGER_IN_USE");

	if (global->color && strcmp(global->color, "auto"))
		return !strcmp(global->color, "always");
	if (out->path || (no_color && *no_color))
		return false;
	if (!paged && !isatty(STDOUT_FILENO))
		return always;
	return pn_color_is_wanted(!paged, paged);
}

static struct pn_palette choose_palette(struct pn_color slots[PN_COLORS])
{
	pn_colors_read(slots);
	return (struct pn_palette){slots[0].text, slots[1].text, slots[2].text,
				   slots[3].text, slots[4].text, "\033[m"};
}

int open_output(struct output *out, const struct global *global,
		const char *path, bool page, struct pn_error *err)
{
	char *pager = NULL;
	int code = 0;

	*out = (struct output){.file = stdout};
	if (path && strcmp(path, "-")) {
		code = pn_view_file_check(path, forms, err);
		if (code)
			return code;
		out->path = path;
		code = pn_replace_open(&out->replace, path, err);
		out->file = out->replace.file;
	} else if (page && !global->no_pager && isatty(STDOUT_FILENO) &&
		   (pager = pn_pager_choose())) {
		code = start_pager(out, pager, err);
	}
	free(pager);
	out->palette = PN_PALETTE_PLAIN;
	if (!code && choose_color(global, out))
		out->palette = choose_palette(out->colors);
	return code;
}

static void end_pager(struct output *out)
{
	struct pn_process process = {.pid = out->pager, .out = -1};
	int status;

	fclose(out->file);
	pn_process_wait(&status, &process, NULL);
	guard_pager(0, -1);
	*out = (struct output){0};
}

int close_output(struct output *out, int code)
{
	struct pn_error err;

	if (out->pager) {
		end_pager(out);
		return code;
	}
	if (!out->path)
		return finish_stdout(code);
	if (pn_replace_finish(&out->replace)) {
		pn_error_system(&err, "cannot write '%s'", out->path);
		discard_output(out);
		return fail(&err);
	}
	return code;
}

int write_output(const struct global *global, const char *path,
		 const struct pn_buf *bytes, int code, struct pn_error *err)
{
	struct output out;

	if (!code)
		code = open_output(&out, global, path, false, err);
	if (code)
		return fail(err);
	if (bytes->len)
		fwrite(bytes->data, 1, bytes->len, out.file);
	return close_output(&out, EXIT_DONE);
}

void discard_output(struct output *out)
{
	if (out->pager) {
		end_pager(out);
		return;
	}
	if (out->path)
		pn_replace_discard(&out->replace);
	*out = (struct output){0};
}
