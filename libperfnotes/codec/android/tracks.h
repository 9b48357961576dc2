/*
 * Samples of threads whose names a file says anywhere, before or behind them:
 * they are kept until it is read. A zeroed struct is empty.
 */
#ifndef PN_ANDROID_TRACKS_H
#define PN_ANDROID_TRACKS_H

#include "base/error.h"
#include "model/profile.h"

#define PN_TRACKS_NO_TIME INT64_MIN

struct pn_track_sample {
	int64_t time_ns; /* or PN_TRACKS_NO_TIME */
	int64_t value;
	uint32_t pid, tid; /* 0: unknown */
	uint32_t stack;	   /* of the profile, or a number of the caller's */
	uint32_t type;	   /* which value type `value` is of */
};

struct pn_track_thread {
	uint32_t pid;  /* 0: unknown */
	uint32_t name; /* string of the profile */
};

struct pn_tracks {
	struct pn_track_sample *samples;
	size_t count, cap;
	struct pn_strtab tids, pids; /* keys, as bytes; ids from 1 on */
	struct pn_track_thread *threads;
	uint32_t *process_names;
	size_t thread_cap, process_cap;
};

void pn_tracks_release(struct pn_tracks *tracks);
void pn_tracks_add(struct pn_tracks *tracks,
		   const struct pn_track_sample *sample);
/* The last name of a thread, or process, counts. */
void pn_tracks_thread(struct pn_tracks *tracks, uint32_t tid,
		      struct pn_track_thread thread);
void pn_tracks_process(struct pn_tracks *tracks, uint32_t pid, uint32_t name);
/* Into samples of `p`, which has its value types and stacks: the first type
 * counts samples. */
int pn_tracks_build(struct pn_tracks *tracks, struct pn_profile *p,
		    struct pn_error *err);

#endif
