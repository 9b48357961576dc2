/* The sections of paths, read into a tree. */
#include "body/state.h"
#include "body/tree.h"

#include "base/buf.h"

bool pn_body_tree_section(size_t *count, struct pn_body_source *source,
			  size_t had, const unsigned char *bytes, size_t len)
{
	const unsigned char *at = bytes, *end = bytes + len;
	uint64_t n, changes = 0;

	if (pn_varint_read(&n, &at, end) || n <= had ||
	    (had && pn_varint_read(&changes, &at, end)) || changes)
		return false;
	*count = (size_t)n;
	return pn_body_source_begin(source, (size_t)n - had, at,
				    (size_t)(end - at));
}

/* Without a source zeros: the column was left out. */
static bool add_words(struct pn_body_tree *tree, unsigned int column,
		      struct pn_body_source *source, size_t count)
{
	uint64_t word = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (source && !pn_body_source_next(&word, source))
			return false;
		if (!(column == PN_BODY_PATH_UP
			      ? pn_body_tree_add_up(tree, word)
			      : pn_body_tree_add_location(tree, word)))
			return false;
	}
	return true;
}

static int misfit(struct pn_error *err, unsigned int column)
{
	return pn_error_set(err, PN_EINVAL,
			    "column %u is not that of paths "
			    "behind the base's",
			    column);
}

int pn_body_tree_read(struct pn_body_tree *tree, size_t had,
		      unsigned int column, const unsigned char *bytes,
		      size_t len, uint64_t *budget, struct pn_error *err)
{
	struct pn_body_source source;
	size_t n;

	if (!pn_body_tree_section(&n, &source, had, bytes, len) ||
	    n > *budget / 8 ||
	    (column == PN_BODY_PATH_UP ? tree->ups : tree->locations) != had)
		return misfit(err, column);
	*budget -= (uint64_t)n * 8;
	if (column == PN_BODY_PATH_LOCATION)
		pn_body_tree_reserve(tree, n);
	if (!add_words(tree, column, &source, n - had) ||
	    !pn_body_source_ends(&source))
		return misfit(err, column);
	return 0;
}

int pn_body_tree_end(struct pn_body_tree *tree, size_t had, size_t rows,
		     size_t locations, struct pn_error *err)
{
	size_t i;

	if (rows < had)
		return misfit(err, PN_BODY_PATH_UP);
	pn_body_tree_reserve(tree, rows);
	if (tree->ups == had &&
	    !add_words(tree, PN_BODY_PATH_UP, NULL, rows - had))
		return misfit(err, PN_BODY_PATH_UP);
	if (tree->locations == had)
		add_words(tree, PN_BODY_PATH_LOCATION, NULL, rows - had);
	if (tree->ups != rows || tree->locations != rows)
		return misfit(err, PN_BODY_PATH_LOCATION);
	for (i = had; i < rows; i++)
		if (pn_body_tree_location(tree, i) >= locations)
			return misfit(err, PN_BODY_PATH_LOCATION);
	return 0;
}
