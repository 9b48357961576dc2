/*
 * Threads and processes of Chrome's trace events: what metadata ("ph": "M")
 * calls them, and when calls of them ran. "Trace Event Format", Metadata
 * Events.
 */
#ifndef PN_V8_CHROME_THREADS_H
#define PN_V8_CHROME_THREADS_H

#include "base/buf.h"
#include "codec/call_tree.h"

/* A call ran, none that it called did. */
struct pn_chrome_span {
	uint32_t thread, node;
	int64_t at_ns, ns;
};

struct pn_chrome_threads {
	struct pn_strtab pids;
	uint32_t *of_pid, *of_thread; /* names, 0: not told */
	size_t pid_cap, thread_cap;
	struct pn_chrome_span *spans;
	size_t span_count, span_cap;
};

void pn_chrome_threads_release(struct pn_chrome_threads *threads);
/* Names, which are strings of the profile. */
void pn_chrome_threads_name(struct pn_chrome_threads *threads, uint32_t thread,
			    uint32_t name);
void pn_chrome_threads_name_process(struct pn_chrome_threads *threads,
				    const struct pn_buf *pid, uint32_t name);
void pn_chrome_threads_ran(struct pn_chrome_threads *threads,
			   const struct pn_chrome_span *span);
/* All of it as events of the profile, with threads as `keys` has them
 * ("pid\0tid", from 1 on). Spans of nodes that no sample has are left out. */
void pn_chrome_threads_finish(struct pn_chrome_threads *threads,
			      struct pn_profile *p,
			      const struct pn_strtab *keys,
			      const struct pn_call_tree *tree);

#endif
