/* The bytes of a tree object: "<octal mode> <name>" NUL <20 bytes>, see
 * gitformat-index(5) for the modes. */
#include "vcs/objects/tree.h"

#include <string.h>

#define MODE_DIGITS 7 /* 0100644; old tools padded with a zero */

int pn_tree_next(struct pn_tree_entry *out, const unsigned char **at,
		 const unsigned char *end)
{
	const unsigned char *p = *at, *nul;
	struct pn_tree_entry entry = {0};
	int digits;

	if (p == end)
		return 0;
	for (digits = 0; p < end && *p >= '0' && *p <= '7'; p++) {
		if (++digits > MODE_DIGITS)
			return PN_EINVAL;
		entry.mode = entry.mode * 8 + (*p - '0');
	}
	if (!digits || p == end || *p != ' ')
		return PN_EINVAL;
	p++;
	nul = memchr(p, '\0', (size_t)(end - p));
	if (!nul || nul == p || end - nul <= PN_OID_BYTES)
		return PN_EINVAL;
	entry.name = (const char *)p;
	entry.name_len = (size_t)(nul - p);
	memcpy(entry.id.bytes, nul + 1, PN_OID_BYTES);
	entry.raw = *at;
	entry.raw_len = (size_t)(nul + 1 + PN_OID_BYTES - *at);
	*at += entry.raw_len;
	*out = entry;
	return 1;
}

void pn_tree_add(struct pn_buf *out, unsigned int mode, const char *name,
		 size_t name_len, const struct pn_oid *id)
{
	pn_buf_printf(out, "%o ", mode);
	pn_buf_add(out, name, name_len);
	pn_buf_add_byte(out, '\0');
	pn_buf_add(out, id->bytes, PN_OID_BYTES);
}

static unsigned char at_or_slash(const struct pn_tree_entry *entry, size_t i)
{
	if (i < entry->name_len)
		return (unsigned char)entry->name[i];
	return pn_mode_is_tree(entry->mode) ? '/' : '\0';
}

int pn_tree_cmp(const struct pn_tree_entry *a, const struct pn_tree_entry *b)
{
	size_t min = a->name_len < b->name_len ? a->name_len : b->name_len;
	int order = memcmp(a->name, b->name, min);

	if (order)
		return order;
	return at_or_slash(a, min) - at_or_slash(b, min);
}
