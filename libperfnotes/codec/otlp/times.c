/*
 * OTLP: which samples the events of a profile are of. Events name a stack and a
 * thread, samples a stack and labels: of several samples of a stack an event is
 * of the one whose labels name its thread, else of the first one; of several
 * with the same labels each has its turn, as both stand in their order.
 */
#include "codec/otlp/otlp.h"

#include "base/alloc.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 1024 /* of one stack that are looked at */
#define HOUR_NS INT64_C(3600000000000)

struct rows {
	const struct pn_profile *p;
	/* Rows + 1: the first one of a stack, the next with other labels, the
	 * next with the same, and whose turn it is among these, by type. */
	uint32_t *first, *next, *same, *turn;
};

/* Whether a label has the string, or the number that it is. */
static bool says(const struct pn_profile *p, const struct pn_label *l,
		 uint32_t id)
{
	int64_t number;

	if (!id)
		return false;
	if (l->kind == PN_LABEL_STRING)
		return l->value.s == id;
	return l->kind == PN_LABEL_INT &&
	       pn_number_int(&number, pn_profile_text(p, id),
			     pn_strtab_len(&p->strings, id)) &&
	       number == l->value.i;
}

/* How well the labels of a row name a thread and its process. */
static unsigned int fits(const struct pn_profile *p, uint32_t row,
			 uint32_t thread)
{
	const struct pn_thread *t = &p->events.threads[thread];
	uint32_t set = p->samples[row].labels, i;
	uint32_t process =
		t->process == PN_NONE ? 0 : p->events.processes[t->process].id;
	unsigned int names_process = 0, names_thread = 0;

	for (i = p->label_set_start[set]; i < p->label_set_start[set + 1];
	     i++) {
		const struct pn_label *l = &p->labels[i];

		names_process |= says(p, l, process);
		names_thread |= says(p, l, t->id) || says(p, l, t->name);
	}
	return names_thread * 2 + names_process;
}

static uint32_t row_of(const struct rows *r, const struct pn_event *e)
{
	uint32_t at = r->first[e->stack], best = at, row, n;
	unsigned int found, most = 0;
	uint32_t *turn;

	for (n = 0; at && n < ROWS_MAX && most < 3 && e->thread != PN_NONE;
	     at = r->next[at], n++) {
		found = fits(r->p, at - 1, e->thread);
		if (found > most) {
			most = found;
			best = at;
		}
	}
	if (!best)
		return 0;
	turn = &r->turn[(size_t)(best - 1) * r->p->type_count + e->type];
	row = *turn ? *turn : best;
	*turn = r->same[row];
	return row;
}

static void add_row(struct rows *r, uint32_t row)
{
	const struct pn_sample *samples = r->p->samples;
	uint32_t *at = &r->first[samples[row - 1].stack], *first = at, n;

	for (n = 0; *at && n < ROWS_MAX; at = &r->next[*at], n++)
		if (samples[*at - 1].labels == samples[row - 1].labels) {
			r->same[row] = *at;
			r->next[row] = r->next[*at];
			*at = row;
			return;
		}
	r->next[row] = *first;
	*first = row;
}

static void rows_init(struct rows *r, const struct pn_profile *p)
{
	size_t i;

	r->p = p;
	r->first = pn_calloc(p->stack_count + 1, sizeof(*r->first));
	r->next = pn_calloc(p->sample_count + 1, sizeof(*r->next));
	r->same = pn_calloc(p->sample_count + 1, sizeof(*r->same));
	r->turn = pn_calloc(p->sample_count * p->type_count + 1,
			    sizeof(*r->turn));
	for (i = p->sample_count; i; i--)
		add_row(r, (uint32_t)i);
}

static void rows_release(struct rows *r)
{
	free(r->first);
	free(r->next);
	free(r->same);
	free(r->turn);
}

static int in_order(const void *a, const void *b)
{
	const struct pn_otlp_time *x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

/* Clocks that began with the machine, or with the run, are far behind the time
 * of the profile: its first sample was at that time then. */
static int64_t shift_of(const struct pn_profile *p)
{
	int64_t least = INT64_MAX, shift = 0;
	size_t i;

	for (i = 0; i < p->events.count; i++)
		if (p->events.items[i].time_ns < least)
			least = p->events.items[i].time_ns;
	if (p->time_ns > HOUR_NS && least < p->time_ns - HOUR_NS)
		shift = p->time_ns;
	if ((shift || least < 0) &&
	    __builtin_sub_overflow(shift, least, &shift))
		shift = 0;
	return shift;
}

void pn_otlp_times_make(struct pn_otlp_times *out, const struct pn_profile *p)
{
	struct rows r;
	size_t i;

	memset(out, 0, sizeof(*out));
	if (!p->events.count)
		return;
	rows_init(&r, p);
	out->items = pn_calloc(p->events.count, sizeof(*out->items));
	for (i = 0; i < p->events.count; i++) {
		const struct pn_event *e = &p->events.items[i];
		uint32_t row = row_of(&r, e);

		if (row)
			out->items[out->count++] = (struct pn_otlp_time){
				e->type, row - 1, e->thread, i};
	}
	qsort(out->items, out->count, sizeof(*out->items), in_order);
	out->shift_ns = shift_of(p);
	rows_release(&r);
}
