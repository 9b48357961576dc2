/*
 * Writing a record (record.h) from inside a program. Everything here may be
 * called in a signal handler. One thread calls pn_output_open before the others
 * write.
 */
#ifndef PN_RUNTIME_OUTPUT_H
#define PN_RUNTIME_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Note the folder, as long as the environment is what it was at the start;
 * then pn_output_open may be called in a signal handler as well. */
void pn_output_prepare(void);
/*
 * Begin the record of this process: of its start, or of its life as the child
 * of a fork, where streams have to be zeroed anew. `runtime` ("sample") begins
 * the name of the file. False when there is no folder to write to.
 */
bool pn_output_open(const char *runtime);
bool pn_output_is_open(void);
/* Where stacks end: head.base_start and base_limit. */
void pn_output_set_base(uint64_t start, uint64_t limit);
/* The process comes to its end. */
void pn_output_close(void);

/* A segment and how much of it is used. One for each thread; zeroed: none. */
struct pn_stream {
	unsigned char *segment;
	size_t used;
	bool keep; /* chunks are changed later: full segments stay mapped */
};

/*
 * Room for a chunk's bytes, at most PN_RUNTIME_SEGMENT - 8 of them, zeroed;
 * NULL (and counted as lost) when there is none. No file descriptor stays
 * open: a program may close what it did not open, and use its number.
 */
void *pn_stream_begin(struct pn_stream *stream, uint32_t kind, size_t size);
/* Finish it, with as many of these bytes as were needed; nothing may have been
 * written behind them. */
void pn_stream_end(struct pn_stream *stream, size_t size);

#endif
