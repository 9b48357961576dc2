/* A run's words, from its bytes; column.c reads all of them at once. */
#include "body/source.h"

#include "base/buf.h"
#include "body/coding.h"

#include <string.h>

/* The word that leads stands behind all others. */
static bool find_first(struct pn_body_source *s)
{
	const unsigned char *at = s->behind;
	uint64_t more;
	size_t i;

	for (i = 0; (s->head & 3) == CODING_ESCAPE && i < s->n; i++)
		if (s->bytes[i] == 255 && pn_varint_read(&more, &at, s->end))
			return false;
	if (at == s->end)
		return false;
	more = (uint64_t)(at - s->bytes);
	if (pn_varint_read(&s->last, &at, s->end) || at != s->end)
		return false;
	s->end = s->bytes + more;
	return true;
}

bool pn_body_source_begin(struct pn_body_source *s, size_t count,
			  const unsigned char *bytes, size_t len)
{
	unsigned int coding, view;
	uint64_t width;

	memset(s, 0, sizeof(*s));
	if (!count || !len)
		return false;
	s->end = bytes + len;
	s->head = *bytes;
	s->bytes = s->behind = bytes + 1;
	coding = s->head & 3;
	view = s->head >> 2 & 3;
	s->led = view != VIEW_STEPS;
	s->n = count - !s->led;
	if (coding > CODING_ESCAPE || view > VIEW_STEPS)
		return false;
	if (coding == CODING_SAME) {
		if (pn_varint_read(&s->same, &s->behind, s->end))
			return false;
	} else {
		width = coding == CODING_PLANES ? s->head >> 4 : 1;
		if (!width || width > 8 || s->n > (len - 1) / width)
			return false;
		s->behind += s->n * width;
	}
	return s->led || find_first(s);
}

static bool coded_next(uint64_t *out, struct pn_body_source *s)
{
	size_t at = s->at++;
	unsigned int plane;
	uint64_t more;

	*out = s->same;
	if ((s->head & 3) == CODING_SAME)
		return true;
	*out = s->bytes[at];
	if ((s->head & 3) == CODING_PLANES) {
		for (plane = 1; plane < s->head >> 4; plane++)
			*out |= (uint64_t)s->bytes[plane * s->n + at]
				<< plane * 8;
	} else if (*out == 255) {
		if (pn_varint_read(&more, &s->behind, s->end))
			return false;
		*out += more;
	}
	return true;
}

bool pn_body_source_next(uint64_t *out, struct pn_body_source *s)
{
	unsigned int view = s->head >> 2 & 3;
	uint64_t word;

	if (!s->led) {
		s->led = true;
		*out = s->last;
		return true;
	}
	if (!coded_next(&word, s))
		return false;
	if (view == VIEW_SIGNED)
		word = (uint64_t)pn_unzigzag(word);
	else if (view == VIEW_STEPS)
		word = s->last + (uint64_t)pn_unzigzag(word);
	*out = s->last = word;
	return true;
}

bool pn_body_source_ends(const struct pn_body_source *s)
{
	return s->behind == s->end;
}
