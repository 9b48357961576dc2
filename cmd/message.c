/* Lines for people, on standard error. */
#include "base/buf.h"
#include "base/escape.h"
#include "base/text/width.h"
#include "base/trace2.h"
#include "command.h"
#include "render/terminal.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define INDENT 2	    /* of what a terminal has no room for */
#define LINE_MAX_BYTES 8192 /* two of the longest paths */

/* One write, so that lines of parallel processes do not mix. What is wider than
 * a terminal goes on below. */
static void print_line(const char *prefix, const char *format, va_list args)
{
	char plain[LINE_MAX_BYTES];
	struct pn_buf line = {0}, whole = {0};
	size_t columns = 0;

	vsnprintf(plain, sizeof(plain), format, args);
	pn_buf_add_text(&whole, prefix);
	pn_escape_terminal(&whole, plain, strlen(plain));
	/* what is quoted stays as it was written */
	if (*prefix != ' ' && isatty(STDERR_FILENO))
		columns = pn_terminal_columns(stderr);
	pn_text_wrap(&line, pn_buf_text(&whole), whole.len, columns, INDENT);
	pn_buf_add_byte(&line, '\n');
	pn_buf_release(&whole);
	fflush(stdout);
	fwrite(pn_buf_text(&line), 1, line.len, stderr);
	fflush(stderr);
	pn_buf_release(&line);
}

static void print_prefixed(const char *prefix, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line(prefix, format, args);
	va_end(args);
}

int fail(const struct pn_error *err)
{
	pn_trace2_error(PN_TRACE2_HERE, err->message);
	print_prefixed("fatal: ", "%s", err->message);
	return EXIT_FATAL;
}

int usage(const struct command *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line("error: ", format, args);
	va_end(args);
	print_prefixed("", "see 'git perf %s%s-h'",
		       command ? command->name : "", command ? " " : "");
	return EXIT_USAGE;
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line("", format, args);
	va_end(args);
}

static void print_lines(const char *prefix, const char *lines)
{
	size_t len;

	for (; *lines; lines += len + (lines[len] == '\n')) {
		len = strcspn(lines, "\n");
		print_prefixed(prefix, "%.*s", (int)len, lines);
	}
}

void say_lines(struct pn_buf *lines)
{
	print_lines("", pn_buf_text(lines));
	pn_buf_release(lines);
}

void warn_lines(struct pn_buf *lines)
{
	print_lines("warning: ", pn_buf_text(lines));
	pn_buf_release(lines);
}

void quote(const char *lines)
{
	print_lines("    ", lines);
}

void warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line("warning: ", format, args);
	va_end(args);
}

int finish_stdout(int code)
{
	struct pn_error err;
	int copy;

	/* A network file system reports a full disk when a copy is closed. */
	if (!fflush(stdout) && !ferror(stdout)) {
		copy = dup(STDOUT_FILENO);
		if (copy < 0 || !close(copy))
			return code;
	}
	pn_error_system(&err, "cannot write to standard output");
	clearerr(stdout);
	return fail(&err);
}
