/*
 * What the code of runtime/ leaves behind: one file for each image of a
 * process (fork and exec begin a new one), in the folder that the variable
 * PN_RUNTIME_FOLDER names, called <runtime>.<pid>.<n>. It is a shared mapping,
 * so that whatever kills the process, the file holds all that was finished.
 * Native byte order and sizes: reader and writer are of one machine.
 *
 *	0	struct pn_runtime_head, PN_RUNTIME_HEAD bytes
 *	...	segments of PN_RUNTIME_SEGMENT bytes, until the file ends
 *
 * A segment belongs to one thread (or to one lock). It is a row of chunks; the
 * size of a chunk is set last, and 0 ends the segment. Chunks begin at
 * multiples of 8.
 *
 *	struct pn_runtime_chunk	size (with this head), kind
 *	bytes			by kind, below
 */
#ifndef PN_RUNTIME_RECORD_H
#define PN_RUNTIME_RECORD_H

#include <stdint.h>

#define PN_RUNTIME_FOLDER "GIT_PERF_RUNTIME_FOLDER"

#define PN_RUNTIME_MAGIC UINT64_C(0x31524e5550464750) /* "PGFPUNR1" */
#define PN_RUNTIME_HEAD 4096			      /* a page */
#define PN_RUNTIME_SEGMENT (128 * 1024) /* seven samples with a whole stack */

struct pn_runtime_head {
	uint64_t magic;
	uint32_t machine; /* EM_... of elf.h */
	uint32_t pid, parent;
	uint32_t unused;
	int64_t begin_ns; /* CLOCK_REALTIME */
	int64_t end_ns;	  /* 0: killed, or gone without a word */
	uint64_t lost;	  /* chunks for which there was no room */
	/* Code of the runtime's that calls main and threads: a stack ends
	 * there. 0: there is none. */
	uint64_t base_start, base_limit;
	char program[256]; /* path of the executable, NUL-terminated, may be
			      cut */
};

struct pn_runtime_chunk {
	uint32_t size; /* with this head and padding; 0: nothing follows */
	uint32_t kind; /* enum pn_runtime_kind */
};

enum pn_runtime_kind {
	PN_RUNTIME_MAPPING = 1, /* struct pn_runtime_mapping, then its path */
	/* From here on each runtime has its own. */
	PN_RUNTIME_SAMPLE = 16, /* struct pn_runtime_sample and what follows */
	PN_RUNTIME_LABELS = 17, /* struct pn_runtime_labels, then texts */
	PN_RUNTIME_THREAD = 18, /* struct pn_runtime_thread, at its end */
	PN_RUNTIME_MEMORY = 32,
	PN_RUNTIME_TRACER = 48
};

#define PN_RUNTIME_MAX_BUILD_ID 32
#define PN_RUNTIME_NO_ADDRESS UINT64_MAX

/* Executable code that is mapped from `time_ns` on; it takes the place of what
 * was there. The path has a NUL behind it and is "" for memory of no file. */
struct pn_runtime_mapping {
	int64_t time_ns; /* CLOCK_MONOTONIC */
	uint64_t start, limit, offset;
	/* What the ELF file says is the address of `start`, or
	 * PN_RUNTIME_NO_ADDRESS. */
	uint64_t address;
	uint8_t build_id_len;
	uint8_t build_id[PN_RUNTIME_MAX_BUILD_ID];
	uint8_t frame_pointers; /* its functions keep them, as far as seen */
	uint8_t unused[6];
};

/*
 * The sampler. One look at one thread: `frames` code addresses follow, the
 * place where it was and then return addresses, outwards; then, when the walk
 * did not reach the end (`whole` is 0) and they could be had, the registers in
 * DWARF's order (`registers` of them, all 64 bits) and `stack` bytes from
 * stack pointer on.
 */
struct pn_runtime_sample {
	int64_t time_ns; /* CLOCK_MONOTONIC */
	int64_t interval_ns;
	uint64_t stack_pointer;
	uint32_t thread; /* of the kernel */
	uint32_t order;	 /* of its start; 1: the one of main() */
	uint32_t ticks;	 /* intervals that it stands for: those missed, too */
	uint32_t labels; /* number of a set of labels; 0: none */
	uint32_t stack;
	uint16_t frames, registers;
	uint8_t whole, unused[3];
	uint32_t unseen; /* of `ticks`: the thread may have been elsewhere */
};

