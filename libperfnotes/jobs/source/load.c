/* The source files that a list shows. */
#include "jobs/source/load.h"

#include "analysis/source/routines.h"
#include "base/alloc.h"
#include "jobs/source/paths.h"
#include "jobs/source/tree.h"

#include <string.h>

struct loading {
	struct pn_source_texts *out;
	struct pn_source_tree *tree;
	struct pn_source_paths paths;
	size_t bytes;
};

static void miss(struct pn_source_text *text, const char *format,
		 const char *what)
{
	struct pn_buf why = {0};

	pn_buf_printf(&why, format, what);
	text->missing = pn_buf_detach(&why);
}

static void load_one(struct loading *l, uint32_t file)
{
	struct pn_source_text *text = &l->out->items[file];
	const char *path = l->paths.of[file];
	struct pn_error err;

	if (text->missing || text->start)
		return;
	if (!path) {
		miss(text, "the file is not in %s", l->tree->name);
	} else if (l->bytes > PN_SOURCE_ALL_MAX) {
		miss(text, "%s", "too many files are listed before it");
	} else if (pn_source_tree_read(&text->bytes, l->tree, path, &err)) {
		miss(text, "%s", err.message);
	} else {
		pn_source_text_split(text);
		l->bytes += text->bytes.len;
	}
}

static int load_from(struct pn_source_texts *out, struct pn_source_tree *tree,
		     const struct pn_report *report, const char *pattern,
		     struct pn_error *err)
{
	const struct pn_profile *p = report->profile;
	struct loading l = {.out = out, .tree = tree};
	struct pn_routines list;
	size_t i;
	int code = pn_routines_init(&list, report, pattern, err);

	if (code)
		return code;
	out->count = report->nodes.files.count;
	out->items = pn_calloc(out->count + 1, sizeof(*out->items));
	pn_source_paths_init(&l.paths, &report->nodes.files,
			     pn_profile_text(p, p->header.source_root), tree);
	for (i = 0; i < list.routine_count; i++)
		if (list.routines[i].file)
			load_one(&l, list.routines[i].file);
	pn_source_paths_release(&l.paths);
	pn_routines_release(&list);
	return 0;
}

/* Where files are looked for; `repo` is NULL where it is a folder. */
struct place {
	struct pn_repo *repo;
	struct pn_source_tree tree;
};

static bool has_commit(struct pn_repo *repo)
{
	struct pn_head head;

	return !pn_repo_head(&head, repo, NULL) && !head.unborn;
}

static void close_place(struct place *place)
{
	pn_source_tree_release(&place->tree);
	pn_repo_free(place->repo);
}

static int open_commit(struct place *place, const char *hex,
		       struct pn_error *err)
{
	struct pn_oid commit;
	int code =
		pn_repo_resolve(&commit, place->repo, hex ? hex : "HEAD", err);

	if (!code)
		code = pn_source_tree_of_commit(&place->tree, place->repo,
						&commit, err);
	if (code)
		close_place(place);
	return code;
}

static int open_place(struct place *out, const char *hex, const char *folder,
		      struct pn_error *err)
{
	int code;

	*out = (struct place){.repo = NULL};
	code = folder ? PN_ENOTFOUND : pn_repo_open(&out->repo, NULL, err);
	if (!code && !hex && !has_commit(out->repo)) {
		pn_repo_free(out->repo);
		out->repo = NULL;
		code = PN_ENOTFOUND;
	}
	if (!code)
		return open_commit(out, hex, err);
	if (code != PN_ENOTFOUND)
		return code;
	pn_source_tree_of_folder(&out->tree, folder ? folder : ".");
	return 0;
}

int pn_source_texts_load(struct pn_source_texts *out,
			 const struct pn_report *report, const char *pattern,
			 const char *hex, const char *folder,
			 struct pn_error *err)
{
	struct place place;
	int code = open_place(&place, hex, folder, err);

	memset(out, 0, sizeof(*out));
	if (code)
		return code;
	code = load_from(out, &place.tree, report, pattern, err);
	close_place(&place);
	return code;
}

bool pn_source_texts_are_there(const struct pn_strtab *files, const char *root,
			       const char *hex, const char *folder)
{
	struct pn_source_paths paths;
	struct place place;
	bool any = false;
	size_t i;

	if (open_place(&place, hex, folder, NULL))
		return false;
	pn_source_paths_init(&paths, files, root, &place.tree);
	for (i = 0; i < paths.count; i++)
		any = any || paths.of[i];
	pn_source_paths_release(&paths);
	close_place(&place);
	return any;
}
