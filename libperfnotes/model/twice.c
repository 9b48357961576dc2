/* Records of one result. */
#include "model/twice.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct imported {
	const struct pn_entry *entry;
	const char *label;
};

static bool are_digits(const char *text, size_t n)
{
	return strspn(text, "0123456789abcdef") == n;
}

static bool is_label(const char *text)
{
	return are_digits(text, PN_IMPORT_DIGITS) &&
	       text[PN_IMPORT_DIGITS] == '.' &&
	       are_digits(text + PN_IMPORT_DIGITS + 1, PN_IMPORT_DIGITS) &&
	       !text[2 * PN_IMPORT_DIGITS + 1];
}

static int by_result(const struct imported *a, const struct imported *b)
{
	int order = strcmp(a->label, b->label);

	return order ? order : pn_oid_cmp(&a->entry->tree, &b->entry->tree);
}

/* The oldest of a result first. */
static int by_age(const void *a, const void *b)
{
	const struct imported *x = a, *y = b;
	int order = by_result(x, y);

	if (order)
		return order;
	if (x->entry->time_ns != y->entry->time_ns)
		return x->entry->time_ns < y->entry->time_ns ? -1 : 1;
	return strcmp(x->entry->id, y->entry->id);
}

bool *pn_entries_twice(const struct pn_entry *entries, size_t count)
{
	struct imported *list = NULL;
	bool *twice = NULL;
	size_t i, n = 0, cap = 0;

	for (i = 0; i < count; i++) {
		const char *label =
			pn_entry_field(&entries[i], "l." PN_IMPORT_LABEL);

		if (entries[i].kind != PN_ENTRY_PROFILE || !is_label(label))
			continue;
		list = pn_grow(list, &cap, n + 1, sizeof(*list));
		list[n++] = (struct imported){&entries[i], label};
	}
	if (n > 1) {
		qsort(list, n, sizeof(*list), by_age);
		twice = pn_calloc(count, sizeof(*twice));
	}
	for (i = 1; i < n; i++)
		twice[list[i].entry - entries] =
			!by_result(&list[i - 1], &list[i]);
	free(list);
	return twice;
}
