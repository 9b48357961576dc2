/* What is said of putting our block into hooks and taking it out. */
#include "render/run/hooked.h"

#include "base/escape.h"

#include <string.h>

static void add_safe(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strlen(text));
}

static void add_lines(struct pn_buf *out, const struct pn_hooks_changed *c)
{
	size_t i;

	pn_buf_add_text(out, "nothing was changed; put a line into each of "
			     "these hooks yourself:\n");
	for (i = 0; i < c->count; i++)
		pn_buf_printf(out, "  %s: %s\n", c->rows[i].name,
			      c->rows[i].line);
}

/* What was done, and what to do where it could not be; how many changed. */
static size_t add_changes(struct pn_buf *out, const struct pn_hooks_changed *c)
{
	static const char *const words[] = {
		[PN_HOOK_CREATED] = "created",
		[PN_HOOK_ADDED] = "block added",
		[PN_HOOK_RENEWED] = "block renewed",
		[PN_HOOK_REMOVED] = "removed",
		[PN_HOOK_TAKEN_OUT] = "block taken out",
	};
	size_t i, changes = 0;

	if (c->foreign)
		add_lines(out, c);
	for (i = 0; i < c->count; i++) {
		const struct pn_hook_changed *hook = &c->rows[i];

		if (hook->refused)
			pn_buf_printf(out,
				      "have it run 'git-perf hooks run %s' "
				      "with its own arguments and standard "
				      "input\n",
				      hook->name);
		if (hook->change == PN_HOOK_KEPT)
			continue;
		changes++;
		add_safe(out, hook->path);
		pn_buf_printf(out, ": %s\n", words[hook->change]);
	}
	return changes;
}

static void add_folder(struct pn_buf *out, const char *before,
		       const struct pn_hooks_changed *c, const char *after)
{
	pn_buf_add_text(out, before);
	add_safe(out, c->folder);
	pn_buf_add_text(out, after);
}

void pn_hooks_installed_text(struct pn_buf *out,
			     const struct pn_hooks_changed *c)
{
	if (!add_changes(out, c) && !c->failed)
		add_folder(out, "the hooks in '", c,
			   "' are installed already\n");
	/* Who installs has to know it: nobody looks when a build runs. */
	if (!c->failed)
		pn_buf_add_text(
			out,
			"from now on what is committed here is built and "
			"measured unattended,\nand what a pull brings, too; "
			"'git config perf.hookMode own' leaves out\n"
			"what pulls, merges and rebases bring\n");
}

void pn_hooks_pushing_text(struct pn_buf *out, const struct pn_hooks_changed *c)
{
	if (!add_changes(out, c) && !c->failed)
		add_folder(out, "'", c, "/pre-push' sends profiles already\n");
	else if (!c->failed)
		pn_buf_add_text(out,
				"from now on 'git push' sends profiles, too; "
				"'git perf hooks uninstall' ends that\n");
}

void pn_hooks_removed_text(struct pn_buf *out, const struct pn_hooks_changed *c,
			   const struct pn_hooks_changed *pushing)
{
	size_t changes = add_changes(out, c);

	changes += add_changes(out, pushing);
	if (!changes && !c->failed && !pushing->failed)
		add_folder(out, "no hook in '", c,
			   "' has a block of git perf\n");
}
