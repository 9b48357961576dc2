/* Being told to end. */
#define _GNU_SOURCE /* SIGWINCH */
#include "interrupt.h"

#include "render/terminal.h"

#include <stddef.h>
#include <unistd.h>

volatile sig_atomic_t interrupted;

static void note_interrupt(int signal)
{
	(void)signal;
	interrupted++;
}

void catch_interrupt(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = note_interrupt}, old;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!sigaction(signals[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

static struct pn_terminal_line *volatile shown_line;
static struct pn_terminal_block *volatile shown_block;
static pid_t shown_by; /* a fork of ours has the handler, too */

static void resize(int signal)
{
	(void)signal;
	if (getpid() != shown_by)
		return;
	if (shown_line)
		pn_terminal_line_resize(shown_line);
	if (shown_block)
		pn_terminal_block_resize(shown_block);
}

void follow_resize(struct pn_terminal_line *line,
		   struct pn_terminal_block *block)
{
	struct sigaction action = {.sa_handler =
					   line || block ? resize : SIG_DFL,
				   .sa_flags = SA_RESTART};

	shown_by = getpid();
	shown_line = line;
	shown_block = block;
	sigaction(SIGWINCH, &action, NULL);
}
