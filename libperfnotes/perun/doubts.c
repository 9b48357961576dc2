/* Warnings that wait to be printed. */
#include "perun/doubts.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Lines that were taken are of no use any more. */
static void make_room(struct pn_doubts *d)
{
	if (d->next && d->next == d->count) {
		pn_doubts_release(d);
		*d = (struct pn_doubts){0};
	}
	d->lines = pn_grow(d->lines, &d->cap, d->count + 1, sizeof(*d->lines));
}

void pn_doubts_add(struct pn_doubts *doubts, const char *format, ...)
{
	va_list args, again;
	size_t size;
	char *line;

	va_start(args, format);
	va_copy(again, args);
	size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
	line = pn_malloc(size);
	vsnprintf(line, size, format, again);
	va_end(again);
	va_end(args);
	make_room(doubts);
	doubts->lines[doubts->count++] = line;
}

const char *pn_doubts_take(struct pn_doubts *doubts)
{
	return doubts->next < doubts->count ? doubts->lines[doubts->next++]
					    : NULL;
}

void pn_doubts_release(struct pn_doubts *doubts)
{
	size_t i;

	for (i = 0; i < doubts->count; i++)
		free(doubts->lines[i]);
	free(doubts->lines);
}
