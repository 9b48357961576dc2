/*
 * Checksums and random bits.
 *
 * OpenSSL calls SHA256_Init and its kin deprecated, yet EVP reads its
 * configuration and loads providers at the first digest: 0.7 ms measured,
 * a sixth of what `status` may take, and twice the time for a short input.
 */
#define _DEFAULT_SOURCE /* getentropy */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/hash.h"

#include "base/alloc.h"
#include "base/deflate.h"
#include "base/file.h"
#include "base/number.h"

#include <fcntl.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_GETAUXVAL
#include <sys/auxv.h>
#endif
#include <unistd.h>

void pn_hash_sha256(unsigned char out[32], const void *bytes, size_t len)
{
	pn_hash_sha256_both(out, bytes, len, "", 0);
}

void pn_hash_sha256_both(unsigned char out[32], const void *first,
			 size_t first_len, const void *second,
			 size_t second_len)
{
	SHA256_CTX context;

	SHA256_Init(&context);
	SHA256_Update(&context, first, first_len);
	SHA256_Update(&context, second, second_len);
	SHA256_Final(out, &context);
}

void pn_hash_sha256_hex(char out[PN_HASH_SHA256_HEX + 1],
			const unsigned char hash[32])
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < 32; i++) {
		out[2 * i] = digits[hash[i] >> 4];
		out[2 * i + 1] = digits[hash[i] & 15];
	}
	out[PN_HASH_SHA256_HEX] = '\0';
}

void pn_hash_git_object(struct pn_oid *out, const char *type, const void *bytes,
			size_t len)
{
	char head[PN_NUMBER_UINT_TEXT + 1] = " ";
	size_t n = pn_number_write_uint(head + 1, len);
	SHA_CTX context;

	SHA1_Init(&context);
	SHA1_Update(&context, type, strlen(type));
	SHA1_Update(&context, head, n + 2); /* with the NUL */
	SHA1_Update(&context, bytes, len);
	SHA1_Final(out->bytes, &context);
}

struct pn_hash_sha1 {
	SHA_CTX context;
};

struct pn_hash_sha1 *pn_hash_sha1_new(void)
{
	struct pn_hash_sha1 *hash = pn_malloc(sizeof(*hash));

	SHA1_Init(&hash->context);
	return hash;
}

void pn_hash_sha1_add(struct pn_hash_sha1 *hash, const void *bytes, size_t len)
{
	SHA1_Update(&hash->context, bytes, len);
}

void pn_hash_sha1_end(unsigned char out[20], struct pn_hash_sha1 *hash)
{
	if (hash && out)
		SHA1_Final(out, &hash->context);
	free(hash);
}

uint32_t pn_hash_crc32(uint32_t crc, const void *bytes, size_t len)
{
	return pn_deflate_crc32(crc, bytes, len);
}

static int read_device(void *to, size_t len)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, to, len);

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)len ? 0 : -1;
}

/* The bits make lines and names distinct; they are no secret. So a system
 * without either source still gets what time and process tell apart. */
static void from_time(uint64_t *out, size_t count)
{
	struct {
		int64_t time_ns;
		int64_t pid;
		const void *at;
		uint64_t number;
	} seed;
	unsigned char hash[32];

	memset(&seed, 0, sizeof(seed));
	seed.time_ns = pn_time_now_ns();
	seed.pid = getpid();
	seed.at = &seed;
	for (; seed.number < count; seed.number++) {
		pn_hash_sha256(hash, &seed, sizeof(seed));
		memcpy(&out[seed.number], hash, sizeof(*out));
	}
}

static void fill(uint64_t *out, size_t count)
{
	if (getentropy(out, count * sizeof(*out)) &&
	    read_device(out, count * sizeof(*out)))
		from_time(out, count);
}

uint64_t pn_hash_random(void)
{
	uint64_t bits;

	fill(&bits, 1);
	return bits;
}

uint64_t pn_hash_secret(void)
{
	uint64_t bits = 0;
#ifdef HAVE_GETAUXVAL
	/* A pointer as a number; the hash tells nothing of these 16 bytes, by
	 * which the C library guards its stack.
	 * NOLINTNEXTLINE(performance-no-int-to-ptr) */
	const void *given = (const void *)getauxval(AT_RANDOM);
	unsigned char hash[32];

	if (given) {
		pn_hash_sha256(hash, given, 16);
		memcpy(&bits, hash, sizeof(bits));
	}
#endif
	return bits ? bits : pn_hash_random();
}

/* getentropy(3) gives at most 256 bytes. */
void pn_hash_randoms(uint64_t out[PN_HASH_RANDOMS])
{
	fill(out, PN_HASH_RANDOMS);
}
