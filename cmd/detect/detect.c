/* git perf detect: the detectors as filters, numbers in, a judgement out. */
#define OPT_STRUCT struct detect_options
#include "detect.h"

#include "command.h"

#include <string.h>

static const struct opt opts[] = {
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_FLAG(series), 0, "stdin-series", NULL,
	 "a series or pair on each line or two, an answer to each on a line"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

extern const struct detector detector_history;
extern const struct detector detector_pair;

static const struct detector *const detectors[] = {
	&detector_history,
	&detector_pair,
	NULL,
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

static int run(const struct global *global, int argc, char **argv)
{
	struct detect_options o = {0};
	const struct detector *detector;

	argc = opts_parse(&cmd_detect, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	detector = argc == 1 ? find_detector(argv[0]) : NULL;
	if (!detector)
		return usage(&cmd_detect, "need one of history, pair");
	if (o.series && !detector->has_series)
		return usage(&cmd_detect, "--stdin-series is not for '%s'",
			     detector->name);
	return filter(global, detector, &o);
}

const struct command cmd_detect = {
	.name = "detect",
	.summary = "judge numbers: what changed, how much, how sure",
	.synopsis = "detect (history|pair) [--stdin-series] [--json] "
		    "[-o <file>]",
	.opts = opts,
	.run = run,
};
