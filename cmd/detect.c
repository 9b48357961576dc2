/* git perf detect: the detectors as filters, numbers in, a judgement out. */
#include "command.h"
#include "render/answers/answer.h"

#include <unistd.h>

struct options {
	struct pn_answer_ask ask;
	const char *output;
};

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_answer_ask, ask, pn_answer_opts)},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static int run(const struct global *global, int argc, char **argv)
{
	const struct pn_answer *answer = NULL;
	struct pn_reader *in = NULL;
	struct options o = {.output = NULL};
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code;

	argc = opts_parse(&cmd_detect, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (pn_answer_find(&answer, argc == 1 ? argv[0] : NULL, &o.ask, &err))
		return usage(&cmd_detect, "%s", err.message);
	if (isatty(STDIN_FILENO))
		say("reading numbers from the terminal, to the end (Ctrl-D)");
	code = pn_reader_open(&in, "-", 0, &err);
	if (!code)
		code = pn_answer_all(&text, answer, in, &o.ask, &err);
	code = write_output(global, o.output, &text, code, &err);
	pn_reader_free(in);
	pn_buf_release(&text);
	return code;
}

const struct command cmd_detect = {
	.name = "detect",
	.summary = "judge numbers: what changed, how much, how sure",
	.synopsis = "detect history [--stdin-series] [--json] [-o <file>]\n"
		    "detect pair [--stdin-series] [--counts] [--json] "
		    "[-o <file>]\n"
		    "detect functions [--counts] [--json] [-o <file>]\n"
		    "detect duel [<options>] [--counts] [--json] [-o <file>]",
	.opts = opts,
	.run = run,
};
