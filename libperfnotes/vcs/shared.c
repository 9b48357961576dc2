/* core.sharedRepository, as git-config(1) and git-init(1) have it. */
#include "vcs/shared.h"

#include "base/file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int shared_from(const char *value)
{
	unsigned int mode = 0;
	const char *at;

	if (!value || !strcmp(value, "umask") || !strcmp(value, "false") ||
	    !strcmp(value, "no") || !strcmp(value, "off") ||
	    !strcmp(value, "0"))
		return 0;
	if (!strcmp(value, "group") || !strcmp(value, "true") ||
	    !strcmp(value, "yes") || !strcmp(value, "on") ||
	    !strcmp(value, "1"))
		return 0660;
	if (!strcmp(value, "all") || !strcmp(value, "world") ||
	    !strcmp(value, "everybody") || !strcmp(value, "2"))
		return 0664;
	for (at = value; *at >= '0' && *at <= '7' && mode < 01000; at++)
		mode = mode * 8 + (unsigned int)(*at - '0');
	return *at ? 0 : -(int)(mode & 0666);
}

int pn_shared_mode(int *out, struct pn_repo *repo, struct pn_error *err)
{
	char *value;
	int code = pn_repo_config(&value, repo, "core.sharedRepository", err);

	if (code)
		return code;
	*out = shared_from(value);
	free(value);
	return 0;
}

int pn_shared_apply(const char *path, int shared, struct pn_error *err)
{
	unsigned int tweak = (unsigned int)(shared < 0 ? -shared : shared);
	struct stat st;
	mode_t mode;

	if (!shared)
		return 0;
	if (lstat(path, &st))
		return pn_file_fail(err, "read the mode of", path);
	if (!(st.st_mode & S_IWUSR))
		tweak &= ~0222u;
	if (st.st_mode & S_IXUSR)
		tweak |= (tweak & 0444) >> 2;
	mode = (st.st_mode & 07777) | tweak;
	if (shared < 0)
		mode = (st.st_mode & 07000) | tweak;
	if (S_ISDIR(st.st_mode) && (mode & 0060))
		mode |= S_ISGID;
	if (mode != (st.st_mode & 07777) && chmod(path, mode))
		return pn_error_system(err, "cannot set the mode of '%s'",
				       path);
	return 0;
}
