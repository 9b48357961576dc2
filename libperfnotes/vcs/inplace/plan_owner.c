/* Whose a file is, and what hangs on it beside its bytes and mode: git keeps
 * none of that, so a checkout cannot bring it back. */
#include "vcs/inplace/plan.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_LLISTXATTR
#include <sys/xattr.h>

#define NAMES_MAX 1024 /* more are more than one */

/* The policy of SELinux labels what is made anew. */
static bool is_given(const char *name)
{
	return !strcmp(name, "security.selinux");
}

/* ACLs are among them: system.posix_acl_access. */
static int has_attributes(const char *path, struct pn_error *err)
{
	char names[NAMES_MAX];
	ssize_t n = llistxattr(path, names, sizeof(names));
	const char *at;

	if (n < 0 && errno == ERANGE)
		return 1;
	if (n < 0 && errno != ENOTSUP && errno != ENOENT)
		return pn_error_system(
			err, "cannot read the attributes of '%s'", path);
	for (at = names; n > 0 && at < names + n; at += strlen(at) + 1)
		if (!is_given(at))
			return 1;
	return 0;
}
#else
static int has_attributes(const char *path, struct pn_error *err)
{
	(void)path;
	(void)err;
	return 0;
}
#endif

/* The group of what is made in a folder with the set-group-ID bit. */
static int new_group(gid_t *out, const char *path, struct pn_error *err)
{
	const char *slash = strrchr(path, '/');
	char *dir = pn_strndup(path, (size_t)(slash - path));
	struct stat st;
	int code = 0;

	if (stat(dir, &st))
		code = pn_error_system(err, "cannot read '%s'", dir);
	else
		*out = st.st_mode & S_ISGID ? st.st_gid : getegid();
	free(dir);
	return code;
}

int pn_plan_is_plain(const char *path, const struct stat *st,
		     struct pn_error *err)
{
	gid_t group = getegid();
	int code;

	if (st->st_uid != geteuid())
		return 0;
	if (st->st_gid != group) {
		code = new_group(&group, path, err);
		if (code)
			return code;
	}
	if (st->st_gid != group)
		return 0;
	code = has_attributes(path, err);
	return code < 0 ? code : !code;
}
