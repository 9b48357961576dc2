/* Lines, each kept once. */
#include "base/text/line_set.h"

#include "base/error.h"

#include <string.h>

void pn_line_set_release(struct pn_line_set *set)
{
	if (!set)
		return;
	pn_buf_release(&set->text);
	pn_slots_release(&set->slots);
	memset(set, 0, sizeof(*set));
}

static bool has(struct pn_line_set *set, const char *line, size_t len,
		uint32_t hash)
{
	size_t at = pn_slots_first(&set->slots, hash);
	uint32_t row;

	while (pn_slots_row(&row, &set->slots, &at, hash)) {
		const unsigned char *there = set->text.data + row;

		if (set->text.len - row > len && there[len] == '\n' &&
		    !memcmp(there, line, len))
			return true;
	}
	return false;
}

static int add_line(struct pn_line_set *set, const char *line, size_t len,
		    size_t max_bytes, size_t max_lines)
{
	bool apart = set->apart && set->text.len;
	uint32_t hash = pn_slots_hash_bytes(&set->slots, line, len);

	if (has(set, line, len, hash)) {
		set->repeated++;
		return 0;
	}
	if (set->text.len + len + 1 + apart > max_bytes ||
	    set->count >= max_lines)
		return PN_ELIMIT;
	if (apart)
		pn_buf_add_byte(&set->text, '\n');
	set->apart = false;
	pn_slots_add(&set->slots, hash, (uint32_t)set->text.len);
	pn_buf_add(&set->text, line, len);
	pn_buf_add_byte(&set->text, '\n');
	set->count++;
	return 0;
}

int pn_line_set_add(struct pn_line_set *set, const void *bytes, size_t len,
		    size_t max_bytes, size_t max_lines)
{
	const char *at = bytes, *stop;
	size_t line;
	int code = 0;

	for (; !code && len; len -= line, at += line) {
		stop = memchr(at, '\n', len);
		line = stop ? (size_t)(stop - at) : len;
		if (line)
			code = add_line(set, at, line, max_bytes, max_lines);
		else
			set->apart = true;
		line += stop != NULL;
	}
	return code;
}
