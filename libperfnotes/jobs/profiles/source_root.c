/* Source files by where they lie in the repository. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "jobs/profiles/source_root.h"

#include "analysis/nodes.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* One folder by two names: what a compiler was told, and what it found. */
struct top {
	struct pn_buf given, real;
};

struct taking {
	struct pn_profile *profile;
	struct top top;
	uint32_t *files; /* of each string what it becomes; PN_NONE: not yet */
	size_t count;
	bool any;
};

static void clean(struct pn_buf *out, const char *path)
{
	if (path && *path == '/')
		pn_path_clean(out, path, strlen(path));
}

/* What stands behind the folder and its slash; NULL: it is elsewhere. */
static const char *below(const struct pn_buf *path, const struct pn_buf *folder)
{
	const char *text = pn_buf_text(path);

	if (folder->len < 2 || path->len <= folder->len + 1 ||
	    memcmp(text, pn_buf_text(folder), folder->len) != 0 ||
	    text[folder->len] != '/')
		return NULL;
	return text + folder->len + 1;
}

static uint32_t relative(struct taking *t, uint32_t file)
{
	const char *text = pn_profile_text(t->profile, file), *rest;
	struct pn_buf path = {0};

	clean(&path, text);
	rest = below(&path, &t->top.given);
	if (!rest)
		rest = below(&path, &t->top.real);
	if (rest) {
		file = pn_strtab_add_text(&t->profile->strings, rest);
		t->any = true;
	}
	pn_buf_release(&path);
	return file;
}

static void take(struct taking *t, uint32_t *file)
{
	uint32_t had = *file;

	if (!had || had >= t->count)
		return;
	if (t->files[had] == PN_NONE)
		t->files[had] = relative(t, had);
	*file = t->files[had];
}

void pn_source_root_take(struct pn_profile *p, const char *top)
{
	struct taking t = {.profile = p, .count = p->strings.count};
	char *real = top ? realpath(top, NULL) : NULL;
	size_t i;

	clean(&t.top.given, top);
	clean(&t.top.real, real);
	t.files = pn_realloc_array(NULL, t.count + 1, sizeof(*t.files));
	memset(t.files, 0xff, (t.count + 1) * sizeof(*t.files));
	for (i = 0; i < p->function_count; i++)
		take(&t, &p->functions[i].file);
	for (i = 0; i < p->graph.cost_count; i++)
		take(&t, &p->graph.costs[i].file);
	for (i = 0; i < p->graph.edge_count; i++)
		take(&t, &p->graph.edges[i].file);
	for (i = 0; i < p->mapping_count; i++)
		take(&t, &p->mappings[i].file);
	if (t.any)
		p->header.source_root = pn_strtab_add_text(
			&p->strings, PN_SOURCE_ROOT_REPOSITORY);
	pn_buf_release(&t.top.given);
	pn_buf_release(&t.top.real);
	free(t.files);
	free(real);
}
