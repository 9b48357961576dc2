/*
 * Samples of threads: one sample for each stack and thread, with the labels
 * "pid" and "thread", and an event for each time that is told. A zeroed struct
 * but for `p` is empty. While it is in use nothing else may add label sets,
 * samples, threads or processes.
 */
#ifndef PN_CODEC_THREADED_H
#define PN_CODEC_THREADED_H

#include "base/error.h"
#include "base/slots.h"
#include "model/profile.h"

struct pn_threaded {
	struct pn_profile *p;
	struct pn_strtab threads, processes; /* keys, as bytes; ids from 1 on */
	struct pn_slots rows;		     /* samples by stack and thread */
	uint64_t walk;			     /* frames of all samples */
};

/* Strings of the profile, 0 where unknown. A name may be told later on. */
struct pn_threaded_id {
	uint32_t process, thread, name, process_name;
};

void pn_threaded_release(struct pn_threaded *t);
/* The number of a thread, added when new; PN_NONE where nothing is known. */
uint32_t pn_threaded_thread(struct pn_threaded *t,
			    const struct pn_threaded_id *id);
/*
 * Adds whole numbers to the sample of a stack in a thread. `event` is NULL, or
 * says when and in which type; its stack and thread are set here. PN_ERANGE
 * beyond 63 bits, PN_ELIMIT for too many frames in all.
 */
int pn_threaded_add(struct pn_threaded *t, uint32_t stack, uint32_t thread,
		    const union pn_value *row, const struct pn_event *event,
		    struct pn_error *err);

#endif
