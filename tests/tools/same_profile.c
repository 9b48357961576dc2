/* same_profile FILE FILE: whether two profiles, of any formats, say the same.
 * Exit status 0 or 1 (with what differs first), 2 when one cannot be read. */
#include "base/reader/reader.h"
#include "codec/codec.h"
#include "model/profile.h"

#include <stdio.h>

static int load(struct pn_profile *out, const char *path)
{
	struct pn_reader *in = NULL;
	struct pn_error err;
	int code;

	pn_profile_init(out);
	code = pn_reader_open(&in, path, 0, &err);
	if (!code)
		code = pn_codec_read(out, NULL, NULL, in, &err);
	pn_reader_free(in);
	if (code)
		fprintf(stderr, "%s\n", err.message);
	return code;
}

int main(int argc, char **argv)
{
	struct pn_profile a, b;
	char why[256] = "";
	int code = 0;

	if (argc != 3 || load(&a, argv[1]) || load(&b, argv[2]))
		return 2;
	if (!pn_profile_equal(&a, &b, why, sizeof(why))) {
		fprintf(stderr, "%s and %s: %s\n", argv[1], argv[2], why);
		code = 1;
	}
	pn_profile_release(&a);
	pn_profile_release(&b);
	return code;
}
