/* An object of a pack: what is before its bytes, and those. */
#include "vcs/objects/packed_entry.h"

#include "base/deflate.h"

/* A byte of RFC 1951 tells at most so many. */
#define DEFLATED_MAX 1032

/* Type and size: four bits, then seven a byte. */
static bool take_head(struct pn_packed_entry *entry)
{
	unsigned int shift = 4, byte = *entry->at++;
	uint64_t size = byte & 15;

	entry->type = byte >> 4 & 7;
	while (byte & 0x80) {
		if (entry->at == entry->end || shift > 56)
			return false;
		byte = *entry->at++;
		size |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	}
	entry->size = (size_t)size;
	return size / DEFLATED_MAX <= (uint64_t)(entry->end - entry->at);
}

/* entry->pack and entry->end say which pack it is of. */
bool pn_packed_entry_open(struct pn_packed_entry *entry, uint64_t offset)
{
	if (offset < PN_PACK_HEAD ||
	    offset >= (uint64_t)(entry->end - entry->pack))
		return false;
	entry->offset = offset;
	entry->at = entry->pack + offset;
	entry->inflated = NULL;
	return take_head(entry);
}

bool pn_packed_entry_distance(uint64_t *out, struct pn_packed_entry *entry)
{
	unsigned int byte = 0x80;
	uint64_t distance = 0;

	while (byte & 0x80) {
		if (entry->at == entry->end || distance >> 56)
			return false;
		byte = *entry->at++;
		distance = (distance << 7) + (byte & 0x7f);
		if (byte & 0x80)
			distance++;
	}
	*out = distance;
	return distance < entry->offset;
}

bool pn_packed_entry_inflate(struct pn_buf *out,
			     const struct pn_packed_entry *entry,
			     uint64_t limit, struct pn_inflate_whole *whole)
{
	if (entry->size > limit)
		return false;
	if (entry->inflated) {
		pn_buf_add(out, entry->inflated->data, entry->inflated->len);
		return true;
	}
	pn_buf_reserve(out, entry->size);
	if (!pn_inflate_whole_run(out->data, entry->size, whole, entry->at,
				  (size_t)(entry->end - entry->at)))
		return false;
	out->len = entry->size;
	out->data[out->len] = '\0';
	return true;
}
