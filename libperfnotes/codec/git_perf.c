/* The format "git-perf": a key body in a file of its own. */
#include "body/body.h"
#include "codec/codec.h"

#include <string.h>

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_body_info info;

	/* one that we must refuse is still ours, and says why */
	if (len >= 4 && !memcmp(bytes, "\xb1pnb", 4))
		return PN_SNIFF_SURE;
	return pn_body_info(&info, bytes, len, NULL) ? PN_SNIFF_NO
						     : PN_SNIFF_SURE;
}

static int read_body(struct pn_profile *out, struct pn_reader *in,
		     struct pn_error *err)
{
	struct pn_buf bytes = {0};
	struct pn_body_state *state = NULL;
	int code = pn_reader_rest(&bytes, in, PN_BODY_MAX_RAW, err);

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
	.sniffed_by = "the bytes b1 'pnb' at the start",
	.suffix = ".perf",
	.sniff = sniff,
	.read = read_body,
	.write = write_body,
};
