/* perf/cache of the common git folder. */
#include "vcs/cache/folder.h"

#include "base/buf.h"

#include <stdlib.h>
#include <sys/stat.h>

#define PARENT "perf"
#define FOLDER PARENT "/cache"

char *pn_cache_path(const struct pn_repo *repo, const char *name)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/" FOLDER "/%s", pn_repo_common_dir(repo),
		      name);
	return pn_buf_detach(&path);
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
