/* Chrome's trace events: threads by number, processes by their id. */
#include "codec/v8/chrome_threads.h"

#include "base/alloc.h"
#include "model/timeline/events.h"

#include <stdlib.h>
#include <string.h>

void pn_chrome_threads_release(struct pn_chrome_threads *t)
{
	pn_strtab_release(&t->pids);
	free(t->of_pid);
	free(t->of_thread);
	free(t->spans);
}

static uint32_t *set_name(uint32_t *names, size_t *cap, size_t at,
			  uint32_t name)
{
	size_t had = *cap;

	names = pn_grow(names, cap, at + 1, sizeof(*names));
	memset(names + had, 0, (*cap - had) * sizeof(*names));
	names[at] = name;
	return names;
}

void pn_chrome_threads_name(struct pn_chrome_threads *t, uint32_t thread,
			    uint32_t name)
{
	t->of_thread = set_name(t->of_thread, &t->thread_cap, thread, name);
}

void pn_chrome_threads_name_process(struct pn_chrome_threads *t,
				    const struct pn_buf *pid, uint32_t name)
{
	uint32_t id = pn_strtab_add(&t->pids, pid->data, pid->len);

	t->of_pid = set_name(t->of_pid, &t->pid_cap, id, name);
}

void pn_chrome_threads_ran(struct pn_chrome_threads *t,
			   const struct pn_chrome_span *span)
{
	t->spans = pn_grow(t->spans, &t->span_cap, t->span_count + 1,
			   sizeof(*t->spans));
	t->spans[t->span_count++] = *span;
}

/* A process for each id, a thread for each key, in their order. */
static void add_threads(struct pn_chrome_threads *t, struct pn_profile *p,
			const struct pn_strtab *keys)
{
	struct pn_strtab seen = {0};
	uint32_t i, id, name;

	pn_strtab_add(&seen, "", 0);
	for (i = 1; i < keys->count; i++) {
		const char *pid = pn_strtab_text(keys, i);
		const char *tid = pid + strlen(pid) + 1;
		char key[2] = "-"; /* an empty id is one, too */
		size_t had = seen.count;
		uint32_t process;

		process = pn_strtab_add_text(&seen, *pid ? pid : key);
		if (seen.count > had) {
			name = 0;
			if (pn_strtab_find(&id, &t->pids, pid, strlen(pid)) &&
			    id < t->pid_cap)
				name = t->of_pid[id];
			pn_events_add_process(
				p, pn_strtab_add_text(&p->strings, pid), name);
		}
		name = i - 1 < t->thread_cap ? t->of_thread[i - 1] : 0;
		pn_events_add_thread(p, process - 1,
				     pn_strtab_add_text(&p->strings, tid),
				     name);
	}
	pn_strtab_release(&seen);
}

void pn_chrome_threads_finish(struct pn_chrome_threads *t, struct pn_profile *p,
			      const struct pn_strtab *keys,
			      const struct pn_call_tree *tree)
{
	size_t i;

	add_threads(t, p, keys);
	for (i = 0; i < t->span_count; i++) {
		const struct pn_chrome_span *span = &t->spans[i];
		const struct pn_event event = {
			.time_ns = span->at_ns,
			.duration_ns = span->ns,
			.stack = tree->stack[span->node],
			.thread = span->thread,
		};

		if (event.stack != PN_NONE)
			pn_events_add(p, &event);
	}
}
