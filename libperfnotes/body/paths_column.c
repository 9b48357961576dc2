/*
 * The two columns of paths as bytes: what column.c makes of an array of words,
 * of words that are made one after the other, in three passes.
 */
#include "body/coding.h"
#include "body/paths.h"
#include "body/state.h"
#include "body/sum.h"
#include "body/tree.h"

#include <string.h>

#define BLOCK 1024 /* words at a time, a multiple of four */
#define FEW 16

static bool is_of_paths(unsigned int column)
{
	return column == PN_BODY_PATH_UP || column == PN_BODY_PATH_LOCATION;
}

bool pn_body_paths_sum(uint64_t *sum, const struct pn_body_paths *paths,
		       unsigned int column)
{
	struct pn_body_paths_cursor cursor;
	struct pn_body_sum all = {{0}, 0};
	uint64_t words[BLOCK], any = 0;
	size_t i, n;

	if (!paths || !is_of_paths(column))
		return false;
	pn_body_sum_begin(&all);
	pn_body_paths_begin(&cursor, paths, column);
	while ((n = pn_body_paths_next(words, BLOCK, &cursor)) > 0) {
		pn_body_sum_add(&all, words, n);
		for (i = 0; i < n; i++)
			any |= words[i];
	}
	*sum = pn_body_sum_end(&all);
	return any != 0;
}

/* What all words of a column are like. */
struct pass {
	uint64_t plain, sign, steps; /* bits that each view would take */
	uint64_t first, any;
};

static struct pass measure(const struct pn_body_paths *paths,
			   unsigned int column)
{
	struct pn_body_paths_cursor cursor;
	struct pass p = {0};
	uint64_t words[BLOCK], last = 0;
	bool begun = false;
	size_t i, n;

	pn_body_paths_begin_new(&cursor, paths, column);
	while ((n = pn_body_paths_next(words, BLOCK, &cursor)) > 0)
		for (i = 0; i < n; i++) {
			if (!begun)
				p.first = words[i];
			else
				p.steps += pn_body_bits(
					pn_body_step(words[i], last));
			p.plain += pn_body_bits(words[i]);
			p.sign += pn_body_bits(pn_zigzag((int64_t)words[i]));
			p.any |= words[i];
			last = words[i];
			begun = true;
		}
	return p;
}

/* The first word counts where it stands among the others only. */
static enum pn_body_view best_view(const struct pass *p)
{
	uint64_t plain = p->plain - pn_body_bits(p->first);
	uint64_t sign = p->sign - pn_body_bits(pn_zigzag((int64_t)p->first));

	if (p->steps < plain && p->steps < sign)
		return VIEW_STEPS;
	return p->sign < p->plain ? VIEW_SIGNED : VIEW_PLAIN;
}

/* A cursor that gives the words of a view. */
struct viewed {
	struct pn_body_paths_cursor cursor;
	enum pn_body_view view;
	uint64_t last;
	bool begun;
};

static void view_begin(struct viewed *v, const struct pn_body_paths *paths,
		       unsigned int column, enum pn_body_view view)
{
	memset(v, 0, sizeof(*v));
	v->view = view;
	pn_body_paths_begin_new(&v->cursor, paths, column);
	if (view == VIEW_STEPS) /* it stands behind */
		pn_body_paths_next(&v->last, 1, &v->cursor);
}

static size_t view_next(uint64_t *words, struct viewed *v)
{
	size_t i, n = pn_body_paths_next(words, BLOCK, &v->cursor);

	for (i = 0; i < n && v->view == VIEW_SIGNED; i++)
		words[i] = pn_zigzag((int64_t)words[i]);
	for (i = 0; i < n && v->view == VIEW_STEPS; i++) {
		uint64_t word = words[i];

		words[i] = pn_body_step(word, v->last);
		v->last = word;
	}
	return n;
}

/* How a run is written, and how many bytes that takes. */
struct shape {
	enum pn_body_coding coding;
	unsigned int width;
	uint64_t same;
	size_t n, escaped; /* words; bytes behind those of ESCAPE */
};

static size_t varint_len(uint64_t value)
{
	size_t n = 1;

	while (value >>= 7)
		n++;
	return n;
}

static struct shape shape_of(const struct pn_body_paths *paths,
			     unsigned int column, enum pn_body_view view)
{
	struct shape s = {.coding = CODING_PLANES};
	uint64_t words[BLOCK], any = 0, differ = 0;
	size_t i, n, large = 0;
	struct viewed v;

	view_begin(&v, paths, column, view);
	while ((n = view_next(words, &v)) > 0) {
		if (!s.n)
			s.same = words[0];
		for (i = 0; i < n; i++) {
			any |= words[i];
			differ |= words[i] ^ s.same;
			if (words[i] < 255)
				continue;
			large++;
			s.escaped += varint_len(words[i] - 255);
		}
		s.n += n;
	}
	s.width = (pn_body_bits(any) + 7) / 8;
	s.width += !s.width;
	if (!differ)
		s.coding = CODING_SAME;
	else if (s.width > 1 && large < s.n / 8)
		s.coding = CODING_ESCAPE;
	return s;
}

