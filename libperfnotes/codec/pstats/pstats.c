/* Python's profile dumps: how they are recognised, and their row. */
#include "codec/pstats/pstats.h"
#include "codec/codec.h"

#define FLAG_REF 0x80

/* A dict whose first key is a tuple of three. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	if (len < 4 || (bytes[0] & ~FLAG_REF) != '{')
		return PN_SNIFF_NO;
	switch (bytes[1] & ~FLAG_REF) {
	case ')':
		return bytes[2] == 3 ? PN_SNIFF_SURE : PN_SNIFF_NO;
	case '(':
		return len >= 6 && bytes[2] == 3 && !bytes[3] && !bytes[4] &&
				       !bytes[5]
			       ? PN_SNIFF_SURE
			       : PN_SNIFF_NO;
	}
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_pstats = {
	.name = "pstats",
	.summary = "Python's profile and cProfile dumps",
	.languages = "python",
	.made_by = "python3 -m cProfile -o <file>",
	.sniffed_by = "a marshalled dict whose keys are tuples of 3",
	.suffix = ".prof",
	.sniff = sniff,
	.read = pn_pstats_read,
	.write = pn_pstats_write,
	.takes_ticks = true,
	.types = PN_CODEC_TYPES_ONE,
	.type_name = "time",
	.costs = PN_CODEC_COSTS_GRAPH,
};
