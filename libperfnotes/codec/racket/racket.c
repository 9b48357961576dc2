/* Racket's profiler: how its JSON is recognised, and its row of the table. */
#include "codec/racket/racket.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

/* Racket writes the members in the order of the alphabet. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "nodes") &&
			       pn_json_sniff_key(bytes, len, "callee_time") &&
			       pn_json_sniff_key(bytes, len, "caller_time")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_racket = {
	.name = "racket",
	.summary = "Racket's profiler, rendered as JSON",
	.languages = "racket",
	.made_by = "profile with #:render from profile/render-json",
	.sniffed_by = "\"nodes\" with \"caller_time\" and \"callee_time\"",
	.suffix = ".racket.json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = pn_racket_read,
	.write = pn_racket_write,
	.takes_ticks = true,
	.types = PN_CODEC_TYPES_ONE,
	.type_name = "time",
	.costs = PN_CODEC_COSTS_GRAPH,
	.keeps = PN_CODEC_KEEPS_FACTS | PN_CODEC_KEEPS_FREE,
};
