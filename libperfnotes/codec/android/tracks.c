/* Samples of threads, until all is known of them. */
#include "codec/android/tracks.h"

#include "base/alloc.h"
#include "codec/threaded.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct owner {
	uint32_t pid, tid;
};

void pn_tracks_release(struct pn_tracks *t)
{
	free(t->rows);
	free(t->times);
	free(t->threads);
	free(t->process_names);
	pn_slots_release(&t->by_stack);
	pn_strtab_release(&t->owners);
	pn_strtab_release(&t->tids);
	pn_strtab_release(&t->pids);
}

/* The number of a key, which takes the room of a thread when it is new. */
static int number_of(uint32_t *out, struct pn_tracks *t, struct pn_strtab *tab,
		     const void *key, size_t len, struct pn_error *err)
{
	size_t had = tab->count;

	*out = pn_strtab_add(tab, key, len);
	return tab->count == had ? 0
				 : pn_room_take(t->room, PN_ROOM_THREAD, err);
}

static int row_of(uint32_t *out, struct pn_tracks *t, uint32_t owner,
		  const struct pn_track_sample *s, struct pn_error *err)
{
	const uint64_t key[2] = {(uint64_t)s->stack << 32 | owner, s->type};
	uint32_t hash = pn_slots_hash(&t->by_stack, key, 2);
	size_t at = pn_slots_first(&t->by_stack, hash);

	while (pn_slots_row(out, &t->by_stack, &at, hash))
		if (t->rows[*out].stack == s->stack &&
		    t->rows[*out].owner == owner &&
		    t->rows[*out].type == s->type)
			return 0;
	if (pn_room_take(t->room, PN_ROOM_ROW, err))
		return PN_ELIMIT;
	t->rows = pn_grow(t->rows, &t->row_cap, t->row_count + 1,
			  sizeof(*t->rows));
	*out = (uint32_t)t->row_count++;
	t->rows[*out] = (struct pn_track_row){
		.stack = s->stack, .type = s->type, .owner = owner};
	pn_slots_add(&t->by_stack, hash, *out);
	return 0;
}

int pn_tracks_add(struct pn_tracks *t, const struct pn_track_sample *s,
		  struct pn_error *err)
{
	const struct owner key = {s->pid, s->tid};
	uint32_t owner, row;
	int code = number_of(&owner, t, &t->owners, &key, sizeof(key), err);

	if (!code)
		code = row_of(&row, t, owner, s, err);
	if (code)
		return code;
	t->rows[row].count++;
	if (__builtin_add_overflow(t->rows[row].value, s->value,
				   &t->rows[row].value))
		return pn_error_set(err, PN_ERANGE,
				    "values of a stack: more than 2^63");
	if (s->time_ns == PN_TRACKS_NO_TIME)
		return 0;
	if (!pn_room_take_time(t->room)) {
		t->untimed++;
		return 0;
	}
	t->times = pn_grow(t->times, &t->time_cap, t->time_count + 1,
			   sizeof(*t->times));
	t->times[t->time_count++] = (struct pn_track_time){s->time_ns, row};
	return 0;
}

/* What is known of a thread stays where it is said again without. */
int pn_tracks_thread(struct pn_tracks *t, uint32_t tid,
		     struct pn_track_thread thread, struct pn_error *err)
{
	size_t had = t->thread_cap;
	uint32_t at;
	int code = number_of(&at, t, &t->tids, &tid, sizeof(tid), err);

	if (code)
		return code;
	t->threads = pn_grow(t->threads, &t->thread_cap, (size_t)at + 1,
			     sizeof(*t->threads));
	memset(t->threads + had, 0,
	       (t->thread_cap - had) * sizeof(*t->threads));
	if (thread.pid)
		t->threads[at].pid = thread.pid;
	if (thread.name)
		t->threads[at].name = thread.name;
	return 0;
}

int pn_tracks_process(struct pn_tracks *t, uint32_t pid, uint32_t name,
		      struct pn_error *err)
{
	size_t had = t->process_cap;
	uint32_t at;
	int code = number_of(&at, t, &t->pids, &pid, sizeof(pid), err);

	if (code)
		return code;
	t->process_names = pn_grow(t->process_names, &t->process_cap,
				   (size_t)at + 1, sizeof(*t->process_names));
	memset(t->process_names + had, 0,
	       (t->process_cap - had) * sizeof(*t->process_names));
	if (name)
		t->process_names[at] = name;
	return 0;
}

static uint32_t text_of(struct pn_profile *p, uint32_t number)
{
	char text[16];

	if (!number)
		return 0;
	snprintf(text, sizeof(text), "%" PRIu32, number);
	return pn_strtab_add_text(&p->strings, text);
}

static uint32_t thread_of(struct pn_tracks *t, struct pn_threaded *threaded,
			  uint32_t owner)
{
	struct pn_threaded_id id = {0};
	struct owner o;
	uint32_t at;

	memcpy(&o, pn_strtab_text(&t->owners, owner), sizeof(o));
	if (o.tid && pn_strtab_find(&at, &t->tids, &o.tid, sizeof(o.tid))) {
		id.name = t->threads[at].name;
		if (!o.pid)
			o.pid = t->threads[at].pid;
	}
	if (o.pid && pn_strtab_find(&at, &t->pids, &o.pid, sizeof(o.pid)))
		id.process_name = t->process_names[at];
	id.process = text_of(threaded->p, o.pid);
	id.thread = text_of(threaded->p, o.tid);
	return pn_threaded_thread(threaded, &id);
}

/* Rows become samples; `threads` gets the thread of each. */
static int add_rows(uint32_t *threads, struct pn_tracks *t,
		    struct pn_profile *p, struct pn_error *err)
{
	union pn_value row[PN_MAX_VALUE_TYPES] = {{0}};
	struct pn_threaded threaded = {.p = p};
	size_t i;
	int code = pn_room_take(
		t->room, t->row_count * p->type_count * sizeof(*row), err);

	for (i = 0; !code && i < t->row_count; i++) {
		const struct pn_track_row *r = &t->rows[i];

		memset(row, 0, p->type_count * sizeof(*row));
		row[0].i = r->count;
		if (r->type)
			row[r->type].i = r->value;
		threads[i] = thread_of(t, &threaded, r->owner);
		code = pn_threaded_add(&threaded, r->stack, threads[i], row,
				       NULL, err);
	}
	pn_threaded_release(&threaded);
	return code;
}

int pn_tracks_build(struct pn_tracks *t, struct pn_profile *p,
		    struct pn_error *err)
{
	uint32_t *threads = pn_calloc(t->row_count + 1, sizeof(*threads));
	int code = add_rows(threads, t, p, err);
	size_t i;

	for (i = 0; !code && i < t->time_count; i++) {
		const struct pn_track_row *r = &t->rows[t->times[i].row];
		struct pn_event event = {.time_ns = t->times[i].time_ns,
					 .stack = r->stack,
					 .thread = threads[t->times[i].row],
					 .type = r->type};

		pn_events_add(p, &event);
	}
	if (!code && t->untimed)
		pn_profile_add_fact(p, "samples without time", "count",
				    (double)t->untimed);
	free(threads);
	return code;
}
