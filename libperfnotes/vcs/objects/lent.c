/* What other repositories lend. */
#include "vcs/objects/lent.h"

#include "base/buf.h"
#include "base/file.h"
#include "vcs/git.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALTERNATES_MAX (1u << 20)

void pn_lent_read(struct pn_buf *out, const char *objects)
{
	struct pn_buf path = {0};

	pn_buf_add_text(&path, objects);
	pn_buf_add_text(&path, "/info/alternates");
	pn_buf_clear(out);
	/* most have none: a failure of open(2) costs more than access(2) */
	if (!access(pn_buf_text(&path), R_OK))
		(void)pn_file_read(out, pn_buf_text(&path), ALTERNATES_MAX,
				   NULL);
	pn_buf_release(&path);
}

void pn_lent_given(struct pn_buf *out)
{
	const char *own = getenv("GIT_OBJECT_DIRECTORY");
	const char *list = getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES");

	pn_buf_clear(out);
	if (own && *own)
		pn_buf_add(out, own, strlen(own) + 1);
	while (list && *list) {
		size_t len = strcspn(list, ":");

		if (len) {
			pn_buf_add(out, list, len);
			pn_buf_add_byte(out, '\0');
		}
		list += len + (list[len] == ':');
	}
}

/* Comments are none, and what is quoted is left to git. */
void pn_lent_next(struct pn_buf *out, const char **at, const char *objects)
{
	size_t len;

	pn_buf_clear(out);
	while (!out->len && **at) {
		len = strcspn(*at, "\n");
		if (**at != '/' && len)
			pn_buf_printf(out, "%s/", objects);
		pn_buf_add(out, *at, len);
		if (**at == '#' || **at == '"')
			pn_buf_clear(out);
		*at += len + ((*at)[len] == '\n');
	}
}

bool pn_lent_advise(struct pn_error *err, struct pn_repo *repo)
{
	struct pn_buf objects = {0}, text = {0}, folder = {0};
	struct pn_error why;
	const char *at;
	bool away;

	pn_buf_printf(&objects, "%s/objects", repo->common_dir);
	pn_lent_read(&text, pn_buf_text(&objects));
	at = pn_buf_text(&text);
	for (pn_lent_next(&folder, &at, pn_buf_text(&objects)); folder.len;
	     pn_lent_next(&folder, &at, pn_buf_text(&objects)))
		if (access(pn_buf_text(&folder), F_OK))
			break;
	away = folder.len > 0;
	why = *err;
	if (away)
		pn_error_set(err, why.code,
			     "%s: '%s', which '%s/info/alternates' names, is "
			     "not there: bring it back, or write there where "
			     "it is now",
			     why.message, pn_buf_text(&folder),
			     pn_buf_text(&objects));
	pn_buf_release(&objects);
	pn_buf_release(&text);
	pn_buf_release(&folder);
	return away;
}
