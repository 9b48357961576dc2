/*
 * perf.data: recognised, so that what to do with it can be said. A codec
 * starts no process; the program runs perf script on a file that it is given
 * by name, and what needs binaries and a kernel to be read is of no use in a
 * repository anyway.
 */
#include "codec/codec.h"

#include <string.h>

#define MAGIC "PERFILE2"
#define SWAPPED "2ELIFREP" /* of a machine of the other byte order */

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return len >= strlen(MAGIC) && (!memcmp(bytes, MAGIC, strlen(MAGIC)) ||
					!memcmp(bytes, SWAPPED, strlen(MAGIC)))
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

static int refuse(struct pn_profile *out, struct pn_reader *in,
		  struct pn_error *err)
{
	(void)in;
	pn_profile_release(out);
	return pn_error_set(err, PN_EFORMAT,
			    "perf.data is read by name, through perf; of other "
			    "places read the text of 'perf script -i <file>'");
}

const struct pn_codec pn_codec_perf_data = {
	.name = "perf-data",
	.summary = "perf.data, by running perf script",
	.languages = "c c++ rust any",
	.made_by = "perf record -g -o <file>",
	.sniffed_by = "the magic 'PERFILE2'",
	.suffix = ".perf.data",
	.sniff = sniff,
	.read = refuse,
};
