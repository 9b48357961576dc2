/* The first byte that is no blank. */
#include "codec/first.h"

#include <string.h>

enum pn_first pn_first_of(const unsigned char *bytes, size_t len)
{
	size_t i = len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (i < len && (bytes[i] == ' ' || bytes[i] == '\t' ||
			   bytes[i] == '\n' || bytes[i] == '\r'))
		i++;
	if (i == len)
		return PN_FIRST_ANY;
	switch (bytes[i]) {
	case '{':
		return PN_FIRST_OBJECT;
	case '[':
		return PN_FIRST_ARRAY;
	case '<':
		return PN_FIRST_TAG;
	}
	return bytes[i] < ' ' || bytes[i] == 0x7f ? PN_FIRST_CONTROL
						  : PN_FIRST_OTHER;
}

bool pn_first_fits(const struct pn_codec *codec, enum pn_first first)
{
	return !codec->first || !first || codec->first & first;
}
