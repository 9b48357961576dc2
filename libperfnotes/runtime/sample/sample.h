/*
 * The sampler inside of a program: a timer for each thread, whose signal finds
 * the thread where it is. Files: sample.c has threads and ticks,
 * sample_stack.c the walk, sample_wrap.c what stands before libc's functions,
 * sample_sleep.c before those that wait, sample_label.c what the program itself
 * may call.
 */
#ifndef PN_SAMPLE_SAMPLE_H
#define PN_SAMPLE_SAMPLE_H

#include "runtime/output.h"
#include "runtime/record.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Of one thread; lives as long as the thread, then serves another one. */
struct pn_sampled_thread {
	uint32_t tid, order;
	int timer; /* of the kernel, -1: none */
	int64_t interval_ns;
	uint32_t beats;	     /* ticks of an interval */
	uint32_t generation; /* of the control that was obeyed */
	bool tracked;
	bool unknown;	/* the walk met code that no module has */
	uint32_t seen;	/* ticks of all; wraps */
	uint32_t owed;	/* ticks that are in no sample yet */
	uint64_t base;	/* where its stack begins; it grows down from here */
	uint64_t start; /* frame pointer of our function that called its own */
	int64_t cpu_before_ns;
	int64_t paid_ns; /* of its clock: all before is in samples; sample_due.c
			  */
	int64_t looked_ns; /* of its clock, at the last tick, ... */
	int64_t user_ns;   /* ... and of its time outside of the kernel */
	int64_t unseen_ns; /* in no sample yet, and nobody looked */
	uint64_t random;
	struct pn_stream stream;
	uint32_t labels; /* number of the set */
	uint32_t label_size;
	char label_texts[1000];
	/* The last place that was looked at: does its function set a frame
	 * pointer? Loops ask again and again. */
	uint64_t looked_at;
	bool sets_pointer;
	/* A window of the stack, and the walk's result. */
	uint64_t window_from;
	uint32_t window_size;
	uint64_t frames[PN_RUNTIME_MAX_FRAMES];
	unsigned char window[PN_RUNTIME_MAX_STACK];
	struct pn_sampled_thread *next; /* while nobody uses it */
	/* What a new thread is to run. */
	void *(*run)(void *);
	int (*run_c11)(void *);
	void *argument;
};

/* The signal; 0 while there is no sampler in this process. */
extern int pn_sampler_signal;
/* The program has handlers of signals. */
extern bool pn_sampler_has_handlers;
/* The program's own pauses without a resume. */
extern uint32_t pn_sampler_paused;

/* Between these lie the functions in which stacks end. Before the first tick.
 */
void pn_sampler_set_base(uint64_t start, uint64_t limit);

/* The next definition of a function of libc; `slot` keeps it. */
void *pn_sampler_next(void **slot, const char *name);

/* Of the calling thread; NULL when it is not sampled. */
struct pn_sampled_thread *pn_sampler_self(void);
/* State for a thread that is to be created, and back when it was not. */
struct pn_sampled_thread *pn_sampler_reserve(void);
void pn_sampler_give_back(struct pn_sampled_thread *thread);
/* Sample the calling thread from here on; `start` is the frame address of the
 * caller, which stays there until the thread ends. */
void pn_sampler_begin(struct pn_sampled_thread *thread, uint64_t start);
/* Code may have come or gone: look at the mappings with the next tick. */
void pn_sampler_rescan(void);
/* Keep ticks out, for a moment; gives the mask to go back to. */
uint64_t pn_sampler_block(void);
void pn_sampler_unblock(uint64_t mask);

/*
 * What samples stand for: sample_due.c. The clock of the thread is paid up to
 * `paid_ns` when it begins.
 */
void pn_sampler_due_begin(struct pn_sampled_thread *thread, int64_t paid_ns);
void pn_sampler_due_first(struct pn_sampled_thread *thread,
			  struct pn_runtime_control *control);
void pn_sampler_due_image(struct pn_sampled_thread *thread);
/* When its timer is to tick first. */
int64_t pn_sampler_due_first_tick(struct pn_sampled_thread *thread,
				  const struct pn_runtime_control *control,
				  int64_t beat_ns);
/* At a tick: for how many beats of the timer a sample is to stand. */
uint32_t pn_sampler_due(struct pn_sampled_thread *thread,
			struct pn_runtime_control *control);
/*
 * At a tick, before that: `ticks` of them came as one. `in_call`: the thread
 * is about to leave a system call.
 */
void pn_sampler_due_look(struct pn_sampled_thread *thread, uint32_t ticks,
			 bool wall, bool in_call);
/* Of `ticks` intervals of a sample: during how many nobody looked. */
uint32_t pn_sampler_due_unseen(struct pn_sampled_thread *thread,
			       uint32_t ticks);
/* What went before is nobody's: it was paused. */
void pn_sampler_due_forget(struct pn_sampled_thread *thread);
/* The calling thread ends: what it owes goes to the others. */
void pn_sampler_due_end(struct pn_sampled_thread *thread,
			struct pn_runtime_control *control);
/* The same of a process that ends without its destructors. */
void pn_sampler_leave(void);

/*
 * Walk the stack of an interrupted thread, as far as `pointers` may be
 * followed. `frames` of `thread` gets at most PN_RUNTIME_MAX_FRAMES addresses;
 * *whole tells that the last one is known to be the outermost, else the window
 * has the stack's inner end. Returns the number.
 */
size_t pn_sampler_walk(struct pn_sampled_thread *thread, const void *context,
		       bool pointers, bool *whole);
/* The registers in DWARF's order; returns how many. */
size_t pn_sampler_registers(uint64_t out[PN_RUNTIME_REGISTERS],
			    const void *context);
uint64_t pn_sampler_stack_pointer(const void *context);
/* Whether the thread was interrupted behind a system call. */
bool pn_sampler_in_call(const void *context);

#endif
