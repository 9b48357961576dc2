/* What git is in the middle of: the files of gitrepository-layout(5), and
 * those that rebase, am and the sequencer keep beside them. */
#include "vcs/progress.h"

#include "base/buf.h"
#include "base/file.h"

#include <string.h>

#define TODO_MAX (16 << 20) /* a million picks */

const char *pn_progress_name(enum pn_progress kind)
{
	static const char *const names[PN_PROGRESS_KINDS] = {
		[PN_PROGRESS_REBASE] = "rebase",
		[PN_PROGRESS_AM] = "am",
		[PN_PROGRESS_MERGE] = "merge",
		[PN_PROGRESS_CHERRY_PICK] = "cherry-pick",
		[PN_PROGRESS_REVERT] = "revert",
		[PN_PROGRESS_BISECT] = "bisect",
	};

	return names[kind];
}

static bool begins_with(const struct pn_buf *text, const char *word)
{
	size_t len = strlen(word);

	return text->len > len && !memcmp(text->data, word, len) &&
	       text->data[len] == ' ';
}

/* Between two commits only the list of what is left to do tells. */
static void read_sequencer(bool *in, const char *git_dir)
{
	struct pn_buf path = {0}, todo = {0};

	pn_buf_printf(&path, "%s/sequencer/todo", git_dir);
	if (!pn_file_read(&todo, pn_buf_text(&path), TODO_MAX, NULL)) {
		in[PN_PROGRESS_CHERRY_PICK] |= begins_with(&todo, "pick");
		in[PN_PROGRESS_REVERT] |= begins_with(&todo, "revert");
	}
	pn_buf_release(&path);
	pn_buf_release(&todo);
}

size_t pn_progress_read(bool in_progress[PN_PROGRESS_KINDS],
			const char *git_dir)
{
	bool *in = in_progress;
	size_t i, n = 0;

	memset(in, 0, PN_PROGRESS_KINDS * sizeof(*in));
	in[PN_PROGRESS_AM] = pn_file_is_in(git_dir, "rebase-apply/applying");
	in[PN_PROGRESS_REBASE] = !in[PN_PROGRESS_AM] &&
				 (pn_file_is_in(git_dir, "rebase-apply") ||
				  pn_file_is_in(git_dir, "rebase-merge"));
	in[PN_PROGRESS_MERGE] = pn_file_is_in(git_dir, "MERGE_HEAD");
	if (!in[PN_PROGRESS_REBASE]) {
		in[PN_PROGRESS_CHERRY_PICK] =
			pn_file_is_in(git_dir, "CHERRY_PICK_HEAD");
		in[PN_PROGRESS_REVERT] = pn_file_is_in(git_dir, "REVERT_HEAD");
		if (!in[PN_PROGRESS_CHERRY_PICK] && !in[PN_PROGRESS_REVERT])
			read_sequencer(in, git_dir);
	}
	in[PN_PROGRESS_BISECT] = pn_file_is_in(git_dir, "BISECT_LOG");
	for (i = 0; i < PN_PROGRESS_KINDS; i++)
		n += in[i];
	return n;
}
