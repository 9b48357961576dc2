/* Words of callgrind's lines, and names that were given a number. */
#include "codec/callgrind/callgrind.h"

#include "base/alloc.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct pn_span pn_span_trim(struct pn_span text)
{
	while (text.len && is_blank(*text.at)) {
		text.at++;
		text.len--;
	}
	while (text.len && is_blank(text.at[text.len - 1]))
		text.len--;
	return text;
}

bool pn_span_word(struct pn_span *out, struct pn_span *text)
{
	while (text->len && is_blank(*text->at)) {
		text->at++;
		text->len--;
	}
	out->at = text->at;
	while (text->len && !is_blank(*text->at)) {
		text->at++;
		text->len--;
	}
	out->len = (size_t)(text->at - out->at);
	return out->len > 0;
}

bool pn_span_is(struct pn_span span, const char *text)
{
	return span.len == strlen(text) && !memcmp(span.at, text, span.len);
}

void pn_callgrind_names_release(struct pn_callgrind_names *names)
{
	pn_strtab_release(&names->numbers);
	free(names->strings);
	memset(names, 0, sizeof(*names));
}

/* "(12) rest": how many bytes "(12)" has, 0 when it does not begin so. A
 * name may begin with a parenthesis: "(below main)". */
static size_t numbered(uint64_t *number, struct pn_span text)
{
	size_t i = 1;

	if (!text.len || *text.at != '(')
		return 0;
	while (i < text.len && text.at[i] >= '0' && text.at[i] <= '9')
		i++;
	if (i == text.len || text.at[i] != ')' ||
	    !pn_number_uint(number, text.at + 1, i - 1))
		return 0;
	return i + 1;
}

static uint32_t *string_of(struct pn_callgrind_names *names, uint64_t number)
{
	uint32_t id = pn_strtab_add(&names->numbers, &number, sizeof(number));
	size_t had = names->cap;

	names->strings = pn_grow(names->strings, &names->cap, (size_t)id + 1,
				 sizeof(*names->strings));
	if (names->cap > had)
		memset(names->strings + had, 0,
		       (names->cap - had) * sizeof(*names->strings));
	return &names->strings[id];
}

int pn_callgrind_name(uint32_t *out, struct pn_callgrind_names *names,
		      struct pn_profile *p, struct pn_span text, uint64_t line,
		      struct pn_error *err)
{
	uint64_t number = 0;
	size_t skip = numbered(&number, text);
	uint32_t *string;

	if (text.len && memchr(text.at, '\0', text.len))
		return pn_error_set(err, PN_EINVAL,
				    "line %" PRIu64 ": a NUL byte in a name",
				    line);
	if (!skip) {
		*out = pn_strtab_add(&p->strings, text.at, text.len);
		return 0;
	}
	text.at += skip;
	text.len -= skip;
	text = pn_span_trim(text);
	string = string_of(names, number);
	if (text.len)
		*string = pn_strtab_add(&p->strings, text.at, text.len);
	else if (!*string)
		return pn_error_set(err, PN_EINVAL,
				    "line %" PRIu64 ": (%" PRIu64 ") stands "
				    "for no name yet, expected '(%" PRIu64
				    ") name' before",
				    line, number, number);
	*out = *string;
	return 0;
}
