/*
 * Part of the program, not of the library: a faster start of libgit2.
 *
 * git_libgit2_init prepares its own HTTPS, which git-perf never uses (the git
 * executable does all transport). Where it is built on mbed TLS, that parses
 * every certificate of the system: 4 of the 7 ms that opening a repository
 * took. A program's own symbols come before those of shared libraries, so
 * these two say that there is no certificate; TLS through libgit2 would then
 * refuse every server. With another TLS library nobody calls them. Weak, so
 * that a static mbed TLS wins without a word from the linker.
 */
#define FIRST __attribute__((weak, used, visibility("default")))

int mbedtls_x509_crt_parse_file(void *chain, const char *path);
int mbedtls_x509_crt_parse_path(void *chain, const char *path);

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
