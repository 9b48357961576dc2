/*
 * Memory that what is read may take: ROOM_BASE bytes, and ROOM_TIMES those of
 * the file so far. A sample of two bytes is ten times as large once it is
 * known when it was, and in which thread.
 */
#ifndef PN_ANDROID_ROOM_H
#define PN_ANDROID_ROOM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_ROOM_BASE (UINT64_C(40) << 20)
#define PN_ROOM_TIMES 6

/* What one of each takes, about, with the tables it is found by. */
enum {
	PN_ROOM_STRING = 64, /* and its bytes */
	PN_ROOM_MAPPING = 112,
	PN_ROOM_FRAME = 144,
	PN_ROOM_SEQUENCE = 64,
	PN_ROOM_STACK = 48,
	PN_ROOM_STACK_FRAME = 24,
	PN_ROOM_THREAD = 192,
	PN_ROOM_ROW = 96, /* of samples of one stack in one thread */
	PN_ROOM_TIME = 48 /* of a sample */
};

struct pn_room {
	uint64_t given, taken, times;
};

static inline void pn_room_give(struct pn_room *room, uint64_t read_bytes)
{
	if (!room->given)
		room->given = PN_ROOM_BASE;
	room->given += read_bytes * PN_ROOM_TIMES;
}

/* PN_ELIMIT where it is full. */
static inline int pn_room_take(struct pn_room *room, uint64_t bytes,
			       struct pn_error *err)
{
	if (bytes > room->given - room->taken)
		return pn_error_set(err, PN_ELIMIT,
				    "stacks, threads and names that take more "
				    "memory than 40 MB and %d times the file",
				    PN_ROOM_TIMES);
	room->taken += bytes;
	return 0;
}

/* The time of a sample: a quarter stays for what comes later. */
static inline bool pn_room_take_time(struct pn_room *room)
{
	if (room->times + PN_ROOM_TIME > room->given / 4 * 3 ||
	    pn_room_take(room, PN_ROOM_TIME, NULL))
		return false;
	room->times += PN_ROOM_TIME;
	return true;
}

#endif
