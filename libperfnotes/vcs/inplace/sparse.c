/*
 * A sparse checkout: git takes away files outside of the patterns when it
 * checks out, even those that the user made it write. They are set aside like
 * changed ones. Which they are git itself says, for an empty work tree.
 */
#include "base/file.h"
#include "base/folder/folder.h"
#include "vcs/inplace/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ARGS_MAX 8

int pn_inplace_is_sparse(bool *out, const struct pn_inplace *run,
			 struct pn_error *err)
{
	char *value;
	int code =
		pn_repo_config(&value, run->repo, "core.sparseCheckout", err);

	if (code)
		return code;
	*out = value && strcmp(value, "false") && strcmp(value, "0") &&
	       strcmp(value, "no") && strcmp(value, "off");
	free(value);
	return 0;
}

/* git looks from the folder where it is what is there: another one than the
 * work tree, and empty. */
static int run_in_empty(struct pn_buf *out, const struct pn_inplace *run,
			const char *index, const char *const *args,
			struct pn_error *err)
{
	char *empty = pn_inplace_path(run, "empty");
	const char *argv[ARGS_MAX] = {"-C", empty};
	struct pn_buf option = {0};
	size_t n;
	int code = pn_folder_remove(empty, err);

	pn_buf_printf(&option, "--work-tree=%s", empty);
	argv[2] = pn_buf_text(&option);
	for (n = 3; *args && n + 1 < ARGS_MAX; n++)
		argv[n] = *args++;
	argv[n] = NULL;
	if (!code)
		code = pn_file_make_dirs(empty, err);
	if (!code)
		code = pn_inplace_git(out, NULL, run, index, argv, err);
	pn_buf_release(&option);
	free(empty);
	return code;
}

/* What differs is written there, too: only so git looks at the patterns. */
int pn_inplace_sparse_index(const struct pn_inplace *run, const char *index,
			    const char *hex, struct pn_error *err)
{
	const char *const apply[] = {"read-tree", "-m", "-u", hex, NULL};

	return run_in_empty(NULL, run, index, apply, err);
}

/* "<state> <path>" NUL each; S is a path outside of the patterns. */
static int ask(struct pn_buf *out, const struct pn_inplace *run,
	       struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], *index = pn_inplace_path(run, "sparse");
	const char *const fill[] = {"read-tree", hex, NULL};
	const char *const list[] = {"ls-files", "-t", "-z", NULL};
	int code;

	pn_oid_hex(hex, &run->home);
	code = pn_inplace_git(NULL, NULL, run, index, fill, err);
	if (!code)
		code = pn_inplace_sparse_index(run, index, hex, err);
	if (!code)
		code = run_in_empty(out, run, index, list, err);
	free(index);
	return code;
}

int pn_inplace_sparse(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf text = {0};
	const char *at, *end;
	bool sparse = false;
	int found, code = pn_inplace_is_sparse(&sparse, run, err);

	if (!code && sparse)
		code = ask(&text, run, err);
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1) {
		struct pn_buf full = {0};
		struct stat st;

		if (at[0] != 'S' || at[1] != ' ')
			continue;
		pn_buf_printf(&full, "%s/%s", run->root, at + 2);
		found = pn_file_look(&st, pn_buf_text(&full), err);
		code = found < 0 ? found : 0;
		if (found > 0 && !S_ISDIR(st.st_mode) &&
		    !pn_plan_has(&run->plan, PN_PLAN_CHANGED, at + 2))
			pn_plan_add(&run->plan, PN_PLAN_CHANGED, 0, at + 2);
		pn_buf_release(&full);
	}
	pn_buf_release(&text);
	return code;
}