static size_t coded_len(const struct shape *s)
{
	if (s->coding == CODING_SAME)
		return varint_len(s->same);
	return s->coding == CODING_ESCAPE ? s->n + s->escaped : s->n * s->width;
}

static void add_coded(struct pn_buf *out, const struct shape *s,
		      struct viewed *v)
{
	unsigned char *to = pn_buf_reserve(out, coded_len(s));
	struct pn_buf behind = {0};
	uint64_t words[BLOCK];
	unsigned int plane;
	size_t i, n, at = 0;

	while ((n = view_next(words, v)) > 0) {
		for (i = 0; i < n && s->coding == CODING_ESCAPE; i++) {
			to[at + i] =
				words[i] < 255 ? (unsigned char)words[i] : 255;
			if (words[i] >= 255)
				pn_buf_add_varint(&behind, words[i] - 255);
		}
		for (plane = 0; s->coding == CODING_PLANES && plane < s->width;
		     plane++)
			for (i = 0; i < n; i++)
				to[plane * s->n + at + i] =
					(unsigned char)(words[i] >> plane * 8);
		at += n;
	}
	out->len += s->coding == CODING_ESCAPE ? s->n : s->n * s->width;
	out->data[out->len] = '\0';
	pn_buf_add(out, behind.data, behind.len);
	pn_buf_release(&behind);
}

static size_t section_len(const struct pn_body_paths *paths,
			  const struct shape *shape, enum pn_body_view view,
			  uint64_t first)
{
	return varint_len(pn_body_paths_count(paths)) +
	       !!pn_body_paths_inherited(paths) + 1 + coded_len(shape) +
	       (view == VIEW_STEPS ? varint_len(first) : 0);
}

/* Most columns say so with their first words. */
static bool has_words(const struct pn_body_paths *paths, unsigned int column)
{
	struct pn_body_paths_cursor cursor;
	uint64_t words[FEW], any = 0;
	size_t i, n;

	pn_body_paths_begin(&cursor, paths, column);
	while (!any && (n = pn_body_paths_next(words, FEW, &cursor)) > 0)
		for (i = 0; i < n; i++)
			any |= words[i];
	return any != 0;
}

bool pn_body_paths_is_written(const struct pn_body_paths *paths,
			      unsigned int column)
{
	return paths && is_of_paths(column) &&
	       pn_body_paths_count(paths) > pn_body_paths_inherited(paths) &&
	       has_words(paths, column);
}

size_t pn_body_paths_bytes(const struct pn_body_paths *paths)
{
	unsigned int column;
	size_t len = 0;

	for (column = PN_BODY_PATH_UP; column <= PN_BODY_PATH_LOCATION;
	     column++) {
		struct pass p;
		struct shape shape;

		if (!pn_body_paths_is_written(paths, column))
			continue;
		p = measure(paths, column);
		shape = shape_of(paths, column, best_view(&p));
		len += section_len(paths, &shape, best_view(&p), p.first);
	}
	return len;
}

bool pn_body_paths_write(struct pn_buf *out, const struct pn_body_paths *paths,
			 unsigned int column)
{
	size_t count;
	enum pn_body_view view;
	struct shape shape;
	struct viewed v;
	struct pass p;

	if (!pn_body_paths_is_written(paths, column))
		return false;
	p = measure(paths, column);
	count = pn_body_paths_count(paths);
	view = best_view(&p);
	shape = shape_of(paths, column, view);
	pn_buf_add_varint(out, column * 2);
	pn_buf_add_varint(out, section_len(paths, &shape, view, p.first));
	pn_buf_add_varint(out, count);
	/* none of the base's words differ */
	if (pn_body_paths_inherited(paths))
		pn_buf_add_varint(out, 0);
	pn_buf_add_byte(out, (unsigned char)(shape.coding | view << 2 |
					     (shape.coding == CODING_PLANES
						      ? shape.width << 4
						      : 0)));
	view_begin(&v, paths, column, view);
	if (shape.coding == CODING_SAME)
		pn_buf_add_varint(out, shape.same);
	else
		add_coded(out, &shape, &v);
	if (view == VIEW_STEPS)
		pn_buf_add_varint(out, p.first);
	return true;
}

bool pn_body_paths_reads(const struct pn_body_paths *paths, unsigned int column,
			 const unsigned char *bytes, size_t len)
{
	struct pn_body_paths_cursor cursor;
	struct pn_body_source source;
	uint64_t words[BLOCK], word;
	size_t i, n, count;

	if (!pn_body_tree_section(&count, &source,
				  pn_body_paths_inherited(paths), bytes, len) ||
	    count != pn_body_paths_count(paths))
		return false;
	pn_body_paths_begin_new(&cursor, paths, column);
	while ((n = pn_body_paths_next(words, BLOCK, &cursor)) > 0)
		for (i = 0; i < n; i++)
			if (!pn_body_source_next(&word, &source) ||
			    word != words[i])
				return false;
	return pn_body_source_ends(&source);
}
