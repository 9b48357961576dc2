/*
 * Java's Flight Recorder, as the JDK and async-profiler write it: samples,
 * allocations and waiting, by stack and thread. Version 2 of the file format,
 * which has no document: jdk.jfr.internal.consumer of OpenJDK 17 and 25 reads
 * it. Other events, as those of garbage collection, are passed over.
 */
#include "codec/jfr/jfr.h"
#include "codec/codec.h"

#include <stdlib.h>
#include <string.h>

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct pn_jfr d = {.p = out};
	const unsigned char *bytes;
	size_t have;
	int code;

	do {
		code = pn_jfr_read_chunk(&d, in, err);
		if (!code)
			code = pn_reader_peek(&bytes, &have, in, 1, err);
	} while (!code && have);
	if (!code)
		code = pn_jfr_build(&d, err);
	out->complete = false;
	pn_jfr_release_chunk(&d.chunk);
	pn_frames_release(&d.frames);
	pn_strtab_release(&d.threads);
	pn_strtab_release(&d.sets);
	pn_slots_release(&d.cost_slots);
	pn_buf_release(&d.text);
	free(d.methods);
	free(d.stack);
	free(d.costs);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return len >= 4 && !memcmp(bytes, "FLR", 4) ? PN_SNIFF_SURE
						    : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_jfr = {
	.name = "jfr",
	.summary = "Java's Flight Recorder (JDK, async-profiler)",
	.languages = "java kotlin scala clojure groovy jvm",
	.made_by = "java -XX:StartFlightRecording=filename=rec.jfr,"
		   "settings=profile",
	.sniffed_by = "'FLR' and a NUL",
	.suffix = ".jfr",
	.sniff = sniff,
	.first = PN_FIRST_OTHER,
	.read = read_profile,
};
