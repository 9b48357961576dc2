/*
 * The parts of the codec for the text that `perf script` prints. A record is
 * a head, "comm  pid/tid [cpu] time: period event:", with any of these
 * missing, and frames from the leaf on, "address symbol+0xoffset (object)",
 * in lines of their own or behind the head.
 * Facts: tools/perf/builtin-script.c of Linux, and stackcollapse-perf.pl of
 * github.com/brendangregg/FlameGraph, whose stacks and sums come out.
 */
#ifndef PN_PERF_SCRIPT_PERF_SCRIPT_H
#define PN_PERF_SCRIPT_PERF_SCRIPT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "base/slots.h"
#include "model/profile.h"

#define PN_PERF_UNKNOWN "[unknown]" /* what perf says for no symbol, object */

struct pn_perf_text {
	const char *at;
	size_t len;
};

/* A head taken apart; what it lacks is empty. */
struct pn_perf_head {
	struct pn_perf_text comm;
	int64_t pid, tid; /* -1: unknown */
	bool has_time;
	int64_t time_ns; /* on some clock; -1: beyond 63 bits */
	bool has_period;
	uint64_t period;
	struct pn_perf_text event; /* without its colon */
	struct pn_perf_text rest;  /* a frame, or fields of a trace point */
	size_t anchor; /* where the cpu or time begins; 0: there is none */
};

/* False when the line is no head. */
bool pn_perf_head(struct pn_perf_head *out, const char *line, size_t len);
/* The same, quicker, for a line that is like that of `last` up to its anchor:
 * `same` are those bytes. False when it is not, or no head. */
bool pn_perf_head_again(struct pn_perf_head *out,
			const struct pn_perf_head *last, const char *same,
			const char *line, size_t len);
/*
 * What an event counts: its name without those modifiers that say how samples
 * are taken. "cycles:ppp" and "cycles:P" are cycles, "cycles:upH" is cycles:u;
 * a trace point keeps its colon. perf-list(1), "Event modifiers".
 */
void pn_perf_event_name(struct pn_buf *out, const char *name);
/* "address symbol" or "address": hexadecimal digits and a blank. */
bool pn_perf_is_frame(const char *line, size_t len);

/*
 * Frames by their text: what perf prints for one place is always the same, so
 * that a frame is taken apart once, however many stacks it is on.
 */
struct pn_perf_frame {
	const char *text;
	uint32_t len;
	uint32_t location; /* of the profile, PN_NONE until it is asked for */
	bool inlined;	   /* into the frame that follows */
	bool placed;	   /* with a line of the source */
};

struct pn_perf_frames {
	struct pn_profile *p;
	struct pn_arena arena;
	struct pn_perf_frame *items;
	size_t count, cap;
	struct pn_slots slots;
	struct pn_strtab functions; /* keys: name and file */
	uint32_t *mapping_of;	    /* by string: mapping + 1 */
	size_t mapping_cap;
	uint32_t *comm_of; /* by string: location + 1 */
	size_t comm_cap;
};

void pn_perf_frames_release(struct pn_perf_frames *f);
/* The frame with this text, without blanks in front. */
uint32_t pn_perf_frame(struct pn_perf_frames *f, const char *text, size_t len);
/* A frame and the line that follows it, with where it is in the source: one
 * line a frame, or many would make a text that grows with each. */
uint32_t pn_perf_frame_at(struct pn_perf_frames *f, uint32_t frame,
			  const char *place, size_t len);
/* Frames into locations, in place; fewer where some are inlined or only say
 * what a process is called. Returns how many. */
size_t pn_perf_locations(struct pn_perf_frames *f, uint32_t *frames,
			 size_t count);
/* The location of a function that is only a name: the process. */
uint32_t pn_perf_comm(struct pn_perf_frames *f, const char *comm, size_t len);
/* At the end: the mapping of what was run comes first. It has the name of a
 * process, of the first that has one: those that it starts come after it. */
void pn_perf_program_first(struct pn_perf_frames *f);

struct pn_perf_threads {
	struct pn_profile *p;
	struct pn_strtab label_sets; /* pairs (pid, tid), as bytes */
	struct pn_strtab processes;  /* pids, as bytes; from 1 on */
	bool begun;
	int64_t pid, tid; /* that were asked for last */
	uint32_t labels;
};

void pn_perf_threads_release(struct pn_perf_threads *threads);
/* The set of labels of a process and a thread (-1: unknown), made when new:
 * the thread is called `comm` then. */
uint32_t pn_perf_threads_labels(struct pn_perf_threads *threads, int64_t pid,
				int64_t tid, const struct pn_buf *comm);

int pn_perf_script_read(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err);

#endif
