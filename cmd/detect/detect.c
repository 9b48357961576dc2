/* git perf detect: the detectors as filters, numbers in, a judgement out. */
#define OPT_STRUCT struct detect_options
#include "detect.h"

#include "base/number.h"
#include "command.h"

#include <string.h>

static const struct pn_opt opts[] = {
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_FLAG(series), 0, "stdin-series", NULL,
	 "a series or pair on each line or two, an answer to each on a line"},
	{OPT_FLAG(counts), 0, "counts", NULL,
	 "numbers are counts, which do not vary by themselves"},
	{OPT_TEXT(tolerance_text), 0, "tolerance", "<share>",
	 "a duel ends when no change is larger (2%)"},
	{OPT_TEXT(margin_text), 0, "margin", "<share>",
	 "slower or faster is by more than this (0)"},
	{OPT_INT(max_pairs), 0, "max-pairs", "<n>",
	 "a duel has no more pairs (100)", .min = 1},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

extern const struct detector detector_history;
extern const struct detector detector_pair;
extern const struct detector detector_functions;
extern const struct detector detector_duel;

static const struct detector *const detectors[] = {
	&detector_history, &detector_pair, &detector_functions,
	&detector_duel,	   NULL,
};

static const struct detector *find_detector(const char *name)
{
	for (size_t i = 0; detectors[i]; i++)
		if (!strcmp(detectors[i]->name, name))
			return detectors[i];
	return NULL;
}

static int answer(struct pn_buf *out, const struct detector *detector,
		  const struct detect_options *o, struct pn_error *err)
{
	struct pn_lines lines = {0};
	bool have = true;
	int code = pn_reader_open(&lines.in, "-", 0, err);

	while (!code && have) {
		code = detector->run(out, &have, &lines, o, err);
		have = have && o->series;
	}
	pn_reader_free(lines.in);
	return code;
}

static int filter(const struct global *global, const struct detector *detector,
		  const struct detect_options *o)
{
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code = answer(&text, detector, o, &err);

	code = write_output(global, o->output, &text, code, &err);
	pn_buf_release(&text);
	return code;
}

/* Below 0 without a text. False when it is no share. */
static bool read_share(double *out, const char *text)
{
	*out = -1;
	return !text || pn_number_share(out, text);
}

/* What is not for this detector, NULL when all is. */
static const char *find_misplaced(const struct detector *detector,
				  const struct detect_options *o)
{
	if (o->series && !detector->has_series)
		return "stdin-series";
	if (o->counts && !detector->has_counts)
		return "counts";
	if (detector->is_duel)
		return NULL;
	return o->tolerance_text ? "tolerance"
	       : o->margin_text	 ? "margin"
	       : o->max_pairs	 ? "max-pairs"
				 : NULL;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct detect_options o = {0};
	const struct detector *detector;
	const char *misplaced;

	argc = opts_parse(&cmd_detect, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	detector = argc == 1 ? find_detector(argv[0]) : NULL;
	if (!detector)
		return usage(&cmd_detect, "need one of history, pair, "
					  "functions, duel");
	misplaced = find_misplaced(detector, &o);
	if (misplaced)
		return usage(&cmd_detect, "--%s is not for '%s'", misplaced,
			     detector->name);
	if (!read_share(&o.tolerance, o.tolerance_text))
		return usage(&cmd_detect,
			     "'%s' is no share; need one such as 0.02 or 2%%",
			     o.tolerance_text);
	if (!read_share(&o.margin, o.margin_text))
		return usage(&cmd_detect,
			     "'%s' is no share; need one such as 0.01 or 1%%",
			     o.margin_text);
	return filter(global, detector, &o);
}

const struct command cmd_detect = {
	.name = "detect",
	.summary = "judge numbers: what changed, how much, how sure",
	.synopsis = "detect history [--stdin-series] [--json] [-o <file>]\n"
		    "detect pair [--stdin-series] [--counts] [--json] "
		    "[-o <file>]\n"
		    "detect functions [--counts] [--json] [-o <file>]\n"
		    "detect duel [--tolerance=<share>] [--margin=<share>] "
		    "[--max-pairs=<n>] [--counts] [--json] [-o <file>]",
	.opts = opts,
	.run = run,
};
