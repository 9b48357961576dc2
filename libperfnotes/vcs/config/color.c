/* Colours and pager, as git understands them: git is asked. */
#include "vcs/config/color.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/process/process.h"
#include "vcs/config/config.h"
#include "vcs/repo.h"

#include <stdlib.h>
#include <string.h>

#define ANSWER_MAX 65536 /* bytes of configured colours, or of a pager */

/* What git prints; false when it fails or has nothing to say. */
static bool ask(struct pn_buf *out, const char *const *argv, bool paged,
		size_t limit)
{
	const char *in_use[] = {"GIT_PAGER_IN_USE=true", NULL};
	struct pn_process_options options = {.err = -1};
	int status;

	if (paged)
		options.env_set = in_use;
	return !pn_process_capture(out, NULL, &status, argv, &options, limit,
				   NULL) &&
	       !status;
}

bool pn_color_is_wanted(bool terminal, bool paged)
{
	const char *const argv[] = {"git",
				    "config",
				    "--get-colorbool",
				    "color.perf",
				    terminal ? "true" : "false",
				    NULL};
	struct pn_buf text = {0};
	bool wanted = ask(&text, argv, paged, 64) &&
		      !strncmp(pn_buf_text(&text), "true", 4);

	pn_buf_release(&text);
	return wanted;
}

bool pn_color_is_always(struct pn_repo *repo)
{
	struct pn_error ignored;
	char *when = NULL;
	bool always;

	if (!repo && (!pn_config_user(&when, "color.perf") ||
		      (!when && !pn_config_user(&when, "color.ui"))))
		return pn_color_is_wanted(false, false);
	if (repo && !pn_repo_config(&when, repo, "color.perf", &ignored) &&
	    !when)
		pn_repo_config(&when, repo, "color.ui", &ignored);
	always = when && !strcmp(when, "always");
	free(when);
	return always;
}

static void read_slot(struct pn_color *color)
{
	struct pn_buf key = {0}, text = {0};
	const char *argv[] = {"git", "config", "--get-color", NULL, NULL};

	pn_buf_printf(&key, "color.perf.%s", color->slot);
	argv[3] = pn_buf_text(&key);
	if (ask(&text, argv, false, PN_COLOR_MAX) && text.len < PN_COLOR_MAX)
		memcpy(color->text, pn_buf_text(&text), text.len + 1);
	pn_buf_release(&key);
	pn_buf_release(&text);
}

void pn_colors_read(struct pn_color out[PN_COLORS])
{
	static const struct pn_color defaults[PN_COLORS] = {
		{"commit", "\033[33m"}, {"head", "\033[1m"},
		{"better", "\033[32m"}, {"worse", "\033[31m"},
		{"dim", "\033[2m"},
	};
	const char *const argv[] = {
		"git",		"config",	    "--name-only",
		"--get-regexp", "^color\\.perf\\.", NULL};
	struct pn_buf names = {0}, key = {0};
	size_t i;

	memcpy(out, defaults, sizeof(defaults));
	if (ask(&names, argv, false, ANSWER_MAX))
		for (i = 0; i < PN_COLORS; i++) {
			pn_buf_clear(&key);
			pn_buf_printf(&key, "color.perf.%s\n", out[i].slot);
			if (strstr(pn_buf_text(&names), pn_buf_text(&key)))
				read_slot(&out[i]);
		}
	pn_buf_release(&names);
	pn_buf_release(&key);
}

char *pn_pager_choose(void)
{
	const char *const argv[] = {"git", "var", "GIT_PAGER", NULL};
	struct pn_buf text = {0};
	char *pager;

	if (!ask(&text, argv, false, ANSWER_MAX))
		pn_buf_clear(&text);
	pager = pn_strdup(pn_buf_text(&text));
	pn_buf_release(&text);
	pager[strcspn(pager, "\n")] = '\0';
	if (*pager && strcmp(pager, "cat") != 0)
		return pager;
	free(pager);
	return NULL;
}
