/* What other repositories lend. */
#include "vcs/objects/lent.h"

#include "base/buf.h"
#include "base/file.h"
#include "vcs/git.h"

#include <string.h>
#include <unistd.h>

#define ALTERNATES_MAX (1u << 20)

/* The next folder that is named, "" at the end. Comments are none, and what is
 * quoted is left to git. */
static void next_folder(struct pn_buf *out, const char **at,
			const struct pn_repo *repo)
{
	size_t len;

	pn_buf_clear(out);
	while (!out->len && **at) {
		len = strcspn(*at, "\n");
		if (**at != '/' && len)
			pn_buf_printf(out, "%s/objects/", repo->common_dir);
		pn_buf_add(out, *at, len);
		if (**at == '#' || **at == '"')
			pn_buf_clear(out);
		*at += len + ((*at)[len] == '\n');
	}
}

bool pn_lent_advise(struct pn_error *err, struct pn_repo *repo)
{
	struct pn_buf path = {0}, text = {0}, folder = {0};
	struct pn_error why;
	const char *at;
	bool away;

	pn_buf_printf(&path, "%s/objects/info/alternates", repo->common_dir);
	(void)pn_file_read(&text, pn_buf_text(&path), ALTERNATES_MAX, NULL);
	at = pn_buf_text(&text);
	for (next_folder(&folder, &at, repo); folder.len;
	     next_folder(&folder, &at, repo))
		if (access(pn_buf_text(&folder), F_OK))
			break;
	away = folder.len > 0;
	why = *err;
	if (away)
		pn_error_set(err, why.code,
			     "%s: '%s', which '%s' names, is not there: bring "
			     "it back, or write there where it is now",
			     why.message, pn_buf_text(&folder),
			     pn_buf_text(&path));
	pn_buf_release(&path);
	pn_buf_release(&text);
	pn_buf_release(&folder);
	return away;
}
