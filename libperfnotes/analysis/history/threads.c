/* Threads of a run, added up. */
#include "analysis/history/threads.h"
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

static int by_thread(const void *left, const void *right)
{
	const struct pn_thread_value *a = left, *b = right;
	int order = strcmp(a->thread, b->thread);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

/* Processes have no colon in their ids, or it is the last one that counts. */
static size_t process_len(const struct pn_thread_value *v)
{
	const char *colon = strrchr(v->thread, ':');

	return colon ? (size_t)(colon - v->thread) : strlen(v->thread);
}

static int compare_runs(const struct pn_thread_value *a,
			const struct pn_thread_value *b)
{
	int order = pn_bytes_order(a->thread, process_len(a), b->thread,
				   process_len(b));

	return order ? order : (a->run > b->run) - (a->run < b->run);
}

static int by_run(const void *left, const void *right)
{
	const struct pn_thread_value *a = left, *b = right;
	int order = compare_runs(a, b);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

size_t pn_thread_runs(double *out, struct pn_thread_value *values, size_t count)
{
	size_t i, n = 0;

	if (!count)
		return 0;
	qsort(values, count, sizeof(*values), by_thread);
	for (i = 0; i < count; i++)
		values[i].run =
			i && !strcmp(values[i - 1].thread, values[i].thread)
				? values[i - 1].run + 1
				: 0;
	qsort(values, count, sizeof(*values), by_run);
	for (i = 0; i < count; i++)
		if (!i || compare_runs(&values[i - 1], &values[i]))
			out[n++] = values[i].value;
		else
			out[n - 1] += values[i].value;
	return n;
}
