/*
 * One column as bytes: how many words, which of the base's differ and by how
 * much, and the words behind them. Each run of words is written in the one of
 * few codings that takes least: git compresses what comes out, so a coding
 * only has to lay like beside like.
 */
#include "body/column.h"

#include "base/alloc.h"
#include "body/coding.h"

#include <stdlib.h>
#include <string.h>

#define SMALL 256 /* words that have room on the stack */

/* The base's column as the coding sees it: one that is left out is 0. */
struct pn_body_old pn_body_old_column(const struct pn_body_state *base,
				      unsigned int column)
{
	unsigned int table = pn_body_column_info(column).table;
	struct pn_body_old old = {NULL, 0};

	if (!base)
		return old;
	old.words = base->columns[column];
	if (old.words)
		old.count = old.words->count;
	else if (table != PN_BODY_FREE)
		old.count = pn_body_rows(base, table);
	return old;
}

static enum pn_body_view best_view(const uint64_t *words, size_t n)
{
	uint64_t plain = 0, sign = 0, steps = 0;
	size_t i;

	for (i = 1; i < n; i++) {
		plain += pn_body_bits(words[i]);
		sign += pn_body_bits(pn_zigzag((int64_t)words[i]));
		steps += pn_body_bits(pn_body_step(words[i], words[i - 1]));
	}
	if (steps < plain && steps < sign)
		return VIEW_STEPS;
	plain += pn_body_bits(words[0]);
	sign += pn_body_bits(pn_zigzag((int64_t)words[0]));
	return sign < plain ? VIEW_SIGNED : VIEW_PLAIN;
}

static void add_planes(struct pn_buf *out, const uint64_t *words, size_t n,
		       unsigned int width)
{
	unsigned char *to = pn_buf_reserve(out, n * width);
	unsigned int plane;
	size_t i;

	for (plane = 0; plane < width; plane++)
		for (i = 0; i < n; i++)
			*to++ = (unsigned char)(words[i] >> plane * 8);
	*to = '\0';
	out->len += n * width;
}

static void add_escaped(struct pn_buf *out, const uint64_t *words, size_t n)
{
	unsigned char *to = pn_buf_reserve(out, n);
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = (unsigned char)(words[i] < 255 ? words[i] : 255);
	to[n] = '\0';
	out->len += n;
	for (i = 0; i < n; i++)
		if (words[i] >= 255)
			pn_buf_add_varint(out, words[i] - 255);
}

/* Of words with few large ones among them, escapes take less. */
static void add_coded(struct pn_buf *out, const uint64_t *words, size_t n,
		      enum pn_body_view view)
{
	uint64_t any = 0, differ = 0;
	size_t i, large = 0;
	unsigned int width;

	for (i = 0; i < n; i++) {
		any |= words[i];
		differ |= words[i] ^ words[0];
		large += words[i] >= 255;
	}
	width = (pn_body_bits(any) + 7) / 8;
	if (!width)
		width = 1;
	if (!differ) {
		pn_buf_add_byte(out, (unsigned char)(CODING_SAME | view << 2));
		pn_buf_add_varint(out, words[0]);
	} else if (width > 1 && large < n / 8) {
		pn_buf_add_byte(out,
				(unsigned char)(CODING_ESCAPE | view << 2));
		add_escaped(out, words, n);
	} else {
		pn_buf_add_byte(out, (unsigned char)(CODING_PLANES | view << 2 |
						     width << 4));
		add_planes(out, words, n, width);
	}
}

static void add_run(struct pn_buf *out, const uint64_t *words, size_t n)
{
	uint64_t room[SMALL], *seen = room;
	enum pn_body_view view;
	size_t i;

	if (!n)
		return;
	view = best_view(words, n);
	if (view == VIEW_PLAIN) {
		add_coded(out, words, n, view);
		return;
	}
	if (n > SMALL)
		seen = pn_realloc_array(NULL, n, sizeof(*seen));
	if (view == VIEW_SIGNED) {
		for (i = 0; i < n; i++)
			seen[i] = pn_zigzag((int64_t)words[i]);
		add_coded(out, seen, n, view);
	} else {
		/* the first word leads, or a ramp would not be SAME */
		for (i = 1; i < n; i++)
			seen[i] = pn_body_step(words[i], words[i - 1]);
		add_coded(out, seen + 1, n - 1, view);
		pn_buf_add_varint(out, words[0]);
	}
	if (seen != room)
		free(seen);
}

/* The base's words that differ: gaps between them, then by how much. */
static void add_changes(struct pn_buf *out, const struct pn_body_words *now,
			const struct pn_body_old *old, size_t common)
{
	uint64_t *gaps = pn_realloc_array(NULL, common, sizeof(*gaps));
	uint64_t *by = pn_realloc_array(NULL, common, sizeof(*by));
	size_t i, n = 0, next = 0;

	for (i = 0; i < common; i++) {
		uint64_t was = old->words ? old->words->at[i] : 0;

		if (now->at[i] == was)
			continue;
		gaps[n] = i - next;
		by[n++] = now->at[i] - was;
		next = i + 1;
	}
	pn_buf_add_varint(out, n);
	add_run(out, gaps, n);
	add_run(out, by, n);
	free(gaps);
	free(by);
}

void pn_body_column_write(struct pn_buf *out, const struct pn_body_words *now,
			  const struct pn_body_old *old)
{
	size_t n = now ? now->count : 0;
	size_t common = old->count < n ? old->count : n;

	pn_buf_add_varint(out, n);
	if (common)
		add_changes(out, now, old, common);
	if (n)
		add_run(out, now->at + common, n - common);
}

static int cut(struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL, "a column is cut or too long");
}

