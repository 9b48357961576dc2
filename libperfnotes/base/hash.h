/* Checksums: SHA-256 for identity, git's object names, CRC-32 for bodies,
 * random bits. */
#ifndef PN_BASE_HASH_H
#define PN_BASE_HASH_H

#include "base/oid.h"

#include <stddef.h>
#include <stdint.h>

/* FIPS 180-4, by OpenSSL. */
void pn_hash_sha256(unsigned char out[32], const void *bytes, size_t len);
#define PN_HASH_SHA256_HEX 64
/* Its digits, and a NUL. */
void pn_hash_sha256_hex(char out[PN_HASH_SHA256_HEX + 1],
			const unsigned char hash[32]);
/* Of two runs of bytes as one. */
void pn_hash_sha256_both(unsigned char out[32], const void *first,
			 size_t first_len, const void *second,
			 size_t second_len);
/* The name git gives an object: SHA-1 of "<type> <len>", NUL and the bytes, by
 * OpenSSL, which unlike git's own looks for no collisions. Where something is
 * written under a name that something has already, bytes are compared
 * (pn_objects_write); where a name alone tells whether a file of the user's is
 * the one that a commit has, libgit2 looks for collisions (pn_plan_hash). */
void pn_hash_git_object(struct pn_oid *out, const char *type, const void *bytes,
			size_t len);
/* SHA-1 piece by piece, for the checksums of git's packs. */
struct pn_hash_sha1;
struct pn_hash_sha1 *pn_hash_sha1_new(void);
void pn_hash_sha1_add(struct pn_hash_sha1 *hash, const void *bytes, size_t len);
/* The hash of all of it; the state is freed. `out` may be NULL. */
void pn_hash_sha1_end(unsigned char out[20], struct pn_hash_sha1 *hash);
/* CRC-32 of zlib; start with 0. */
uint32_t pn_hash_crc32(uint32_t crc, const void *bytes, size_t len);
/* 64 bits of a generator that the system seeds (getentropy). */
uint64_t pn_hash_random(void);
/* The same bits for the whole process where the system has given it some, else
 * others each time: a secret of hash tables. */
uint64_t pn_hash_secret(void);
/* As many such numbers at once as one call to the system gives. */
#define PN_HASH_RANDOMS 32
void pn_hash_randoms(uint64_t out[PN_HASH_RANDOMS]);

#endif
