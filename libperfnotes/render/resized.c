/* What is on a terminal while it gets another size. */
#define _GNU_SOURCE /* SIGWINCH */
#include "render/terminal.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

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

void pn_terminal_follow(struct pn_terminal_line *line,
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
