/*
 * The samples of V8's profiler in a trace, in the events "ProfileChunk": each
 * has some nodes of a call tree, and samples that name nodes of this and of
 * earlier events. Processes have profiles of their own, each with its id.
 * devtools-frontend: front_end/models/trace/handlers/SamplesHandler.ts.
 */
#ifndef PN_V8_CHROME_CPU_H
#define PN_V8_CHROME_CPU_H

#include "codec/v8/v8_nodes.h"

struct pn_chrome_profile {
	uint32_t thread; /* as the caller numbers them */
	uint32_t before; /* what ran last */
	uint32_t tree;	 /* of the sample that waits for its end */
	bool waits;
};

struct pn_chrome_sample {
	uint32_t profile;
	int64_t id, delta_us; /* since the one before */
};

struct pn_chrome_cpu {
	struct pn_v8_nodes nodes;  /* of all profiles, whose ids are apart */
	struct pn_strtab profiles; /* "pid\0id" */
	struct pn_chrome_profile *items;
	size_t count, cap;
	struct pn_chrome_sample *samples;
	size_t sample_count, sample_cap;
	/* the event that is read */
	struct pn_json_ints ids, deltas;
	struct pn_buf name; /* of the args */
	size_t first_node, first_child;
};

void pn_chrome_cpu_release(struct pn_chrome_cpu *cpu);
/* An event begins; its member "args" (`to` begins with a struct
 * pn_chrome_cpu); it ends. What it said counts when it is a chunk. */
void pn_chrome_cpu_begin(struct pn_chrome_cpu *cpu);
int pn_chrome_cpu_take_args(void *to, struct pn_json *json,
			    enum pn_json_event first, struct pn_error *err);
/* The same for one member of them. */
int pn_chrome_cpu_take_arg(struct pn_chrome_cpu *cpu, const char *key,
			   struct pn_json *json, enum pn_json_event first,
			   struct pn_error *err);
int pn_chrome_cpu_end(struct pn_chrome_cpu *cpu, bool is_chunk,
		      const struct pn_buf *key, uint32_t thread,
		      struct pn_error *err);
/* The profile of this key, made when new; it is of this thread. */
struct pn_chrome_profile *pn_chrome_cpu_profile(struct pn_chrome_cpu *cpu,
						const struct pn_buf *key,
						uint32_t thread);
/* What each sample took, to `add`, in the order of their ends. */
int pn_chrome_cpu_each(struct pn_chrome_cpu *cpu, void *to,
		       int (*add)(void *to, uint32_t thread, uint32_t tree,
				  int64_t us, struct pn_error *err),
		       struct pn_error *err);

#endif