/* A set of labels that a thread has from here on: key NUL value NUL ... */
struct pn_runtime_labels {
	uint32_t number; /* of the set; never 0 */
	uint32_t size;	 /* of the texts */
};

struct pn_runtime_thread {
	uint32_t thread;
	uint32_t order; /* of its start: 1 is the one of main() */
	int64_t cpu_ns; /* that it used since the sampler knows it */
	char name[16];	/* prctl(2), PR_GET_NAME */
};

#define PN_RUNTIME_MAX_FRAMES 4096
#define PN_RUNTIME_MAX_STACK (16 * 1024) /* bytes */
#define PN_RUNTIME_REGISTERS 17		 /* x86-64: 16 and the return address */

/*
 * What a sampler is told, before and while it runs: the file PN_RUNTIME_CONTROL
 * in the folder, mapped by whoever samples and whoever tells. `generation` is
 * raised after a change; each thread looks at it with each tick.
 */
#define PN_RUNTIME_CONTROL "control"
#define PN_RUNTIME_CONTROL_MAGIC UINT64_C(0x314c544e4f434750) /* "PGCONTL1" */
#define PN_RUNTIME_MAX_TRACKED 64

enum pn_runtime_clock { PN_RUNTIME_CPU, PN_RUNTIME_WALL };
enum pn_runtime_threads {
	PN_RUNTIME_ALL_THREADS,
	PN_RUNTIME_MAIN_THREAD,
	PN_RUNTIME_TRACKED /* those of `tracked` */
};
enum pn_runtime_unwind {
	PN_RUNTIME_AUTO, /* frame pointers, else a copy of the stack */
	PN_RUNTIME_POINTERS,
	PN_RUNTIME_DWARF /* always a copy */
};

struct pn_runtime_control {
	uint64_t magic;
	int64_t interval_ns;
	uint32_t collector, parent; /* pids of git-perf, and of git */
	uint32_t generation;
	uint32_t clock, threads, unwind; /* the enums above */
	uint32_t paused;		 /* so many pauses without a resume */
	uint32_t stopped;		 /* for good */
	uint32_t snapshots;		 /* so many were asked for */
	uint32_t images; /* of processes that a sampler was loaded into */
	uint32_t ticks;	 /* of all; some may not have been recorded */
	/* Processor time that no sample stands for yet, of threads and
	 * processes that ended; below 0: paid in advance. */
	int64_t debt_ns;
	int64_t unseen_ns; /* of that: nobody looked, though it was time to */
	uint32_t tracked_count;
	uint32_t tracked[PN_RUNTIME_MAX_TRACKED]; /* threads of the kernel */
};

/*
 * memory: one pn_runtime_memory, changed in place with every allocation, and
 * one pn_runtime_memory_stack for each stack that allocated.
 */
#define PN_RUNTIME_MEMORY_TOTALS (PN_RUNTIME_MEMORY + 0)
#define PN_RUNTIME_MEMORY_STACK (PN_RUNTIME_MEMORY + 1)

struct pn_runtime_memory {
	uint64_t allocations, allocated_bytes;
	uint64_t live_blocks, live_bytes;
	uint64_t peak_bytes; /* most live bytes ever, ... */
	uint64_t epoch;	     /* ... how often they became more than ever */
	uint64_t unknown;    /* frees of what was not seen being allocated */
	uint64_t missed;     /* allocations that could not be noted */
	uint32_t depth, unused;
};

/*
 * What a stack allocated. `peak_bytes` is what it had live at the process's
 * peak if `epoch` is that of the process; else nothing of it changed since,
 * and live_bytes is.
 */
struct pn_runtime_memory_stack {
	uint64_t allocations, allocated_bytes;
	uint64_t live_blocks, live_bytes;
	uint64_t peak_bytes, epoch;
	uint32_t id, depth;
	uint64_t frames[]; /* return addresses, innermost first */
};

#define PN_RUNTIME_MEMORY_DEPTH "GIT_PERF_MEMORY_DEPTH" /* a number */
#define PN_RUNTIME_MEMORY_MAX_DEPTH 256

/*
 * trace: one pn_runtime_trace, and for each thread a pn_runtime_caller and
 * blocks of the functions it ran, of its calls by caller and callee, of those
 * by size, and of the calls that have not returned. A thread that ends leaves
 * its blocks to one that begins. All is changed in place; `base` is where the
 * array of a block lay in the process, by which its elements are pointed to.
 */
