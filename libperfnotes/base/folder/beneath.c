/* Opening by parts, as openat2(2) does with RESOLVE_NO_SYMLINKS. */
#define _GNU_SOURCE /* O_PATH */
#include "base/folder/beneath.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef O_PATH /* a folder that may not be listed can be passed through */
#define SEARCH O_PATH
#else
#define SEARCH O_RDONLY
#endif

#define FLAGS (SEARCH | O_DIRECTORY | O_CLOEXEC)

static int open_part(int at, const char *name, bool make)
{
	int fd = openat(at, name, FLAGS | O_NOFOLLOW);

	if (fd >= 0 || !make || errno != ENOENT)
		return fd;
	if (mkdirat(at, name, 0777) && errno != EEXIST)
		return -1;
	return openat(at, name, FLAGS | O_NOFOLLOW);
}

static int fail(const char *base, const char *path, size_t len, bool make,
		struct pn_error *err)
{
	int number = errno;

	if (number == ENOTDIR || number == ELOOP)
		return pn_error_set(err, PN_EREFUSED, "'%s/%.*s' is no folder",
				    base, (int)len, path);
	if (number == ENOENT)
		return pn_error_set(err, PN_ENOTFOUND, "no folder '%s/%.*s'",
				    base, (int)len, path);
	errno = number;
	return pn_error_system(err, "cannot %s folder '%s/%.*s'",
			       make ? "create" : "open", base, (int)len, path);
}

int pn_beneath_open(int *out, const char *base, const char *path, bool make,
		    struct pn_error *err)
{
	int fd = open(base, FLAGS), code = 0;
	const char *at = path, *slash;

	if (fd < 0)
		return pn_error_system(err, "cannot open folder '%s'", base);
	for (; !code && (slash = strchr(at, '/')); at = slash + 1) {
		char *name = pn_strndup(at, (size_t)(slash - at));
		int next = open_part(fd, name, make);

		if (next < 0)
			code = fail(base, path, (size_t)(slash - path), make,
				    err);
		close(fd);
		fd = next;
		free(name);
	}
	if (!code)
		*out = fd;
	return code;
}
