/* What killpoint.so and kills share in memory: a file that both map. */
#ifndef TESTS_KILLPOINT_H
#define TESTS_KILLPOINT_H

#include <stdatomic.h>

#define KILLPOINT_PIDS 512

enum kill_mode {
	KILL_ALL,  /* the machine dies */
	KILL_MAIN, /* the program dies, its git processes go on */
	KILL_SELF, /* whoever makes the call dies */
	FAIL_MAIN  /* nobody dies: a call of the program itself fails; those
		    * that only look are counted, too, no other process's are */
};

struct killpoint {
	atomic_uint calls; /* so far, of all processes together */
	unsigned int at;   /* the call before which somebody dies; 0: none */
	unsigned int mode;
	int error;	/* what errno says of the call that fails */
	char only[32];	/* the call that is counted; "": all are */
	char call[256]; /* its name, or the path that it opens; "": it was not
			 * reached */
	atomic_uint pid_count;
	int pids[KILLPOINT_PIDS]; /* pids[0] is the program itself */
};

#endif
