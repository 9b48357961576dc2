/*
 * Samples of threads whose names a file says anywhere, before or behind them:
 * they are kept until it is read. A zeroed struct but for `room` is empty.
 */
#ifndef PN_ANDROID_TRACKS_H
#define PN_ANDROID_TRACKS_H

#include "base/slots.h"
#include "codec/android/room.h"
#include "model/profile.h"

#define PN_TRACKS_NO_TIME INT64_MIN

struct pn_track_sample {
	int64_t time_ns; /* or PN_TRACKS_NO_TIME */
	int64_t value;
	uint32_t pid, tid; /* 0: unknown */
	uint32_t stack;	   /* of the profile, or a number of the caller's */
	uint32_t type;	   /* which value type `value` is of */
};

/* Samples of one stack and type in one thread. */
struct pn_track_row {
	uint32_t stack, type;
	uint32_t owner; /* of the tracks */
	int64_t count, value;
};

struct pn_track_time {
	int64_t time_ns;
	uint32_t row;
};

struct pn_track_thread {
	uint32_t pid;  /* 0: unknown */
	uint32_t name; /* string of the profile */
};

struct pn_tracks {
	struct pn_room *room;
	struct pn_strtab owners; /* pid and tid, as bytes; from 1 on */
	struct pn_track_row *rows;
	size_t row_count, row_cap;
	struct pn_slots by_stack;
	struct pn_track_time *times; /* in the order of the file */
	size_t time_count, time_cap;
	uint64_t untimed;	     /* samples whose time had no room */
	struct pn_strtab tids, pids; /* keys, as bytes; ids from 1 on */
	struct pn_track_thread *threads;
	uint32_t *process_names;
	size_t thread_cap, process_cap;
};

void pn_tracks_release(struct pn_tracks *tracks);
/* Where there is no room for its time it is counted without. PN_ELIMIT. */
int pn_tracks_add(struct pn_tracks *tracks,
		  const struct pn_track_sample *sample, struct pn_error *err);
/* The last name of a thread, or process, counts. PN_ELIMIT. */
int pn_tracks_thread(struct pn_tracks *tracks, uint32_t tid,
		     struct pn_track_thread thread, struct pn_error *err);
int pn_tracks_process(struct pn_tracks *tracks, uint32_t pid, uint32_t name,
		      struct pn_error *err);
/* Into samples of `p`, which has its value types and stacks, those of the rows:
 * the first type counts samples. */
int pn_tracks_build(struct pn_tracks *tracks, struct pn_profile *p,
		    struct pn_error *err);

#endif
