/* Collapsed stacks: how they are recognised, and their row of the table. */
#include "codec/collapsed/collapsed.h"
#include "codec/codec.h"

#include <string.h>

#define SEMICOLONS_MIN 3 /* in the part that is seen of a very long line */

/* Names may hold bytes that control a terminal; what the decoder refuses, and a
 * line's end within a line, are of another format. */
static bool is_text(const unsigned char *bytes, size_t len)
{
	unsigned int others = 0;
	size_t i;

	for (i = 0; i < len; i++)
		others |= !bytes[i] || bytes[i] == '\r';
	return !others;
}

static bool has_controls(const unsigned char *bytes, size_t len)
{
	unsigned int controls = 0;
	size_t i;

	for (i = 0; i < len; i++)
		controls |= bytes[i] < ' ' && bytes[i] != '\t';
	return controls;
}

/* "anything, a blank, digits": what the decoder takes for a stack. */
static bool is_stack(const unsigned char *line, size_t len)
{
	size_t at = len;
	bool point = false;

	while (at && ((line[at - 1] >= '0' && line[at - 1] <= '9') ||
		      (line[at - 1] == '.' && !point)))
		point |= line[--at] == '.';
	return at && at < len && line[at] != '.' &&
	       (line[at - 1] == ' ' || line[at - 1] == '\t') &&
	       is_text(line, len);
}

/* A line that does not end within the window. */
static bool is_long_stack(const unsigned char *line, size_t len)
{
	size_t i, semicolons = 0;

	for (i = 0; i < len; i++)
		semicolons += line[i] == ';';
	return semicolons >= SEMICOLONS_MIN && *line != '{' && *line != '[' &&
	       *line != '<' && is_text(line, len);
}

static bool is_utf16(const unsigned char *bytes, size_t len)
{
	return len >= 2 &&
	       (!memcmp(bytes, "\xff\xfe", 2) || !memcmp(bytes, "\xfe\xff", 2));
}

static size_t trim(const unsigned char *line, size_t len)
{
	while (len && (line[len - 1] == '\r' || line[len - 1] == ' ' ||
		       line[len - 1] == '\t'))
		len--;
	return len;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	const unsigned char *at = bytes, *end = bytes + len, *lf;
	bool semicolon = false, controls = false;
	size_t stacks = 0, n;

	/* so that the decoder can say what is wrong */
	if (is_utf16(bytes, len))
		return PN_SNIFF_MAYBE;
	if (len >= 3 && !memcmp(at, "\xef\xbb\xbf", 3))
		at += 3;
	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf && len >= PN_SNIFF_BYTES)
			break;
		if (!lf)
			lf = end;
		n = trim(at, (size_t)(lf - at));
		if (n && !is_stack(at, n))
			return PN_SNIFF_NO;
		stacks += n > 0;
		semicolon |= memchr(at, ';', n) != NULL;
		controls |= has_controls(at, n);
	}
	if (!stacks)
		return at < end && is_long_stack(at, (size_t)(end - at))
			       ? PN_SNIFF_MAYBE
			       : PN_SNIFF_NO;
	return semicolon && !controls ? PN_SNIFF_LIKELY : PN_SNIFF_MAYBE;
}

const struct pn_codec pn_codec_collapsed = {
	.name = "collapsed",
	.summary = "collapsed stacks, one line each",
	.languages = "any perl java python lua c c++",
	.made_by =
		"stackcollapse-*.pl, py-spy record -f raw, async-profiler "
		"-o collapsed, nytprofcalls (Devel::NYTProf), luajit -jp=fG, "
		"uftrace dump --flame-graph",
	.sniffed_by = "lines of 'frame;frame count'",
	.suffix = ".folded",
	.sniff = sniff,
	.sniff_line = is_stack,
	.read = pn_collapsed_read,
	.write = pn_collapsed_write,
	.takes_ticks = true,
	.types = PN_CODEC_TYPES_BARE,
	.type_name = "samples",
	.other_names = pn_collapsed_other_names,
	.replaced = "';' and ends of lines",
	.by = "':' and blanks",
};
