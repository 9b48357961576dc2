/* Samples of threads. The label set of a thread has its number, and one more,
 * as set 0 is the one without labels. */
#include "codec/threaded.h"

#include "codec/call_tree.h"
#include "codec/frames.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <string.h>

void pn_threaded_release(struct pn_threaded *t)
{
	pn_strtab_release(&t->threads);
	pn_strtab_release(&t->processes);
	pn_slots_release(&t->rows);
}

static uint32_t process_of(struct pn_threaded *t,
			   const struct pn_threaded_id *id)
{
	size_t had = t->processes.count;
	struct pn_thread_group *group;
	uint32_t at;

	if (!id->process)
		return PN_NONE;
	at = pn_strtab_add(&t->processes, &id->process, sizeof(id->process)) -
	     1;
	if (!had || t->processes.count > had)
		pn_events_add_process(t->p, id->process, 0);
	group = &t->p->events.processes[at];
	if (!group->name)
		group->name = id->process_name;
	return at;
}

static void add_labels(struct pn_threaded *t, const struct pn_threaded_id *id)
{
	struct pn_label labels[2];
	size_t n = 0;

	memset(labels, 0, sizeof(labels));
	if (id->process) {
		labels[n].key = pn_strtab_add_text(&t->p->strings, "pid");
		labels[n++].value.s = id->process;
	}
	if (id->thread || id->name) {
		labels[n].key = pn_strtab_add_text(&t->p->strings, "thread");
		labels[n++].value.s = id->name ? id->name : id->thread;
	}
	pn_profile_add_label_set(t->p, labels, n);
}

uint32_t pn_threaded_thread(struct pn_threaded *t,
			    const struct pn_threaded_id *id)
{
	const uint32_t key[2] = {id->process, id->thread};
	size_t had = t->threads.count;
	uint32_t at, process;

	if (!id->process && !id->thread)
		return PN_NONE;
	at = pn_strtab_add(&t->threads, key, sizeof(key)) - 1;
	process = process_of(t, id);
	if (had && t->threads.count == had)
		return at;
	pn_events_add_thread(t->p, process, id->thread, id->name);
	add_labels(t, id);
	return at;
}

static uint32_t labels_of(uint32_t thread)
{
	return thread == PN_NONE ? 0 : thread + 1;
}

/* The sample of a stack in a thread; SIZE_MAX when there is none yet. */
static size_t find_row(struct pn_threaded *t, uint32_t hash, uint32_t stack,
		       uint32_t labels)
{
	const struct pn_profile *p = t->p;
	uint32_t row;
	size_t at;

	for (at = pn_slots_first(&t->rows, hash);
	     pn_slots_row(&row, &t->rows, &at, hash);)
		if (p->samples[row].stack == stack &&
		    p->samples[row].labels == labels)
			return row;
	return SIZE_MAX;
}

static int add_row(struct pn_threaded *t, uint32_t hash, uint32_t stack,
		   uint32_t labels, const union pn_value *row,
		   struct pn_error *err)
{
	struct pn_profile *p = t->p;

	t->walk += p->stack_start[stack + 1] - p->stack_start[stack];
	if (t->walk > PN_CALL_TREE_WALK)
		return pn_error_set(err, PN_ELIMIT,
				    "samples of more than %" PRIu64
				    " frames in all",
				    PN_CALL_TREE_WALK);
	pn_slots_add(&t->rows, hash,
		     (uint32_t)pn_profile_add_sample(p, stack, labels, row));
	return 0;
}

int pn_threaded_add(struct pn_threaded *t, uint32_t stack, uint32_t thread,
		    const union pn_value *row, const struct pn_event *event,
		    struct pn_error *err)
{
	const uint64_t key = (uint64_t)stack << 32 | labels_of(thread);
	uint32_t hash = pn_slots_hash(&t->rows, &key, 1);
	size_t sample = find_row(t, hash, stack, labels_of(thread));
	struct pn_event e;
	int code =
		sample == SIZE_MAX
			? add_row(t, hash, stack, labels_of(thread), row, err)
			: pn_frames_add_values(t->p, sample, row, err);

	if (code || !event)
		return code;
	e = *event;
	e.stack = stack;
	e.thread = thread;
	pn_events_add(t->p, &e);
	return 0;
}
