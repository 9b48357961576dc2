/*
 * Our block in the text of a hook: what it is, where it goes, and how it comes
 * out again without a trace. Text in, text out; files are the caller's.
 *
 * The block stands in front of what the user wrote, because that may end in
 * `exec` or `exit`; it changes neither the exit status nor the standard input
 * of what follows.
 */
#ifndef PN_HOOKS_FILE_H
#define PN_HOOKS_FILE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The hooks that we have a block for; NULL at the end. */
extern const char *const pn_hook_names[];
/* The same for the hook that sends profiles with what git pushes. */
extern const char *const pn_hook_push_names[];

enum pn_hook_state {
	PN_HOOK_ABSENT,	 /* no block of ours */
	PN_HOOK_PRESENT, /* as it should be */
	PN_HOOK_OTHER	 /* a block of another version, or changed by hand */
};

/* A hook that is ours alone, as it lies in hooks/ of the sources. */
void pn_hook_file_new(struct pn_buf *out, const char *hook);

/* PN_EINVAL when the block has a beginning and no end. */
int pn_hook_file_state(enum pn_hook_state *out, const char *hook,
		       const char *text, size_t len, struct pn_error *err);

/*
 * The text with our block, which takes the place of one of another version.
 * PN_EREFUSED: it is no shell script (a binary, another interpreter); the
 * message says what it is.
 */
int pn_hook_file_add(struct pn_buf *out, const char *hook, const char *text,
		     size_t len, struct pn_error *err);

/* The text without our block, byte for byte as it was before. *alone: nothing
 * but ours was there, and the file may go. */
int pn_hook_file_remove(struct pn_buf *out, bool *alone, const char *text,
			size_t len, struct pn_error *err);

/* The line for hooks that other tools keep. */
void pn_hook_file_line(struct pn_buf *out, const char *hook);

#endif
