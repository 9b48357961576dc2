/* Samples of threads, until all is known of them. */
#include "codec/android/tracks.h"

#include "base/alloc.h"
#include "codec/threaded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pn_tracks_release(struct pn_tracks *t)
{
	free(t->samples);
	free(t->threads);
	free(t->process_names);
	pn_strtab_release(&t->tids);
	pn_strtab_release(&t->pids);
}

void pn_tracks_add(struct pn_tracks *t, const struct pn_track_sample *sample)
{
	t->samples =
		pn_grow(t->samples, &t->cap, t->count + 1, sizeof(*t->samples));
	t->samples[t->count++] = *sample;
}

/* What is known of a thread stays where it is said again without. */
void pn_tracks_thread(struct pn_tracks *t, uint32_t tid,
		      struct pn_track_thread thread)
{
	uint32_t at = pn_strtab_add(&t->tids, &tid, sizeof(tid));
	size_t had = t->thread_cap;

	t->threads = pn_grow(t->threads, &t->thread_cap, (size_t)at + 1,
			     sizeof(*t->threads));
	memset(t->threads + had, 0,
	       (t->thread_cap - had) * sizeof(*t->threads));
	if (thread.pid)
		t->threads[at].pid = thread.pid;
	if (thread.name)
		t->threads[at].name = thread.name;
}

void pn_tracks_process(struct pn_tracks *t, uint32_t pid, uint32_t name)
{
	uint32_t at = pn_strtab_add(&t->pids, &pid, sizeof(pid));
	size_t had = t->process_cap;

	t->process_names = pn_grow(t->process_names, &t->process_cap,
				   (size_t)at + 1, sizeof(*t->process_names));
	memset(t->process_names + had, 0,
	       (t->process_cap - had) * sizeof(*t->process_names));
	if (name)
		t->process_names[at] = name;
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
			  const struct pn_track_sample *s)
{
	struct pn_threaded_id id = {0};
	uint32_t pid = s->pid, at;

	if (s->tid && pn_strtab_find(&at, &t->tids, &s->tid, sizeof(s->tid))) {
		id.name = t->threads[at].name;
		if (!pid)
			pid = t->threads[at].pid;
	}
	if (pid && pn_strtab_find(&at, &t->pids, &pid, sizeof(pid)))
		id.process_name = t->process_names[at];
	id.process = text_of(threaded->p, pid);
	id.thread = text_of(threaded->p, s->tid);
	return pn_threaded_thread(threaded, &id);
}

int pn_tracks_build(struct pn_tracks *t, struct pn_profile *p,
		    struct pn_error *err)
{
	struct pn_threaded threaded = {.p = p};
	union pn_value row[PN_MAX_VALUE_TYPES] = {{0}};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < t->count; i++) {
		const struct pn_track_sample *s = &t->samples[i];
		struct pn_event event = {.time_ns = s->time_ns,
					 .type = s->type};

		memset(row, 0, p->type_count * sizeof(*row));
		row[0].i = 1;
		if (s->type)
			row[s->type].i = s->value;
		code = pn_threaded_add(
			&threaded, s->stack, thread_of(t, &threaded, s), row,
			s->time_ns == PN_TRACKS_NO_TIME ? NULL : &event, err);
	}
	pn_threaded_release(&threaded);
	return code;
}
