/*
 * perf script: processes and threads. Each has a set of labels, which say what
 * samples are of, and an entry in the tables of events.
 */
#include "codec/perf_script/perf_script.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void pn_perf_threads_release(struct pn_perf_threads *t)
{
	pn_strtab_release(&t->label_sets);
	pn_strtab_release(&t->processes);
}

static size_t add_label(struct pn_perf_threads *t, struct pn_label *labels,
			size_t n, const char *key, int64_t value)
{
	if (value < 0)
		return n;
	memset(&labels[n], 0, sizeof(labels[n]));
	labels[n].key = pn_strtab_add_text(&t->p->strings, key);
	labels[n].kind = PN_LABEL_INT;
	labels[n].value.i = value;
	return n + 1;
}

static uint32_t number_text(struct pn_perf_threads *t, int64_t number)
{
	char text[24];

	if (number < 0)
		return 0;
	snprintf(text, sizeof(text), "%" PRId64, number);
	return pn_strtab_add_text(&t->p->strings, text);
}

/* Named as their first record is. */
static void add_thread(struct pn_perf_threads *t, const struct pn_buf *comm)
{
	uint32_t process = PN_NONE, name;
	int64_t pid = t->pid, tid = t->tid;
	size_t had = t->processes.count;

	name = pn_strtab_add(&t->p->strings, comm->data, comm->len);
	if (pid >= 0) {
		process = pn_strtab_add(&t->processes, &pid, sizeof(pid)) - 1;
		if (!had || t->processes.count > had)
			pn_events_add_process(t->p, number_text(t, pid), name);
	}
	pn_events_add_thread(t->p, process, number_text(t, tid < 0 ? pid : tid),
			     name);
}

/* The number of a set is the id of its pair in label_sets, where 0 is "", the
 * set without labels; that of a thread is one less. */
uint32_t pn_perf_threads_labels(struct pn_perf_threads *t, int64_t pid,
				int64_t tid, const struct pn_buf *comm)
{
	const int64_t key[2] = {pid, tid};
	struct pn_label labels[2];
	size_t had, n;

	if (t->begun && pid == t->pid && tid == t->tid)
		return t->labels;
	t->begun = true;
	t->pid = pid;
	t->tid = tid;
	t->labels = 0;
	if (pid < 0 && tid < 0)
		return 0;
	if (!t->label_sets.count)
		pn_strtab_add(&t->label_sets, "", 0);
	had = t->label_sets.count;
	t->labels = pn_strtab_add(&t->label_sets, key, sizeof(key));
	if (t->label_sets.count == had)
		return t->labels;
	n = add_label(t, labels, 0, "pid", pid);
	n = add_label(t, labels, n, "tid", tid);
	pn_profile_add_label_set(t->p, labels, n);
	add_thread(t, comm);
	return t->labels;
}
