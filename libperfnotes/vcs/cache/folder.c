/* perf/cache of the common git folder. */
#include "vcs/cache/folder.h"

#include "base/buf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARENT "perf"
#define FOLDER PARENT "/cache"

char *pn_cache_path(const struct pn_repo *repo, const char *name)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/" FOLDER "/%s", pn_repo_common_dir(repo),
		      name);
	return pn_buf_detach(&path);
}

void *pn_cache_map(size_t *len, const char *path, size_t max)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	void *at = MAP_FAILED;
	struct stat st;

	*len = 0;
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size <= (off_t)max) {
		*len = (size_t)st.st_size;
		at = mmap(NULL, *len, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	if (at != MAP_FAILED)
		return at;
	*len = 0;
	return NULL;
}

int pn_cache_open_end(const char *path)
{
	return open(path,
		    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK |
			    O_NOFOLLOW,
		    0666);
}

static bool make(struct pn_repo *repo, const char *name)
{
	struct pn_buf path = {0};
	struct stat st;
	bool had, good;

	pn_buf_printf(&path, "%s/%s", pn_repo_common_dir(repo), name);
	had = !lstat(pn_buf_text(&path), &st);
	good = had ? S_ISDIR(st.st_mode) : !mkdir(pn_buf_text(&path), 0777);
	if (good && !had)
		pn_repo_share(repo, pn_buf_text(&path));
	pn_buf_release(&path);
	return good;
}

bool pn_cache_make_folder(struct pn_repo *repo)
{
	return make(repo, PARENT) && make(repo, FOLDER);
}
