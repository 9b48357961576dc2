/* Edit distance. */
#include "base/text/similar.h"

#include "base/buf.h"
#include "base/error.h"

#include <string.h>

size_t pn_edit_distance(const char *a, const char *b)
{
	size_t rows[3][PN_SIMILAR_MAX + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > PN_SIMILAR_MAX || m > PN_SIMILAR_MAX)
		return PN_SIMILAR_MAX;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = rows[i % 3], *last = rows[(i + 2) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);

			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] &&
			    rows[(i + 1) % 3][j - 2] + 1 < best)
				best = rows[(i + 1) % 3][j - 2] + 1;
			now[j] = best;
		}
	}
	return rows[n % 3][m];
}

void pn_similar_look(struct pn_similar *similar, const char *name)
{
	size_t len = strlen(similar->name), distance;
	size_t most = len < 9 ? (len + 2) / 3 : 3;

	distance = pn_edit_distance(similar->name, name);
	if (distance > most || distance >= strlen(name) ||
	    (similar->found && distance >= similar->distance))
		return;
	similar->found = name;
	similar->distance = distance;
}

/* The name at `*at`, and where it ends: one in quotes for a shell is what
 * stands between these, blanks and all. */
static const char *take_name(size_t *len, const char **at)
{
	const char *name = *at;

	if (*name == '\'') {
		*len = strcspn(name + 1, "'");
		*at = name + 1 + *len;
		if (**at && (!(*at)[1] || strchr(", ", (*at)[1]))) {
			++*at;
			return name + 1;
		}
	}
	*len = strcspn(name, ", ");
	*at = name + *len;
	return name;
}

void pn_similar_say(struct pn_buf *names, const char *name, size_t len)
{
	char typed[PN_SIMILAR_MAX + 1], known[PN_SIMILAR_MAX + 1];
	char found[PN_SIMILAR_MAX + 1];
	struct pn_similar similar = {.name = typed};
	const char *at = pn_buf_text(names), *one;
	size_t n;

	if (len > PN_SIMILAR_MAX)
		return;
	memcpy(typed, name, len);
	typed[len] = '\0';
	for (; *at; at += strspn(at, ", ")) {
		one = take_name(&n, &at);
		if (n > PN_SIMILAR_MAX)
			continue;
		memcpy(known, one, n);
		known[n] = '\0';
		pn_similar_look(&similar, known);
		if (similar.found == known) {
			memcpy(found, known, n + 1);
			similar.found = found;
		}
	}
	if (similar.found)
		pn_buf_printf(names, "; did you mean '%s'?", similar.found);
}

int pn_unknown_name(const char *what, const char *name,
		    void (*names)(struct pn_buf *out, const char *between),
		    struct pn_error *err)
{
	struct pn_buf known = {0};

	names(&known, ", ");
	pn_similar_say(&known, name, strlen(name));
	pn_error_set(err, PN_ENOTFOUND, "no %s '%s': there are %s", what, name,
		     pn_buf_text(&known));
	pn_buf_release(&known);
	return PN_ENOTFOUND;
}
