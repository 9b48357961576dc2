/* While a command is sampled. */
#define _GNU_SOURCE /* struct winsize, TIOCGWINSZ */
#include "live.h"

#include "analysis/report.h"
#include "base/buf.h"
#include "base/escape.h"
#include "base/number.h"
#include "collect/sample/control.h"
#include "command.h"
#include "render/rows.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ROWS 10		 /* where the terminal does not say how many fit */
#define ROWS_AROUND 12	 /* title, header, cursor */
#define UP "\033[%zuA\r" /* ECMA-48: CUU, ... */
#define CLEAR "\033[J"	 /* ... ED: all below */

/* Rows and columns; false where nobody knows. */
static bool terminal_size(struct winsize *out)
{
	return !ioctl(STDERR_FILENO, TIOCGWINSZ, out) && out->ws_row &&
	       out->ws_col;
}

static int64_t count_rows(void)
{
	struct winsize size;

	if (!terminal_size(&size))
		return ROWS;
	return size.ws_row > ROWS_AROUND + 1 ? size.ws_row - ROWS_AROUND : 1;
}

void live_clear(struct live *live)
{
	if (live->lines)
		fprintf(stderr, UP CLEAR, live->lines);
	live->lines = 0;
	fflush(stderr);
}

/* Lines as wide as the terminal: one that it breaks would be two to go up. */
static size_t add_lines(struct pn_buf *to, const char *text, size_t len)
{
	const char *end = text + len, *stop;
	struct winsize size;
	size_t lines = 0, width;

	if (!terminal_size(&size))
		size.ws_col = USHRT_MAX;
	for (; text < end && (stop = memchr(text, '\n', (size_t)(end - text)));
	     text = stop + 1, lines++) {
		width = (size_t)(stop - text);
		pn_buf_add(to, text, width < size.ws_col ? width : size.ws_col);
		pn_buf_add_byte(to, '\n');
	}
	return lines;
}

/* In one write, so that it does not flicker. */
static void replace(struct live *live, const char *text, size_t len)
{
	struct pn_buf all = {0};

	if (!isatty(STDERR_FILENO)) {
		fwrite(text, 1, len, stderr);
		return;
	}
	if (live->lines)
		pn_buf_printf(&all, UP CLEAR, live->lines);
	live->lines = add_lines(&all, text, len);
	fwrite(pn_buf_text(&all), 1, all.len, stderr);
	fflush(stderr);
	pn_buf_release(&all);
}

static int print_top(FILE *to, struct pn_profile *snapshot,
		     struct pn_error *err)
{
	struct pn_report_options options = {
		.divide_by = 1,
		.node_count = count_rows(),
		.node_fraction = PN_REPORT_NODE_FRACTION,
		.edge_fraction = PN_REPORT_EDGE_FRACTION};
	struct pn_report report = {0};
	struct pn_view_input in = {.profile = snapshot, .report = &report};
	int code;

	pn_view_options(&options, &pn_view_top);
	code = pn_report_init(&report, snapshot, &options, err);
	if (!code)
		code = pn_view_print(to, &pn_view_top, &in, "collect", false,
				     err);
	pn_report_release(&report);
	return code;
}

int live_show(struct live *live, const char *title, struct pn_profile *snapshot,
	      struct pn_error *err)
{
	struct pn_buf line = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);
	int code = 0;

	if (!to)
		return pn_error_system(err, "cannot show a snapshot");
	pn_escape_terminal(&line, title, strlen(title));
	fprintf(to, "%s\n", pn_buf_text(&line));
	pn_buf_release(&line);
	if (snapshot->sample_count)
		code = print_top(to, snapshot, err);
	else
		fputs("no sample yet\n", to);
	if (fclose(to) && !code)
		code = pn_error_system(err, "cannot show a snapshot");
	if (!code)
		replace(live, text, len);
	free(text);
	return code;
}

int live_send(const char *message, int argc, char **argv)
{
	struct pn_runtime_control *control = NULL;
	struct pn_error err;
	int64_t pid = 0;
	int code;

	if (argc > 1 ||
	    (argc &&
	     (!pn_number_int(&pid, argv[0], strlen(argv[0])) || pid < 1)))
		return usage(&cmd_collect, "--send takes no command, only the "
					   "number of a git-perf process");
	code = pn_sampler_control_find(&control, pid, &err);
	if (!code)
		code = pn_sampler_control_tell(control, message, &err);
	pn_sampler_control_release(control);
	return code ? fail(&err) : EXIT_DONE;
}
