/* gprof: how its text is recognised, and its row of the table. */
#include "codec/gprof/gprof.h"
#include "codec/codec.h"

#include <string.h>

static bool begins(const char *text, size_t len, const char *with)
{
	while (len && (*text == ' ' || *text == '\t' || *text == '\f')) {
		text++;
		len--;
	}
	return len >= strlen(with) && !memcmp(text, with, strlen(with));
}

/* Headings of its own, one of which stands first. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	const char *at = (const char *)bytes, *end = at + len, *lf;
	bool first = true, flat = false, graph = false;

	for (; at < end; at = lf + 1) {
		size_t line;

		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf)
			lf = end;
		line = (size_t)(lf - at);
		if (line && at[line - 1] == '\r')
			line--;
		if (!line)
			continue;
		if (first) {
			flat = begins(at, line, PN_GPROF_FLAT);
			graph = begins(at, line, "Call graph") ||
				begins(at, line, "granularity: each sample");
			if (!flat && !graph)
				return PN_SNIFF_NO;
			first = false;
		} else if (flat ? begins(at, line, "%   cumulative   self")
				: pn_gprof_is_heading(at, line)) {
			return PN_SNIFF_LIKELY;
		}
	}
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_gprof = {
	.name = "gprof",
	.summary = "gprof's flat profile and call graph",
	.languages = "c c++",
	.made_by = "gprof <program> gmon.out",
	.sniffed_by = "'Flat profile:' or 'Call graph', and its columns",
	.suffix = ".gprof.txt",
	.sniff = sniff,
	.read = pn_gprof_read,
};
