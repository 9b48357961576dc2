/* Files whole: written beside and renamed, so that a reader sees the old or
 * the new one; folders; times. */
#ifndef PN_BASE_FILE_H
#define PN_BASE_FILE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Append a file's bytes, at most `limit`. PN_ENOTFOUND when it is absent. */
int pn_file_read(struct pn_buf *out, const char *path, uint64_t limit,
		 struct pn_error *err);
/* Append what is left of an open file; more than `limit` bytes are cut one
 * byte behind it. What is in the buffer ends as a text in any case. -1 and
 * errno. */
int pn_file_read_all(struct pn_buf *out, int fd, uint64_t limit);
/* Write all of it, in as many calls as that takes. -1 and errno. */
int pn_file_write_all(int fd, const void *bytes, size_t len);
/* Replace `path` atomically; `sync` puts file and folder on the disk first. */
int pn_file_write(const char *path, const void *bytes, size_t len, bool sync,
		  struct pn_error *err);
/* As pn_file_write, for a file that must not exist yet: PN_ECONFLICT, without
 * a message, when it does. Of two writers of one name one fails. `whole`: a
 * power cut may take the file away, but never leaves a part of it. */
int pn_file_create(const char *path, const void *bytes, size_t len, bool whole,
		   struct pn_error *err);
/*
 * Wait until a file's bytes are written: a name that it is given later comes
 * after them. Where the file system is known to be journalled that is all (git
 * calls this core.fsyncMethod=writeout-only, and it is much cheaper than
 * fsync(2)), elsewhere it is fsync. -1 and errno.
 */
int pn_file_write_out(int fd);
/* Begin to write a file's bytes and do not wait; an error is found by
 * pn_file_write_out. */
void pn_file_write_start(int fd);
/* Whether one journal is known to take what is done in the file's file system
 * in order: an fsync(2) of one file then holds for each rename before it. */
bool pn_file_is_journalled(int fd);
/* fsync(2), begun again when a signal ends it. -1 and errno. */
int pn_file_sync(int fd);
/* The names in a folder reach the disk. -1 and errno; 0 where the file system
 * has no fsync(2) for folders. */
int pn_file_sync_folder(const char *path);
/* Those in the folder that a file lies in. */
int pn_file_sync_folder_of(const char *path);
/* Wait until all that was done in the file system of `path` is on the disk,
 * unless one journal keeps it in order. -1 and errno. */
int pn_file_sync_all(const char *path);
/* 1 when something is at `path`: *out is what (a symbolic link is not
 * followed); 0 when nothing is; an error when that cannot be told. */
struct stat;
int pn_file_look(struct stat *out, const char *path, struct pn_error *err);
/* Whether a folder has something of that name, be it a link to nowhere. */
bool pn_file_is_in(const char *dir, const char *name);
/* By their text alone, and not where they are the same. */
bool pn_file_is_below(const char *path, const char *folder);
/* Whether that is still there, as it was: nobody wrote to it. */
bool pn_file_is_still(const char *path, const struct stat *was);
/* renameat(2) that takes nobody's place: -1 and EEXIST when something is at
 * `to`. Without renameat2(2) (Linux) or, for a file, link(2) there is a moment
 * between the look and the rename. */
int pn_file_move_new(int from_dir, const char *from, int to_dir,
		     const char *to);
/* pn_file_sync_folder with a message. */
int pn_file_sync_names(const char *path, struct pn_error *err);
/* "cannot <what> '<path>'" and errno's text: PN_EIO, but PN_ENOTFOUND when the
 * file or its folder is gone, as behind `git prune --expire=now`. */
int pn_file_fail(struct pn_error *err, const char *what, const char *path);
/* A new file "<prefix><random>" for writing, mode 0444 as the umask has it.
 * The path is the caller's. */
int pn_file_temporary(int *out, char **path, const char *prefix,
		      struct pn_error *err);
/* Create a folder and those above it. */
int pn_file_make_dirs(const char *path, struct pn_error *err);
/* The last part of a path, borrowed. */
static inline const char *pn_file_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
/* Whether the last part ends like this and has something before it. */
bool pn_file_ends_with(const char *path, const char *end);
/* Now, in ns since 1970 UTC; in ns since some time before, for intervals. The
 * only clocks of the library. */
int64_t pn_time_now_ns(void);
int64_t pn_time_monotonic_ns(void);
/* "2026-11-20T10:00:00.123456789Z" (30 digits always) and back. */
#define PN_TIME_TEXT 31
void pn_time_write(char out[PN_TIME_TEXT], int64_t time_ns);
/* The same of seconds: git's commits have times that 64 bits of ns have not.
 * What is beyond the years 0 to 9999 becomes their first or last second. */
void pn_time_write_s(char out[PN_TIME_TEXT], int64_t time_s);
int pn_time_parse(int64_t *out_ns, const char *text, size_t len);

#endif
