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
 * Where libgit2 itself is linked into the program (PERF_STATIC_GIT2), its own
 * files for HTTPS, SSH and Kerberos are left out, with all that they would
 * bring, because what the rest of it asks of them is here.
 */
#include <stddef.h>

#ifndef PERF_STATIC_GIT2
#define FIRST __attribute__((weak, used, visibility("default")))
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

#else
int git_mbedtls_stream_global_init(void);
int git_mbedtls_stream_new(void);
int git_mbedtls_stream_wrap(void);
int git_mbedtls__set_cert_location(void);
int git_transport_ssh_global_init(void);
int git_transport_ssh_with_paths(void);
int git_smart_subtransport_ssh(void);
int git_http_auth_negotiate(void);

int git_mbedtls_stream_global_init(void)
{
	return 0;
}

int git_mbedtls_stream_new(void)
{
	return -1;
}

int git_mbedtls_stream_wrap(void)
{
	return -1;
}

int git_mbedtls__set_cert_location(void)
{
	return -1;
}

int git_transport_ssh_global_init(void)
{
	return 0;
}

int git_transport_ssh_with_paths(void)
{
	return -1;
}

int git_smart_subtransport_ssh(void)
{
	return -1;
}

int git_http_auth_negotiate(void)
{
	return -1;
}
#endif
