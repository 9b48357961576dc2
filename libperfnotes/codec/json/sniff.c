/* Only a look: what is inside of strings is not told from what is not. */
#include "codec/json/sniff.h"

#include <string.h>

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool begins_with(const unsigned char *bytes, size_t len,
			unsigned char bracket)
{
	size_t i = len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (i < len && is_blank(bytes[i]))
		i++;
	return i < len && bytes[i] == bracket;
}

bool pn_json_sniff_object(const unsigned char *bytes, size_t len)
{
	return begins_with(bytes, len, '{');
}

bool pn_json_sniff_array(const unsigned char *bytes, size_t len)
{
	return begins_with(bytes, len, '[');
}

/* Where the text stands, or NULL. */
static const unsigned char *find(const unsigned char *bytes, size_t len,
				 const char *text)
{
	const unsigned char *end = bytes + len;
	size_t n = strlen(text);

	while ((size_t)(end - bytes) >= n &&
	       (bytes = memchr(bytes, *text, (size_t)(end - bytes) - n + 1))) {
		if (!memcmp(bytes, text, n))
			return bytes;
		bytes++;
	}
	return NULL;
}

bool pn_json_sniff_text(const unsigned char *bytes, size_t len,
			const char *text)
{
	return find(bytes, len, text) != NULL;
}

bool pn_json_sniff_key(const unsigned char *bytes, size_t len, const char *key)
{
	const unsigned char *end = bytes + len, *at = bytes;
	size_t n = strlen(key);

	while ((at = find(at, (size_t)(end - at), key)) != NULL) {
		const unsigned char *next = at + n;
		bool quoted = at > bytes && at[-1] == '"' && next < end &&
			      *next == '"';

		at++;
		if (!quoted)
			continue;
		next++;
		while (next < end && is_blank(*next))
			next++;
		if (next < end && *next == ':')
			return true;
	}
	return false;
}
