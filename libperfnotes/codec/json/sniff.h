/* Recognising a JSON document by its first bytes. */
#ifndef PN_JSON_SNIFF_H
#define PN_JSON_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it begins as an object or, the other one, an array, behind blanks
 * and a byte order mark. */
bool pn_json_sniff_object(const unsigned char *bytes, size_t len);
bool pn_json_sniff_array(const unsigned char *bytes, size_t len);
/* Whether "key" with a colon behind it stands anywhere in these bytes. */
bool pn_json_sniff_key(const unsigned char *bytes, size_t len, const char *key);
/* Whether the text stands there. */
bool pn_json_sniff_text(const unsigned char *bytes, size_t len,
			const char *text);

#endif
