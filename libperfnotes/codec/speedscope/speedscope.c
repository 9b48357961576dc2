/* speedscope's files: how they are recognised, and their row of the table. */
#include "codec/speedscope/speedscope.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	if (!pn_json_sniff_object(bytes, len))
		return PN_SNIFF_NO;
	if (pn_json_sniff_text(bytes, len, PN_SPEEDSCOPE_SCHEMA))
		return PN_SNIFF_SURE;
	/* writers put the schema at the end, too */
	if (pn_json_sniff_key(bytes, len, "shared") &&
	    pn_json_sniff_key(bytes, len, "frames"))
		return PN_SNIFF_LIKELY;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_speedscope = {
	.name = "speedscope",
	.summary = "speedscope's JSON, sampled or evented",
	.languages = "any c# .net python ruby javascript",
	.made_by = "speedscope, py-spy record -f speedscope, rbspy, "
		   "dotnet-trace convert --format speedscope",
	.sniffed_by = "its \"$schema\", or \"shared\" and \"frames\"",
	.suffix = ".speedscope.json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = pn_speedscope_read,
	.write = pn_speedscope_write,
	.keeps = PN_CODEC_KEEPS_TIMES,
	.has_unit = pn_speedscope_has_unit,
};
