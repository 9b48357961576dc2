/* Records of one result. */
#include "model/twice.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct imported {
	const struct pn_entry *entry;
	const char *label;
	const char *name, *time; /* "" where the label says all */
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

/* As the import knows it again; false where it is from none. */
static bool is_imported(struct imported *out, const struct pn_entry *e)
{
	const char *of_store = pn_entry_field(e, "l." PN_ENTRY_STORE_LABEL);

	*out = (struct imported){e, pn_entry_field(e, "l." PN_IMPORT_LABEL), "",
				 ""};
	if (e->kind != PN_ENTRY_PROFILE)
		return false;
	if (is_label(out->label))
		return true;
	*out = (struct imported){e, of_store, pn_entry_field(e, "name"),
				 pn_entry_field(e, "t")};
	return strlen(of_store) == PN_OID_HEX &&
	       are_digits(of_store, PN_OID_HEX) && *out->time;
}

static int by_result(const struct imported *a, const struct imported *b)
{
	int order = strcmp(a->label, b->label);

	if (!order)
		order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->time, b->time);
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
		struct imported one;

		if (!is_imported(&one, &entries[i]))
			continue;
		list = pn_grow(list, &cap, n + 1, sizeof(*list));
		list[n++] = one;
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
