/* The reflog: "<old id> <new id> <who and when> TAB <why>" a line,
 * gitrepository-layout(5). */
#include "vcs/notes/moves.h"

#include "base/file.h"
#include "vcs/git.h"
#include "vcs/notes/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BY_NOTES "notes: "
#define REMOVES BY_NOTES "Notes removed by 'git notes "
#define PRUNES REMOVES "prune'"
#define IDS_LEN (2 * PN_OID_HEX + 2)

static bool begins(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(text, with, strlen(with));
}

/* Of a line, without its line feed: a move of others. */
static bool is_foreign(struct pn_notes_move *out, const char *line, size_t len)
{
	const char *why = memchr(line, '\t', len);
	size_t left = why ? len - (size_t)(++why - line) : 0;

	if (len < IDS_LEN || line[PN_OID_HEX] != ' ' ||
	    line[IDS_LEN - 1] != ' ' || pn_oid_parse(&out->from, line) ||
	    pn_oid_parse(&out->to, line + PN_OID_HEX + 1) ||
	    pn_oid_is_zero(&out->from) || pn_oid_is_zero(&out->to))
		return false;
	if (begins(why, left, PN_NOTES_SUBJECT) ||
	    begins(why, left, PN_NOTES_CUT_SUBJECT))
		return false;
	out->by_notes = begins(why, left, BY_NOTES);
	out->prunes = begins(why, left, PRUNES);
	out->removes = !out->prunes && begins(why, left, REMOVES);
	out->silent = !left;
	return true;
}

/* Its end, from the begin of a line on. */
static int read_log(struct pn_buf *out, const char *path, struct pn_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), code;
	struct stat st = {0};
	off_t most = (off_t)PN_NOTES_LOG_MAX;
	unsigned char *first = NULL;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	code = fd < 0 || fstat(fd, &st) ||
	       (st.st_size > most &&
		lseek(fd, st.st_size - most, SEEK_SET) < 0) ||
	       pn_file_read_all(out, fd, 2 * PN_NOTES_LOG_MAX);
	if (code)
		code = pn_error_system(err, "cannot read '%s'", path);
	if (fd >= 0)
		close(fd);
	if (!code && st.st_size > most)
		first = memchr(out->data, '\n', out->len);
	if (first)
		memset(out->data, ' ', (size_t)(first - out->data));
	return code;
}

int pn_notes_moves(struct pn_buf *out, struct pn_notes *notes,
		   struct pn_error *err)
{
	struct pn_buf path = {0}, text = {0};
	const char *start, *line, *end;
	struct pn_notes_move move = {.silent = false};
	size_t count = 0;
	int code;

	pn_buf_printf(&path, "%s/logs/%s", notes->repo->common_dir, notes->ref);
	code = read_log(&text, pn_buf_text(&path), err);
	start = pn_buf_text(&text);
	for (end = start + text.len; !code && end > start; end = line) {
		if (end[-1] == '\n')
			end--;
		for (line = end; line > start && line[-1] != '\n';)
			line--;
		if (!is_foreign(&move, line, (size_t)(end - line)))
			continue;
		pn_buf_add(out, &move, sizeof(move));
		if (++count == PN_NOTES_MOVES_MAX)
			break;
	}
	pn_buf_release(&path);
	pn_buf_release(&text);
	return code;
}

bool pn_notes_has_text(struct pn_notes *notes, const struct pn_oid *commit)
{
	struct pn_buf ids = {0};
	struct pn_oid id;
	size_t at;
	bool has = !pn_fan_find(&ids, notes->texts, commit, NULL);

	for (at = 0; has && at < ids.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, ids.data + at, PN_OID_BYTES);
		has = pn_repo_has_object(notes->repo, &id);
	}
	pn_buf_release(&ids);
	return has;
}
