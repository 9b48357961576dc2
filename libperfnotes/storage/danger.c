/* Refspecs that write straight to the notes: a fetch loses what is not pushed,
 * whichever remote it asks. */
#include "storage/share.h"

#include "vcs/notes/notes.h"
#include "vcs/setup.h"

#include <string.h>

#define FETCH ".fetch"
#define REMOTE "remote."

/* What the star of a pattern (up to `end`) stands for in `name`; without a star
 * the empty text behind it. False where it does not match. */
static bool match(struct pn_buf *star, const char *pattern, const char *end,
		  const char *name)
{
	const char *at = memchr(pattern, '*', (size_t)(end - pattern));
	size_t before = (size_t)((at ? at : end) - pattern);
	size_t behind = at ? (size_t)(end - at) - 1 : 0, len = strlen(name);

	if (len < before + behind || (!at && len != before) ||
	    memcmp(name, pattern, before) != 0 ||
	    memcmp(name + len - behind, end - behind, behind) != 0)
		return false;
	pn_buf_clear(star);
	pn_buf_add(star, name + before, len - before - behind);
	return true;
}

/* The refspec of an entry "key LF value". */
static const char *value_of(const char *entry)
{
	const char *at = strchr(entry, '\n');

	return at ? at + 1 : "";
}

static bool same_key(const char *a, const char *b)
{
	size_t len = strcspn(a, "\n");

	return len == strcspn(b, "\n") && !memcmp(a, b, len);
}

/* Whether a negative refspec of the same remote leaves this ref of it out. */
static bool is_left_out(const struct pn_buf *all, const char *entry,
			const char *ref)
{
	const char *at = pn_buf_text(all), *end = at + all->len, *value;
	struct pn_buf star = {0};
	bool out = false;

	for (; !out && at < end; at += strlen(at) + 1) {
		value = value_of(at);
		out = *value == '^' && same_key(at, entry) &&
		      match(&star, value + 1, value + strlen(value), ref);
	}
	pn_buf_release(&star);
	return out;
}

/* Whether a fetch by this one moves the notes, beside all that are set; `from`
 * is the ref of the remote that they become then. */
static bool moves_notes(struct pn_buf *from, const struct pn_buf *all,
			const char *entry)
{
	const char *refspec = value_of(entry), *colon = strchr(refspec, ':');
	struct pn_buf star = {0};
	bool moves = *refspec != '^' && colon &&
		     match(&star, colon + 1, refspec + strlen(refspec),
			   PN_NOTES_REF);
	const char *at = refspec + (*refspec == '+');

	pn_buf_clear(from);
	for (; moves && at < colon; at++)
		if (*at == '*')
			pn_buf_add(from, star.data, star.len);
		else
			pn_buf_add_byte(from, (unsigned char)*at);
	if (moves)
		moves = !is_left_out(all, entry, pn_buf_text(from));
	pn_buf_release(&star);
	return moves;
}

/* Whether each fetch of the remote prunes: its own setting comes first. Where
 * that is no boolean git fetches nothing. */
static bool prunes(struct pn_repo *repo, const char *remote)
{
	struct pn_buf key = {0};
	bool on = false;

	pn_buf_printf(&key, REMOTE "%s.prune", remote);
	if (pn_setup_flag(&on, repo, pn_buf_text(&key), NULL) == PN_ENOTFOUND)
		pn_setup_flag(&on, repo, "fetch.prune", NULL);
	pn_buf_release(&key);
	return on;
}

/* Of one without a star, that the remote lacks, git fetches nothing. */
static void add(struct pn_shared_danger *list, size_t *count,
		struct pn_arena *arena, struct pn_repo *repo, const char *entry,
		const struct pn_buf *from)
{
	struct pn_shared_danger d = {.prunes = false};
	size_t len = strcspn(entry, "\n");
	const char *value = value_of(entry);

	d.key = pn_arena_copy(arena, entry, len);
	d.remote = pn_arena_copy(arena, entry + strlen(REMOTE),
				 len - strlen(REMOTE FETCH));
	d.value = pn_arena_copy(arena, value, strlen(value));
	d.from = pn_arena_copy(arena, pn_buf_text(from), from->len);
	d.prunes =
		*value != '+' && strchr(value, '*') && prunes(repo, d.remote);
	if (*value == '+' || d.prunes)
		list[(*count)++] = d;
}

int pn_share_dangers(const struct pn_shared_danger **out, size_t *count,
		     struct pn_arena *arena, struct pn_repo *repo,
		     struct pn_error *err)
{
	struct pn_buf all = {0}, from = {0};
	struct pn_shared_danger *list;
	const char *at, *end;
	size_t n = 0;
	int code = pn_setup_matching(&all, repo, "^remote\\..*\\.fetch$", err);

	at = pn_buf_text(&all);
	end = at + all.len;
	/* "remote.x.fetch" and its NUL take 15 bytes */
	list = pn_arena_array(arena, all.len / 15 + 1, sizeof(*list));
	for (; !code && at < end; at += strlen(at) + 1)
		if (moves_notes(&from, &all, at))
			add(list, &n, arena, repo, at, &from);
	if (!code) {
		*out = list;
		*count = n;
	}
	pn_buf_release(&all);
	pn_buf_release(&from);
	return code;
}
