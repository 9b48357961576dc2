/* Columns of characters: Unicode Standard Annex 11, in ranges. */
#include "base/text/width.h"

#include "base/bytes.h"
#include "base/text/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DOTS "..."
#define DOTS_WIDTH 3
#define PART_MIN (2 * DOTS_WIDTH + 2) /* a letter and more at both ends */

struct range {
	uint32_t first, last;
};

static const struct range combining[] = {
	{0x300, 0x36f},	    {0x483, 0x489},	{0x591, 0x5bd},
	{0x610, 0x61a},	    {0x64b, 0x65f},	{0x6d6, 0x6dc},
	{0x93c, 0x93c},	    {0x941, 0x948},	{0x94d, 0x94d},
	{0xe31, 0xe31},	    {0xe34, 0xe3a},	{0xe47, 0xe4e},
	{0x1ab0, 0x1aff},   {0x1dc0, 0x1dff},	{0x200b, 0x200f},
	{0x20d0, 0x20ff},   {0xfe00, 0xfe0f},	{0xfe20, 0xfe2f},
	{0x1f3fb, 0x1f3ff}, {0xe0100, 0xe01ef},
};

static const struct range wide[] = {
	{0x1100, 0x115f},   {0x231a, 0x231b},	{0x23e9, 0x23ec},
	{0x2614, 0x2615},   {0x26a1, 0x26a1},	{0x2705, 0x2705},
	{0x274c, 0x274c},   {0x2e80, 0x303e},	{0x3041, 0xa4cf},
	{0xa960, 0xa97f},   {0xac00, 0xd7a3},	{0xf900, 0xfaff},
	{0xfe30, 0xfe6f},   {0xff00, 0xff60},	{0xffe0, 0xffe6},
	{0x16fe0, 0x18cff}, {0x1b000, 0x1b2ff}, {0x1f300, 0x1f64f},
	{0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static bool is_in(const struct range *ranges, size_t count, uint32_t c)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

/* Of the character at `text`, whose length is returned. */
static size_t next_width(size_t *width, const char *text, size_t len)
{
	uint32_t c = 0;
	size_t n = pn_utf8_read(&c, (const unsigned char *)text, len);

	*width = 1;
	if (n > 1 &&
	    is_in(combining, sizeof(combining) / sizeof(*combining), c))
		*width = 0;
	else if (n > 1 && is_in(wide, sizeof(wide) / sizeof(*wide), c))
		*width = 2;
	return n ? n : 1;
}

/* How many bytes at the front are ASCII, by eight. */
static size_t ascii(const char *text, size_t len)
{
	size_t at = 0;
	uint64_t word;

	for (; len - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, text + at, sizeof(word));
		if (word & PN_BYTES_HIGH)
			break;
	}
	return at;
}

size_t pn_text_width(const char *text, size_t len)
{
	size_t at, width, total = ascii(text, len);

	for (at = total; at < len; total += width)
		if ((unsigned char)text[at] < 0x80) {
			width = 1;
			at++;
		} else {
			at += next_width(&width, text + at, len - at);
		}
	return total;
}

size_t pn_text_bytes(size_t *taken, const char *text, size_t len, size_t width)
{
	size_t at = 0, n, w;

	for (*taken = 0; at < len; at += n, *taken += w) {
		n = next_width(&w, text + at, len - at);
		if (*taken + w > width)
			break;
	}
	return at;
}

size_t pn_text_fit(struct pn_buf *out, const char *text, size_t len,
		   size_t width)
{
	size_t taken, n = pn_text_bytes(&taken, text, len, width);

	if (n == len || width <= DOTS_WIDTH) {
		pn_buf_add(out, text, n);
		return taken;
	}
	n = pn_text_bytes(&taken, text, len, width - DOTS_WIDTH);
	pn_buf_add(out, text, n);
	pn_buf_add_text(out, DOTS);
	return taken + DOTS_WIDTH;
}

/* Where a tail of at most `width` columns begins; what combines goes with the
 * letter before it. */
static size_t tail_of(size_t *taken, const char *text, size_t len, size_t width)
{
	size_t at, n, w, all = pn_text_width(text, len);

	for (at = 0; at < len; at += n, all -= w) {
		n = next_width(&w, text + at, len - at);
		if (all <= width && w)
			break;
	}
	*taken = all;
	return at;
}

/* What has no room is left out behind `first` columns. */
static size_t fit_ends(struct pn_buf *out, const char *text, size_t len,
		       size_t width, size_t first)
{
	size_t head, tail, n;

	if (width < PART_MIN || pn_text_width(text, len) <= width)
		return pn_text_fit(out, text, len, width);
	n = pn_text_bytes(&head, text, len, first);
	pn_buf_add(out, text, n);
	pn_buf_add_text(out, DOTS);
	n = tail_of(&tail, text, len, width - DOTS_WIDTH - head);
	pn_buf_add(out, text + n, len - n);
	return head + DOTS_WIDTH + tail;
}

static size_t fit_middle(struct pn_buf *out, const char *text, size_t len,
			 size_t width)
{
	return fit_ends(out, text, len, width, (width - DOTS_WIDTH + 1) / 2);
}

/* "job/collector@workload": the collector stays whole, what is around it shares
 * the rest. Where there is no room for that, its end tells most. */
size_t pn_text_fit_name(struct pn_buf *out, const char *text, size_t len,
			size_t width)
{
	const char *at = memchr(text, '@', len), *slash;
	size_t job, kept, rest, ends;

	if (!at)
		at = text + len;
	slash = at;
	while (slash > text && slash[-1] != '/')
		slash--;
	slash -= slash > text;
	if (slash == text || pn_text_width(text, len) <= width)
		return fit_middle(out, text, len, width);
	job = pn_text_width(text, (size_t)(slash - text));
	kept = pn_text_width(slash, (size_t)(at - slash));
	rest = pn_text_width(at, len - (size_t)(at - text));
	if (!rest && width < kept + PART_MIN)
		return fit_middle(out, text, len, width);
	if (width < kept + 2 * PART_MIN && rest)
		return fit_ends(out, text, len, width, width / 4);
	ends = width - kept;
	if (rest > ends / 2)
		rest = job < ends / 2 ? ends - job : ends / 2;
	job = fit_middle(out, text, (size_t)(slash - text), ends - rest);
	pn_buf_add(out, slash, (size_t)(at - slash));
	return job + kept +
	       fit_middle(out, at, len - (size_t)(at - text), rest);
}

void pn_text_pad_name(struct pn_buf *out, const char *text, size_t width)
{
	size_t taken = pn_text_fit_name(out, text, strlen(text), width);

	for (; taken < width; taken++)
		pn_buf_add_byte(out, ' ');
}

void pn_text_pad(struct pn_buf *out, const char *text, size_t width)
{
	size_t taken = pn_text_fit(out, text, strlen(text), width);

	for (; taken < width; taken++)
		pn_buf_add_byte(out, ' ');
}

/* A word without the blanks before it, in at most `room` columns. Returns its
 * width. */
static size_t add_word(struct pn_buf *out, const char *word, size_t len,
		       size_t room, bool cut)
{
	size_t taken = pn_text_width(word, len);

	if (cut && taken > room)
		return pn_text_fit_name(out, word, len, room);
	pn_buf_add(out, word, len);
	return taken;
}

static void wrap(struct pn_buf *out, const char *text, size_t len, size_t width,
		 size_t indent, bool cut)
{
	size_t at = 0, blanks, n, columns = 0;

	while (at < len) {
		if (text[at] == '\n') {
			pn_buf_add_byte(out, '\n');
			columns = 0;
			at++;
			continue;
		}
		for (blanks = 0; at + blanks < len && text[at + blanks] == ' ';)
			blanks++;
		for (n = blanks; at + n < len && text[at + n] != ' ' &&
				 text[at + n] != '\n';)
			n++;
		if (width && columns > indent &&
		    columns + pn_text_width(text + at, n) > width) {
			pn_buf_printf(out, "\n%*s", (int)indent, "");
			columns = indent;
		} else {
			pn_buf_add_fill(out, ' ', blanks);
			columns += blanks;
		}
		columns += add_word(out, text + at + blanks, n - blanks,
				    width > columns ? width - columns : 0,
				    cut && width > columns);
		at += n;
	}
}

void pn_text_wrap(struct pn_buf *out, const char *text, size_t len,
		  size_t width, size_t indent)
{
	wrap(out, text, len, width, indent, false);
}

void pn_text_wrap_names(struct pn_buf *out, const char *text, size_t len,
			size_t width, size_t indent)
{
	wrap(out, text, len, width, indent, true);
}
