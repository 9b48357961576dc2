/* Strings and rows of the profile that is made of columns. */
#include "body/build.h"
#include "body/paths.h"

static uint32_t add_string(struct pn_body_build *b, const char *bytes,
			   size_t len)
{
	if (!len)
		return 0;
	return b->distinct ? pn_strtab_append(&b->p->strings, bytes, len)
			   : pn_strtab_add(&b->p->strings, bytes, len);
}

uint32_t pn_body_build_text(struct pn_body_build *b, uint64_t row)
{
	if (row >= pn_body_rows(b->s, PN_BODY_STRINGS))
		return 0;
	if (b->strings[row] == PN_NONE) {
		size_t from = b->string_starts[row];
		size_t len = b->string_starts[row + 1] - from;

		b->strings[row] = add_string(
			b, len ? (const char *)b->s->text->bytes + from : "",
			len);
	}
	return b->strings[row];
}

uint32_t pn_body_build_string(struct pn_body_build *b, unsigned int column,
			      size_t i)
{
	return pn_body_build_text(b, pn_body_at(b->s, column, i));
}

uint32_t pn_body_build_stack(const struct pn_body_build *b, uint64_t word)
{
	if (b->s->paths)
		return pn_body_paths_stack(b->s->paths, word);
	return word ? b->stacks[word - 1] : 0;
}

uint32_t *pn_body_build_rows(size_t *count, const struct pn_body_build *b,
			     unsigned int table, uint32_t from)
{
	size_t i, n = pn_body_rows(b->s, table);
	uint32_t *numbers = pn_arena_array(b->arena, n, sizeof(*numbers));
	uint32_t next = from;

	for (i = 0; i < n; i++)
		numbers[i] = b->live.of[table][i] ? next++ : PN_NONE;
	*count = next;
	return numbers;
}
