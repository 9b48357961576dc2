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
	int64_t begin_ns;  /* CLOCK_REALTIME */
	int64_t end_ns;	   /* 0: killed, or gone without a word */
	uint64_t lost;	   /* chunks for which there was no room */
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
	PN_RUNTIME_SAMPLER = 16,
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

#endif
