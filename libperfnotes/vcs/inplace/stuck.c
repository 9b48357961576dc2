/* What cannot be moved or made: opened where that helps, else told with the
 * command that does it. */
#include "base/alloc.h"
#include "base/escape.h"
#include "vcs/inplace/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STUCK_MAX 50 /* the first ones tell what is wrong */

/* One that is not the user's cannot be opened, and stays. */
static bool open_folder(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISDIR(st.st_mode) &&
	       (st.st_mode & 0700) != 0700 &&
	       !chmod(path, (st.st_mode & 07777) | 0700);
}

bool pn_inplace_open_folders(const struct pn_inplace *run, const char *full)
{
	char *dir = pn_strndup(full, (size_t)(strrchr(full, '/') - full));
	bool opened = strlen(dir) > strlen(run->root) && open_folder(dir);

	free(dir);
	return open_folder(full) || opened;
}

/* Whether it is another user's, or in a folder of another user's. */
static bool is_foreign(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && st.st_uid != geteuid();
}

/* "sudo rm -r -- <path>" for what is in a place, "sudo chown <user> -- <dir>"
 * for a folder that takes nothing; "" when another user would not help. */
static void add_command(struct pn_buf *out, const char *full)
{
	char *dir = pn_strndup(full, (size_t)(strrchr(full, '/') - full));
	struct stat st;
	bool foreign = is_foreign(full) || is_foreign(dir);

	if (!lstat(full, &st)) {
		pn_buf_printf(out, "; %srm -r -- ", foreign ? "sudo " : "");
		pn_escape_shell(out, full);
		pn_buf_add_text(out, " removes it");
	} else if (foreign) {
		pn_buf_printf(out, "; sudo chown %ld -- ", (long)geteuid());
		pn_escape_shell(out, dir);
		pn_buf_add_text(out, " makes its folder yours");
	}
	free(dir);
}

void pn_inplace_stuck(struct pn_inplace *run, const char *full,
		      const struct pn_error *why)
{
	struct stat st = {0};
	struct pn_stuck *item;

	if (run->stuck_count == STUCK_MAX)
		return;
	run->stuck = pn_grow(run->stuck, &run->stuck_cap, run->stuck_count + 1,
			     sizeof(*run->stuck));
	item = &run->stuck[run->stuck_count++];
	if (lstat(full, &st))
		memset(&st, 0, sizeof(st));
	item->full = pn_strdup(full);
	item->why = pn_strdup(why->message);
	item->dev = st.st_dev;
	item->ino = st.st_ino;
}

/* A command may name only what is still what it was. */
static bool is_still(const struct pn_stuck *item)
{
	struct stat st = {0};

	if (lstat(item->full, &st))
		memset(&st, 0, sizeof(st));
	return item->dev == st.st_dev && item->ino == st.st_ino;
}

static bool is_told(const struct pn_inplace *run, const char *line)
{
	return run->notes.len && strstr(pn_buf_text(&run->notes), line);
}

void pn_inplace_tell_stuck(struct pn_inplace *run)
{
	size_t i, n;

	for (i = 0; i < run->stuck_count; i++) {
		struct pn_buf text = {0};

		pn_buf_add_text(&text, run->stuck[i].why);
		add_command(&text, run->stuck[i].full);
		for (n = 0; n < text.len; n++) /* a line is a note */
			if (text.data[n] == '\n')
				text.data[n] = '?';
		if (is_still(&run->stuck[i]) &&
		    !is_told(run, pn_buf_text(&text)))
			pn_inplace_note(run, "%s", pn_buf_text(&text));
		pn_buf_release(&text);
	}
	pn_inplace_free_stuck(run);
}
