/* What keeps hooks from measuring. */
#include "jobs/hooks/doubts.h"

#include "base/file.h"
#include "jobs/background.h"
#include "jobs/hooks/file.h"
#include "jobs/matrix/matrix.h"
#include "jobs/trust.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "git-perf"
#define HOOK_MAX (1 << 20) /* bytes of a hook; larger ones are no script */

/* As sh(1) looks for it. */
static bool is_on_path(void)
{
	const char *at = getenv("PATH");
	struct pn_buf file = {0};
	bool found = false;
	size_t len;

	while (at && !found) {
		len = strcspn(at, ":");
		pn_buf_clear(&file);
		pn_buf_printf(&file, "%.*s%s" PROGRAM, (int)len, at,
			      len ? "/" : "");
		found = !access(pn_buf_text(&file), X_OK);
		at = at[len] ? at + len + 1 : NULL;
	}
	pn_buf_release(&file);
	return found;
}

static void look_for_program(struct pn_buf *out)
{
	char *program, *slash;

	if (is_on_path())
		return;
	program = pn_background_program();
	slash = program ? strrchr(program, '/') : NULL;
	if (slash)
		*slash = '\0';
	pn_buf_printf(out,
		      PROGRAM " is not on PATH, hooks do nothing "
			      "(PATH=$PATH:%s makes it known)\n",
		      slash ? program : "<its folder>");
	free(program);
}

static void look_at_file(struct pn_buf *out, struct pn_repo *repo)
{
	const char *top = pn_repo_work_dir(repo);
	struct pn_buf path = {0}, bytes = {0};
	enum pn_trust_state state;
	int code;

	if (!top)
		return;
	pn_buf_printf(&path, "%s/%s", top, PN_MATRIX_FILE);
	code = pn_matrix_read(&bytes, pn_buf_text(&path), false, NULL);
	if (code == PN_ENOTFOUND)
		pn_buf_add_text(out, "there is no '" PN_MATRIX_FILE
				     "', hooks measure nothing (gitperf(5) "
				     "says what to write there)\n");
	else if (code ||
		 pn_trust_look(&state, repo, pn_buf_text(&path), &bytes, NULL))
		pn_buf_add_text(out, "'" PN_MATRIX_FILE "' cannot be used "
				     "(\"git perf trust\" says why)\n");
	else if (state == PN_TRUST_NONE)
		pn_buf_add_text(out,
				"'" PN_MATRIX_FILE "' is not trusted, "
				"hooks measure nothing (\"git perf trust\" "
				"shows its commands and lets them run)\n");
	else if (state == PN_TRUST_CHANGED)
		pn_buf_add_text(out,
				"'" PN_MATRIX_FILE "' has changed since it "
				"was trusted, hooks measure nothing (\"git "
				"perf trust\" lets it run as it is now)\n");
	pn_buf_release(&path);
	pn_buf_release(&bytes);
}

/* The folder of hooks, without asking git: status has no time to. */
static int find_folder(struct pn_buf *out, struct pn_repo *repo,
		       struct pn_error *err)
{
	const char *top = pn_repo_work_dir(repo), *home = getenv("HOME");
	char *path = NULL;
	int code = pn_repo_config(&path, repo, "core.hooksPath", err);

	if (!code && !path)
		pn_buf_printf(out, "%s/hooks", pn_repo_common_dir(repo));
	else if (!code && !strncmp(path, "~/", 2) && home)
		pn_buf_printf(out, "%s%s", home, path + 1);
	else if (!code && *path != '/' && top)
		pn_buf_printf(out, "%s/%s", top, path);
	else if (!code)
		pn_buf_add_text(out, path);
	free(path);
	return code;
}

/* Whether a hook has our block, and git would not run it. */
static bool look_at_hook(struct pn_buf *out, const char *folder,
			 const char *name)
{
	struct pn_buf path = {0}, text = {0};
	enum pn_hook_state state = PN_HOOK_ABSENT;

	pn_buf_printf(&path, "%s/%s", folder, name);
	if (!pn_file_read(&text, pn_buf_text(&path), HOOK_MAX, NULL) &&
	    pn_hook_file_state(&state, name, pn_buf_text(&text), text.len,
			       NULL))
		state = PN_HOOK_ABSENT;
	if (state != PN_HOOK_ABSENT && access(pn_buf_text(&path), X_OK))
		pn_buf_printf(out,
			      "the hook %s is not executable, git passes it "
			      "over (chmod +x '%s')\n",
			      name, pn_buf_text(&path));
	pn_buf_release(&path);
	pn_buf_release(&text);
	return state != PN_HOOK_ABSENT;
}

int pn_hook_doubts(struct pn_buf *out, struct pn_repo *repo,
		   struct pn_error *err)
{
	struct pn_buf folder = {0};
	size_t i, installed = 0;
	int code = find_folder(&folder, repo, err);

	for (i = 0; !code && pn_hook_names[i]; i++)
		installed += look_at_hook(out, pn_buf_text(&folder),
					  pn_hook_names[i]);
	pn_buf_release(&folder);
	if (code || !installed)
		return code;
	look_for_program(out);
	look_at_file(out, repo);
	return 0;
}
