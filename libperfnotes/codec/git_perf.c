/* The format "git-perf": a key body in a file of its own. */
#include "body/body.h"
#include "codec/codec.h"

#include <string.h>

#define BODY_HEAD 64 /* bytes that pn_body_info needs */

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_body_info info;

	/* one that we must refuse is still ours, and says why */
	if (len >= 4 && !memcmp(bytes, "\xb1pnb", 4))
		return PN_SNIFF_SURE;
	return pn_body_info(&info, bytes, len, NULL) ? PN_SNIFF_NO
						     : PN_SNIFF_SURE;
}

/* Packed columns are not much longer than what they hold. */
#define PACKED_FACTOR 2
#define PACKED_SLACK (UINT64_C(1) << 16)

/* How long the body may be by what its first bytes say; what is no body is
 * refused before it is unpacked. */
static int bound_body(uint64_t *limit, struct pn_reader *in,
		      struct pn_error *err)
{
	struct pn_body_info info;
	const unsigned char *bytes;
	size_t have;
	int code = pn_reader_peek(&bytes, &have, in, BODY_HEAD, err);

	if (!code)
		code = pn_body_info(&info, bytes, have, err);
	if (code)
		return code;
	*limit = PN_BODY_MAX_RAW;
	if (info.raw_bytes < PN_BODY_MAX_RAW / PACKED_FACTOR - PACKED_SLACK)
		*limit = info.raw_bytes * PACKED_FACTOR + PACKED_SLACK;
	return 0;
}

static int read_body(struct pn_profile *out, struct pn_reader *in,
		     struct pn_error *err)
{
	struct pn_buf bytes = {0};
	struct pn_body_state *state = NULL;
	uint64_t limit = 0;
	int code = bound_body(&limit, in, err);

	if (!code)
		code = pn_reader_rest(&bytes, in, limit, err);

	if (!code)
		code = pn_body_decode(&state, bytes.data, bytes.len, NULL, err);
	if (!code)
		code = pn_body_profile(out, state, err);
	pn_body_state_free(state);
	pn_buf_release(&bytes);
	return code;
}

static int write_body(struct pn_buf *out, const struct pn_profile *profile,
		      struct pn_error *err)
{
	return pn_body_encode(out, NULL, profile, NULL, NULL, err);
}

const struct pn_codec pn_codec_body = {
	.name = "git-perf",
	.summary = "git-perf's own, everything a profile holds",
	.languages = "any",
	.made_by = "git perf export --to=git-perf, git perf collect",
	.sniffed_by = "the bytes b1 'pnb' at the start",
	.suffix = ".perf",
	.sniff = sniff,
	.read = read_body,
	.write = write_body,
	.takes_ticks = true,
	.runs = PN_CODEC_RUNS_STAY,
	.costs = PN_CODEC_COSTS_BOTH,
	.keeps = PN_CODEC_KEEPS_METRICS | PN_CODEC_KEEPS_CURVES |
		 PN_CODEC_KEEPS_TIMES | PN_CODEC_KEEPS_FACTS |
		 PN_CODEC_KEEPS_ROLES | PN_CODEC_KEEPS_FREE,
};
