/*
 * The list of what is trusted: lines of
 * "<64 hex digits> <64 hex digits> <path, percent-encoded>": SHA-256 of the
 * path, and of path, NUL and bytes.
 */
#include "jobs/trust.h"

#include "base/escape.h"
#include "base/file.h"
#include "base/hash.h"
#include "vcs/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_BYTES (1 << 20) /* some thousand files */
#define HEX PN_HASH_SHA256_HEX
#define LINE_MIN (2 * HEX + 2)

/* "<hash of path> <hash of both>", without the path itself. */
static void make_pin(char out[LINE_MIN], const char *path,
		     const struct pn_buf *bytes)
{
	unsigned char hash[32];

	pn_hash_sha256(hash, path, strlen(path));
	pn_hash_sha256_hex(out, hash);
	out[HEX] = ' ';
	pn_hash_sha256_both(hash, path, strlen(path) + 1, pn_buf_text(bytes),
			    bytes->len);
	pn_hash_sha256_hex(out + HEX + 1, hash);
}

static void file_of(struct pn_buf *out, struct pn_repo *repo)
{
	pn_buf_printf(out, "%s/perf/trust", pn_repo_common_dir(repo));
}

/* Only a file of ours that nobody else may write counts. */
static int check_owner(const char *file, struct pn_error *err)
{
	struct stat st;

	if (lstat(file, &st))
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : pn_error_system(err, "cannot read '%s'", file);
	if (S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & 022))
		return 0;
	return pn_error_set(err, PN_EREFUSED,
			    "'%s' is not a file that only you can write: "
			    "remove it and trust again",
			    file);
}

static int load(struct pn_buf *out, struct pn_repo *repo, struct pn_error *err)
{
	struct pn_buf file = {0};
	int code;

	file_of(&file, repo);
	code = check_owner(pn_buf_text(&file), err);
	if (!code)
		code = pn_file_read(out, pn_buf_text(&file), MAX_BYTES, err);
	pn_buf_release(&file);
	return code == PN_ENOTFOUND ? 0 : code;
}

/* The next line; NULL at the end. */
static const char *next_line(size_t *len, const char **at, const char *end)
{
	const char *line = *at, *lf;

	if (line >= end)
		return NULL;
	lf = memchr(line, '\n', (size_t)(end - line));
	*len = (size_t)((lf ? lf : end) - line);
	*at = lf ? lf + 1 : end;
	return line;
}

int pn_trust_look(enum pn_trust_state *out, struct pn_repo *repo,
		  const char *path, const struct pn_buf *bytes,
		  struct pn_error *err)
{
	struct pn_buf text = {0};
	const char *at, *line;
	char pin[LINE_MIN];
	size_t len;
	int code;

	code = load(&text, repo, err);
	if (code)
		return code;
	*out = PN_TRUST_NONE;
	make_pin(pin, path, bytes);
	at = pn_buf_text(&text);
	while ((line = next_line(&len, &at, pn_buf_text(&text) + text.len))) {
		if (len < LINE_MIN || memcmp(line, pin, HEX) != 0)
			continue;
		*out = PN_TRUST_CHANGED;
		if (!memcmp(line, pin, LINE_MIN - 1)) {
			*out = PN_TRUST_PINNED;
			break;
		}
	}
	pn_buf_release(&text);
	return 0;
}

int pn_trust_check(struct pn_repo *repo, const char *path,
		   const struct pn_buf *bytes, struct pn_error *err)
{
	enum pn_trust_state state = PN_TRUST_NONE;
	int code;

	code = pn_trust_look(&state, repo, path, bytes, err);
	if (code || state == PN_TRUST_PINNED)
		return code;
	return pn_error_set(err, PN_EREFUSED,
			    state == PN_TRUST_CHANGED
				    ? "'%s' has changed since it was trusted: "
				      "look at it and run 'git perf trust'"
				    : "'%s' is not trusted on this machine: "
				      "look at it and run 'git perf trust'",
			    path);
}

/* Replaced as a whole, and never readable or writable by others: the umask
 * cannot widen what pn_file_write makes then. */
static int store(struct pn_repo *repo, const struct pn_buf *text,
		 struct pn_error *err)
{
	struct pn_buf file = {0};
	mode_t old;
	int code;

	pn_buf_printf(&file, "%s/perf", pn_repo_common_dir(repo));
	code = pn_file_make_dirs(pn_buf_text(&file), err);
	pn_buf_clear(&file);
	file_of(&file, repo);
	old = umask(077);
	if (!code)
		code = pn_file_write(pn_buf_text(&file), pn_buf_text(text),
				     text->len, true, err);
	umask(old);
	pn_buf_release(&file);
	return code;
}

