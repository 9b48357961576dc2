/* Replacing a file by one that is written beside it. */
#include "base/replace.h"

#include "base/buf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPLATE ".XXXXXX"

static int open_beside(struct pn_replace *out, const char *real, mode_t mode)
{
	struct pn_buf name = {0};
	int fd;

	pn_buf_printf(&name, "%s" TEMPLATE, real);
	out->temporary = pn_buf_detach(&name);
	fd = mkstemp(out->temporary);
	if (fd < 0) {
		free(out->temporary);
		out->temporary = NULL;
		return -1;
	}
	out->file = fdopen(fd, "w");
	return out->file && !fchmod(fd, mode) ? 0 : -1;
}

int pn_replace_open(struct pn_replace *out, const char *path,
		    struct pn_error *err)
{
	struct pn_replace replace = {0};
	char *real = realpath(path, NULL);
	struct stat st = {.st_mode = S_IFREG};
	mode_t mask = umask(0);
	bool failed;

	umask(mask);
	st.st_mode |= 0666 & ~mask;
	if (real && !stat(real, &st) && !S_ISREG(st.st_mode)) {
		replace.file = fopen(path, "w");
		failed = !replace.file;
	} else {
		failed = open_beside(&replace, real ? real : path,
				     st.st_mode & 0777);
	}
	free(real);
	if (failed) {
		pn_error_system(err, "cannot write '%s'", path);
		pn_replace_discard(&replace);
		return PN_EIO;
	}
	*out = replace;
	return 0;
}

/* The real name is the temporary one without its template. */
int pn_replace_finish(struct pn_replace *replace)
{
	bool failed = ferror(replace->file);
	struct pn_buf name = {0};
	int result;

	failed |= fclose(replace->file) != 0;
	replace->file = NULL;
	if (failed || !replace->temporary)
		return failed ? -1 : 0;
	pn_buf_add(&name, replace->temporary,
		   strlen(replace->temporary) - strlen(TEMPLATE));
	result = rename(replace->temporary, pn_buf_text(&name));
	pn_buf_release(&name);
	if (result)
		return -1;
	free(replace->temporary);
	replace->temporary = NULL;
	return 0;
}

void pn_replace_discard(struct pn_replace *replace)
{
	if (replace->file)
		fclose(replace->file);
	if (replace->temporary)
		unlink(replace->temporary);
	free(replace->temporary);
	memset(replace, 0, sizeof(*replace));
}
