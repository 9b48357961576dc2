/* Objects of a Perun store. */
#include "perun/object.h"

#include "base/deflate.h"
#include "base/hash.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

#define HEAD_MAX 64 /* "profile memory 18446744073709551615" has 36 */

bool pn_perun_type_is(const char *type)
{
	return !strcmp(type, "memory") || !strcmp(type, "mixed") ||
	       !strcmp(type, "time");
}

/* Perun counts characters; where it wrote the text itself they are bytes. */
static uint64_t count_characters(const unsigned char *text, size_t len)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < len; i++)
		count += (text[i] & 0xc0) != 0x80;
	return count;
}

static int wrong_header(const char *why, struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "wrong header: %s, need 'profile', a type, a "
			    "length and a NUL",
			    why);
}

/* "profile time 321" -> 321 */
static int read_header(uint64_t *length, char *header, struct pn_error *err)
{
	char *type = strchr(header, ' ');
	char *number = type ? strchr(type + 1, ' ') : NULL;

	if (!number)
		return wrong_header("less than three words", err);
	*type++ = '\0';
	*number++ = '\0';
	if (strcmp(header, "profile") != 0)
		return wrong_header("it is no profile's", err);
	if (!pn_perun_type_is(type))
		return wrong_header("the type is none of memory, mixed, time",
				    err);
	if (!pn_number_uint(length, number, strlen(number)))
		return wrong_header("the length is no number", err);
	return 0;
}

static int check_plain(size_t *json_at, const struct pn_oid *id,
		       const unsigned char *plain, size_t len,
		       struct pn_error *err)
{
	const unsigned char *nul =
		memchr(plain, '\0', len < HEAD_MAX ? len : HEAD_MAX);
	struct pn_hash_sha1 *hash;
	char header[HEAD_MAX];
	struct pn_oid real;
	uint64_t said;
	int code;

	if (!nul)
		return wrong_header("no NUL in the first 64 bytes", err);
	memcpy(header, plain, (size_t)(nul - plain) + 1);
	code = read_header(&said, header, err);
	if (code)
		return code;
	*json_at = (size_t)(nul - plain) + 1;
	if (said != len - *json_at &&
	    said != count_characters(plain + *json_at, len - *json_at))
		return pn_error_set(err, PN_EINVAL,
				    "wrong length: the header says %llu bytes, "
				    "there are %zu",
				    (unsigned long long)said, len - *json_at);
	hash = pn_hash_sha1_new();
	pn_hash_sha1_add(hash, plain, len);
	pn_hash_sha1_end(real.bytes, hash);
	if (!pn_oid_equal(&real, id)) {
		char hex[PN_OID_HEX + 1];

		pn_oid_hex(hex, &real);
		return pn_error_set(err, PN_EINVAL,
				    "wrong name: the SHA-1 of what it holds is "
				    "%s",
				    hex);
	}
	return 0;
}

int pn_perun_object_read(struct pn_buf *out, const struct pn_oid *id,
			 const void *bytes, size_t len, uint64_t limit,
			 struct pn_error *err)
{
	struct pn_buf plain = {0};
	size_t json_at = 0;
	int code;

	code = pn_inflate_zlib(&plain, NULL, bytes, len, limit + HEAD_MAX, err);
	if (!code)
		code = plain.len ? check_plain(&json_at, id, plain.data,
					       plain.len, err)
				 : wrong_header("nothing is there", err);
	if (!code)
		pn_buf_add(out, plain.data + json_at, plain.len - json_at);
	pn_buf_release(&plain);
	return code;
}

static size_t write_header(char out[HEAD_MAX], const char *type, size_t len)
{
	/* the NUL counts */
	return (size_t)snprintf(out, HEAD_MAX, "profile %.10s %zu", type, len) +
	       1;
}

void pn_perun_object_name(struct pn_oid *out, const char *type,
			  const void *json, size_t len)
{
	struct pn_hash_sha1 *hash = pn_hash_sha1_new();
	char header[HEAD_MAX];

	pn_hash_sha1_add(hash, header, write_header(header, type, len));
	pn_hash_sha1_add(hash, json, len);
	pn_hash_sha1_end(out->bytes, hash);
}

void pn_perun_object_write(struct pn_buf *out, const char *type,
			   const void *json, size_t len)
{
	char header[HEAD_MAX];

	pn_deflate_zlib(out, header, write_header(header, type, len), json, len,
			-1);
}