/* Rewrite the list without the path, and with `pin` for it unless NULL. */
static int replace(bool *had, struct pn_repo *repo, const char *path,
		   const char *path_hash, const char *pin, struct pn_error *err)
{
	struct pn_buf old = {0}, fresh = {0};
	struct pn_lock lock = {-1};
	const char *at, *line;
	size_t len;
	int code;

	code = pn_lock_acquire(&lock, repo, err);
	if (!code)
		code = load(&old, repo, err);
	at = pn_buf_text(&old);
	while (!code &&
	       (line = next_line(&len, &at, pn_buf_text(&old) + old.len))) {
		if (len >= LINE_MIN && !memcmp(line, path_hash, HEX)) {
			*had = true;
			continue;
		}
		pn_buf_add(&fresh, line, len);
		pn_buf_add_byte(&fresh, '\n');
	}
	if (pin) {
		pn_buf_printf(&fresh, "%s ", pin);
		pn_escape_percent(&fresh, path, strlen(path));
		pn_buf_add_byte(&fresh, '\n');
	}
	if (!code && (pin || *had))
		code = store(repo, &fresh, err);
	pn_lock_release(&lock);
	pn_buf_release(&old);
	pn_buf_release(&fresh);
	return code;
}

/* Append where the job file of this checkout is. */
static int find_path(struct pn_buf *out, struct pn_repo *repo,
		     struct pn_error *err)
{
	const char *top = pn_repo_work_dir(repo);

	if (!top)
		return pn_error_set(err, PN_EREFUSED,
				    "a bare repository has no '%s': trust it "
				    "in a checkout",
				    PN_MATRIX_FILE);
	pn_buf_printf(out, "%s/%s", top, PN_MATRIX_FILE);
	return 0;
}

static void write_doubts(struct pn_buf *out, const struct pn_matrix *matrix)
{
	size_t i;

	for (i = 0; i < matrix->section_count; i++)
		if (pn_matrix_doubt(out, &matrix->sections[i]))
			pn_buf_add_byte(out, '\n');
}

int pn_trust_show(struct pn_trust_shown *out, struct pn_repo *repo,
		  struct pn_error *err)
{
	struct pn_matrix matrix = {0};
	struct pn_buf text = {0};
	const char *path;
	int code = find_path(&out->path, repo, err);

	path = pn_buf_text(&out->path);
	if (!code)
		code = pn_matrix_read(&out->bytes, path, false, err);
	if (!code)
		code = pn_matrix_parse(&matrix, repo, path, &out->bytes, err);
	if (!code) {
		pn_matrix_commands(&text, &matrix);
		pn_escape_lines(&out->commands, pn_buf_text(&text));
		write_doubts(&out->doubts, &matrix);
	}
	pn_matrix_release(&matrix);
	pn_buf_release(&text);
	return code;
}

void pn_trust_shown_release(struct pn_trust_shown *shown)
{
	pn_buf_release(&shown->path);
	pn_buf_release(&shown->bytes);
	pn_buf_release(&shown->commands);
	pn_buf_release(&shown->doubts);
}

int pn_trust_pin(struct pn_repo *repo, const struct pn_trust_shown *shown,
		 struct pn_error *err)
{
	const char *path = pn_buf_text(&shown->path);
	char pin[LINE_MIN];
	bool had = false;

	make_pin(pin, path, &shown->bytes);
	return replace(&had, repo, path, pin, pin, err);
}

int pn_trust_revoke(struct pn_buf *path, bool *had, struct pn_repo *repo,
		    struct pn_error *err)
{
	struct pn_buf none = {0};
	char pin[LINE_MIN];
	int code = find_path(path, repo, err);

	if (code)
		return code;
	make_pin(pin, pn_buf_text(path), &none);
	return replace(had, repo, pn_buf_text(path), pin, NULL, err);
}

int pn_trust_load(struct pn_matrix *out, struct pn_repo *repo,
		  const char *named, bool must_trust, struct pn_error *err)
{
	const char *top = pn_repo_work_dir(repo);
	struct pn_buf path = {0}, bytes = {0};
	int code;

	if (!top)
		return pn_error_set(err, PN_EREFUSED,
				    "a bare repository has no files to build "
				    "and measure: run it in a checkout");
	if (named)
		pn_buf_add_text(&path, named);
	else
		pn_buf_printf(&path, "%s/%s", top, PN_MATRIX_FILE);
	code = pn_matrix_read(&bytes, pn_buf_text(&path), named != NULL, err);
	if (!code && !named && must_trust)
		code = pn_trust_check(repo, pn_buf_text(&path), &bytes, err);
	if (!code)
		code = pn_matrix_parse(out, repo, pn_buf_text(&path), &bytes,
				       err);
	pn_buf_release(&path);
	pn_buf_release(&bytes);
	return code;
}
