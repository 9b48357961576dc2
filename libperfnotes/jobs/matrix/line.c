/* Where a key stands in a job file: git says what it reads, not from where. */
#include "jobs/matrix/keys.h"

#include <ctype.h>
#include <stdbool.h>

struct scan {
	const char *at, *end;
	size_t line;
};

static int next(struct scan *s)
{
	int c = s->at < s->end ? (unsigned char)*s->at++ : -1;

	s->line += c == '\n';
	return c;
}

/* Up to the end of the line, which stays. */
static void skip_comment(struct scan *s)
{
	while (s->at < s->end && *s->at != '\n')
		s->at++;
}

/* Behind '[': a subsection's name may have brackets in its quotes. */
static void skip_section(struct scan *s)
{
	bool quoted = false;
	int c;

	while ((c = next(s)) >= 0) {
		if (c == '\\')
			next(s);
		else if (c == '"')
			quoted = !quoted;
		else if (c == ']' && !quoted)
			return;
	}
}

/* Name, '=' and value, over lines that end in a backslash. */
static void skip_key(struct scan *s)
{
	bool quoted = false;
	int c;

	while ((c = next(s)) >= 0) {
		if (c == '\\')
			next(s);
		else if (c == '"')
			quoted = !quoted;
		else if ((c == '#' || c == ';') && !quoted)
			skip_comment(s);
		else if (c == '\n')
			return;
	}
}

size_t pn_matrix_line(const char *text, size_t len, size_t index)
{
	struct scan s = {text, text + len, 1};
	int c;

	while ((c = next(&s)) >= 0) {
		if (isspace(c) || c == 0xef || c == 0xbb || c == 0xbf)
			continue; /* a byte order mark, too */
		if (c == '#' || c == ';')
			skip_comment(&s);
		else if (c == '[')
			skip_section(&s);
		else if (index--)
			skip_key(&s);
		else
			return s.line;
	}
	return 0;
}
