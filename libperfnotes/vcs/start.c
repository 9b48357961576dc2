/*
 * Part of the program, not of the library: a faster start of libgit2.
 *
 * git_libgit2_init prepares its own HTTPS and SSH, which git-perf never uses
 * (the git executable does all transport). Where they are built on mbed TLS
 * and libssh2, that parses every certificate of the system, gathers entropy
 * by timing memory accesses and loads OpenSSL's engines and error texts: 4.7
 * of the 7.5 ms that opening a repository took. A program's own symbols come
 * before those of shared libraries, so these say that there is no certificate,
 * no SSH and no random number; libgit2's own transports would then refuse
 * every server. With other libraries nobody calls them.
 *
 * Where libgit2 itself is linked into the program (PERF_STATIC_GIT2), these
 * come before those of the archives, and Kerberos, of which there is none, is
 * said to be unable.
 */
#include <stddef.h>

#ifdef PERF_STATIC_GIT2
#define FIRST __attribute__((used, visibility("default")))
#else
#define FIRST __attribute__((weak, used, visibility("default")))
#endif
#define NO_ENTROPY (-0x0034) /* MBEDTLS_ERR_CTR_DRBG_ENTROPY_SOURCE_FAILED */

int mbedtls_x509_crt_parse_file(void *chain, const char *path);
int mbedtls_x509_crt_parse_path(void *chain, const char *path);
void mbedtls_entropy_init(void *entropy);
void mbedtls_entropy_free(void *entropy);
int mbedtls_ctr_drbg_seed(void *rng, void *source, void *entropy,
			  const unsigned char *text, size_t len);
int mbedtls_ctr_drbg_random(void *rng, unsigned char *out, size_t len);
int libssh2_init(int flags);

FIRST int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	(void)chain;
	(void)path;
	return -1;
}

FIRST int mbedtls_x509_crt_parse_path(void *chain, const char *path)
{
	(void)chain;
	(void)path;
	return -1;
}

FIRST void mbedtls_entropy_init(void *entropy)
{
	(void)entropy;
}

FIRST void mbedtls_entropy_free(void *entropy)
{
	(void)entropy;
}

/* Else libgit2 would not start; random below says that there is none. */
FIRST int mbedtls_ctr_drbg_seed(void *rng, void *source, void *entropy,
				const unsigned char *text, size_t len)
{
	(void)rng;
	(void)source;
	(void)entropy;
	(void)text;
	(void)len;
	return 0;
}

FIRST int mbedtls_ctr_drbg_random(void *rng, unsigned char *out, size_t len)
{
	(void)rng;
	(void)out;
	(void)len;
	return NO_ENTROPY;
}

/* Without it libssh2_exit does nothing, too. */
FIRST int libssh2_init(int flags)
{
	(void)flags;
	return 0;
}

#ifdef PERF_STATIC_GIT2
#define GSS_FAILURE (13u << 16) /* GSS_S_FAILURE, RFC 2744 */

extern void *GSS_C_NT_HOSTBASED_SERVICE;
unsigned int gss_delete_sec_context(void);
unsigned int gss_display_status(void);
unsigned int gss_import_name(void);
unsigned int gss_indicate_mechs(void);
unsigned int gss_init_sec_context(void);
unsigned int gss_release_buffer(void);
unsigned int gss_release_name(void);
unsigned int gss_release_oid_set(void);

void *GSS_C_NT_HOSTBASED_SERVICE;

unsigned int gss_delete_sec_context(void)
{
	return GSS_FAILURE;
}

unsigned int gss_display_status(void)
{
	return GSS_FAILURE;
}

unsigned int gss_import_name(void)
{
	return GSS_FAILURE;
}

unsigned int gss_indicate_mechs(void)
{
	return GSS_FAILURE;
}

unsigned int gss_init_sec_context(void)
{
	return GSS_FAILURE;
}

unsigned int gss_release_buffer(void)
{
	return GSS_FAILURE;
}

unsigned int gss_release_name(void)
{
	return GSS_FAILURE;
}

unsigned int gss_release_oid_set(void)
{
	return GSS_FAILURE;
}
#endif