static int get_planes(uint64_t *words, size_t n, unsigned int width,
		      const unsigned char **at, const unsigned char *end,
		      struct pn_error *err)
{
	const unsigned char *p = *at;
	unsigned int plane;
	size_t i;

	if (!width || width > 8)
		return pn_error_set(err, PN_EINVAL,
				    "a column of %u byte planes, 1 to 8 exist",
				    width);
	if (n > (size_t)(end - p) / width)
		return cut(err);
	for (i = 0; i < n; i++)
		words[i] = p[i];
	for (plane = 1; plane < width; plane++) {
		p += n;
		for (i = 0; i < n; i++)
			words[i] |= (uint64_t)p[i] << plane * 8;
	}
	*at = p + n;
	return 0;
}

static int get_escaped(uint64_t *words, size_t n, const unsigned char **at,
		       const unsigned char *end, struct pn_error *err)
{
	const unsigned char *p = *at;
	uint64_t more;
	size_t i;

	if (n > (size_t)(end - p))
		return cut(err);
	*at += n;
	for (i = 0; i < n; i++) {
		words[i] = p[i];
		if (p[i] < 255)
			continue;
		if (pn_varint_read(&more, at, end))
			return cut(err);
		words[i] += more;
	}
	return 0;
}

static int get_coded(uint64_t *words, size_t n, unsigned int head,
		     const unsigned char **at, const unsigned char *end,
		     struct pn_error *err)
{
	uint64_t same;
	size_t i;

	switch (head & 3) {
	case CODING_SAME:
		if (pn_varint_read(&same, at, end))
			return cut(err);
		for (i = 0; i < n; i++)
			words[i] = same;
		return 0;
	case CODING_PLANES:
		return get_planes(words, n, head >> 4, at, end, err);
	case CODING_ESCAPE:
		return get_escaped(words, n, at, end, err);
	default:
		return pn_error_set(err, PN_EINVAL,
				    "a column in coding 3, 0 to 2 are known");
	}
}

static int get_run(uint64_t *words, size_t n, const unsigned char **at,
		   const unsigned char *end, struct pn_error *err)
{
	unsigned int head;
	size_t i;

	if (!n)
		return 0;
	if (*at == end)
		return cut(err);
	head = *(*at)++;
	switch (head >> 2 & 3) {
	case VIEW_PLAIN:
		return get_coded(words, n, head, at, end, err);
	case VIEW_SIGNED:
		if (get_coded(words, n, head, at, end, err))
			return PN_EINVAL;
		for (i = 0; i < n; i++)
			words[i] = (uint64_t)pn_unzigzag(words[i]);
		return 0;
	case VIEW_STEPS:
		if (get_coded(words + 1, n - 1, head, at, end, err))
			return PN_EINVAL;
		if (pn_varint_read(words, at, end))
			return cut(err);
		for (i = 1; i < n; i++)
			words[i] =
				words[i - 1] + (uint64_t)pn_unzigzag(words[i]);
		return 0;
	default:
		return pn_error_set(err, PN_EINVAL,
				    "a column in view 3, 0 to 2 are known");
	}
}

/* Gaps and differences, read into the scratch of 2 * n words. */
static int get_changes(uint64_t *words, size_t common, uint64_t *scratch,
		       size_t n, const unsigned char **at,
		       const unsigned char *end, struct pn_error *err)
{
	size_t i, next = 0;

	if (get_run(scratch, n, at, end, err) ||
	    get_run(scratch + n, n, at, end, err))
		return PN_EINVAL;
	for (i = 0; i < n; i++) {
		if (scratch[i] >= common - next)
			return pn_error_set(err, PN_EINVAL,
					    "a change behind the base's %zu "
					    "words",
					    common);
		next += (size_t)scratch[i];
		words[next++] += scratch[n + i];
		if (next == common && i + 1 < n)
			return cut(err);
	}
	return 0;
}

static int get_common(uint64_t *words, const struct pn_body_old *old,
		      size_t common, const unsigned char **at,
		      const unsigned char *end, struct pn_error *err)
{
	uint64_t n, *scratch;
	int code;

	if (!common)
		return 0;
	if (pn_varint_read(&n, at, end) || n > common)
		return cut(err);
	if (old->words)
		memcpy(words, old->words->at, common * sizeof(*words));
	else
		memset(words, 0, common * sizeof(*words));
	scratch = pn_realloc_array(NULL, (size_t)n * 2, sizeof(*scratch));
	code = get_changes(words, common, scratch, (size_t)n, at, end, err);
	free(scratch);
	return code;
}

int pn_body_column_read(struct pn_body_words **out,
			struct pn_body_block **block, const void *bytes,
			size_t len, const struct pn_body_old *old,
			uint64_t *budget, struct pn_error *err)
{
	const unsigned char *at = bytes, *end = at + len;
	struct pn_body_words *words;
	size_t common;
	uint64_t n;

	if (pn_varint_read(&n, &at, end))
		return cut(err);
	if (n > *budget / 8)
		return pn_error_set(err, PN_ELIMIT,
				    "a column of more words than the body "
				    "says it has");
	*budget -= n * 8;
	words = pn_body_words_new(block, (size_t)n);
	common = old->count < n ? old->count : (size_t)n;
	if (get_common(words->at, old, common, &at, end, err) ||
	    get_run(words->at + common, (size_t)n - common, &at, end, err)) {
		pn_body_words_drop(words);
		return PN_EINVAL;
	}
	if (at != end) {
		pn_body_words_drop(words);
		return cut(err);
	}
	pn_body_words_seal(words);
	if (!n) {
		pn_body_words_drop(words);
		words = NULL;
	}
	*out = words;
	return 0;
}
