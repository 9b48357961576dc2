/* The orders of a list of entries. */
#include "analysis/history/status.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

bool pn_status_is_interrupted(const struct pn_status *status)
{
	return status->stale || (status->in_place && !status->process);
}

static int by_time(const void *a, const void *b)
{
	const struct pn_entry_row *x = a, *y = b;

	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static int by_field(const void *a, const void *b, const char *field)
{
	const struct pn_entry_row *x = a, *y = b;
	int order = strcmp(pn_entry_field(x->entry, field),
			   pn_entry_field(y->entry, field));

	return order ? order : by_time(a, b);
}

static int by_name(const void *a, const void *b)
{
	return by_field(a, b, "name");
}

static int by_collector(const void *a, const void *b)
{
	return by_field(a, b, "collector");
}

static int by_type(const void *a, const void *b)
{
	return by_field(a, b, "kind");
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = ((const struct pn_entry_row *)a)->entry->size;
	uint64_t y = ((const struct pn_entry_row *)b)->entry->size;

	return x == y ? by_time(a, b) : x < y ? 1 : -1;
}

const struct pn_entry_order pn_entry_orders[] = {
	{"time", by_time}, {"name", by_name}, {"collector", by_collector},
	{"type", by_type}, {"size", by_size}, {NULL, NULL},
};

void pn_entry_order_names(struct pn_buf *out, const char *between)
{
	const struct pn_entry_order *o;

	for (o = pn_entry_orders; o->name; o++)
		pn_buf_printf(out, "%s%s", o == pn_entry_orders ? "" : between,
			      o->name);
}

const struct pn_entry_order *pn_entry_order_find(const char *name)
{
	const struct pn_entry_order *o;

	for (o = pn_entry_orders; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

/* What the order looks at comes first. */
struct sorted {
	struct pn_entry_row key;
	struct pn_log_series row;
};

void pn_status_sort(struct pn_log_series *rows, size_t count,
		    const struct pn_entry_order *order)
{
	struct sorted *list = pn_calloc(count, sizeof(*list));
	size_t i, n;

	for (n = 0; n < count && !rows[n].failed; n++)
		list[n] =
			(struct sorted){{rows[n].tag, rows[n].entry}, rows[n]};
	if (n)
		qsort(list, n, sizeof(*list), order->compare);
	for (i = 0; i < n; i++)
		rows[i] = list[i].row;
	free(list);
}