#define PN_RUNTIME_TRACE_TOTALS (PN_RUNTIME_TRACER + 0)
#define PN_RUNTIME_TRACE_CALLER (PN_RUNTIME_TRACER + 1)
#define PN_RUNTIME_TRACE_NODES (PN_RUNTIME_TRACER + 2)
#define PN_RUNTIME_TRACE_EDGES (PN_RUNTIME_TRACER + 3)
#define PN_RUNTIME_TRACE_FRAMES (PN_RUNTIME_TRACER + 4)
#define PN_RUNTIME_TRACE_REGION (PN_RUNTIME_TRACER + 5)
#define PN_RUNTIME_TRACE_SIZES (PN_RUNTIME_TRACER + 6)

enum pn_runtime_trace_clock {
	PN_RUNTIME_TRACE_TSC,  /* counter of the processor */
	PN_RUNTIME_TRACE_WALL, /* CLOCK_MONOTONIC, ns */
	PN_RUNTIME_TRACE_CPU,  /* CLOCK_THREAD_CPUTIME_ID, ns */
	PN_RUNTIME_TRACE_NONE  /* calls are counted, not timed */
};

struct pn_runtime_trace {
	uint32_t clock; /* enum pn_runtime_trace_clock */
	uint32_t flat;	/* 1: no callers, and own time only */
	/* Two readings of clock and CLOCK_MONOTONIC, as far from each other as
	 * the record has them. */
	int64_t begin_ticks, begin_ns;
	int64_t last_ticks, last_ns;
	/* Of a call that does nothing: the time that it shows (inside), and
	 * what it costs its caller besides (outside), in ticks. */
	double inside, outside;
	uint64_t rounds;    /* calls in each of the batches that found it */
	uint64_t unwound;   /* calls that ended without an exit */
	uint64_t unmatched; /* exits without an entry */
	uint64_t skipped;   /* calls for which there was no room */
};

/* A thread. What stands behind these is the process's own. */
struct pn_runtime_caller {
	uint64_t top;	/* address of the pn_runtime_frame that is the last */
	int64_t last;	/* ticks when a call returned last */
	uint64_t ended; /* calls that have; not counted in a flat record */
	uint32_t thread, unused;
};

struct pn_runtime_block {
	uint64_t base;
	uint32_t thread, count; /* elements behind it */
};

/* Elements with `function` 0 are not in use, or that of no call. Numbers are
 * of calls that ended; what those took is taken off `self` of the one that
 * made them at once. */
struct pn_runtime_node {
	uint64_t function;  /* address, or that of a region's name */
	uint64_t primitive; /* calls while none of it was active, ... */
	int64_t total;	    /* ... their ticks, ... */
	uint64_t nested;    /* ... and the calls below them */
	uint64_t active;    /* calls that have not ended */
	uint64_t sizes;	    /* its pn_runtime_size */
};

struct pn_runtime_edge {
	uint64_t caller, function; /* caller 0: nobody known */
	uint64_t calls, primitive;
	int64_t self;	 /* ticks, less those of ... */
	uint64_t direct; /* ... the calls that they made themselves */
	int64_t total;
	uint64_t nested;
	uint64_t active;
	uint64_t node; /* address of its pn_runtime_node */
};

/* Calls of a function that stated the same size of what it works on, of each
 * of them all that was below it. */
struct pn_runtime_size {
	uint64_t function, size;
	uint64_t calls, nested;
	int64_t total; /* ticks */
};

/* A call that has not returned. */
struct pn_runtime_frame {
	uint64_t function, edge; /* edge: address */
	uint64_t up, down;	 /* addresses of its neighbours; up 0: the
				    outermost, which is no call */
	uint64_t stack;		 /* where the stack of the machine ended */
	int64_t start;		 /* ticks */
	uint64_t before;	 /* `ended` of the thread at its start */
	uint64_t size;		 /* address of its pn_runtime_size, or 0 */
};

/* Name of a region: the `function` of its node. Its text follows, with a NUL
 * behind it. */
struct pn_runtime_region {
	uint64_t function;
};

#define PN_RUNTIME_TRACE_CLOCK "GIT_PERF_TRACE_CLOCK"	/* tsc wall cpu none */
#define PN_RUNTIME_TRACE_FLAT "GIT_PERF_TRACE_FLAT"	/* "1" */
#define PN_RUNTIME_TRACE_ROUNDS "GIT_PERF_TRACE_ROUNDS" /* a number */
#define PN_RUNTIME_TRACE_MAX_ROUNDS 1000000
#define PN_RUNTIME_TRACE_MAX_DEPTH (1u << 20)

#endif
