/*
 * What a measured command writes to standard error where nobody reads it: kept
 * for the moment at which it fails. A file takes it, as somebody who reads a
 * pipe would run beside the command. One that writes a lot would be measured
 * with the cost of that: from its second run on it writes to nowhere.
 */
#ifndef PN_COLLECT_SAID_H
#define PN_COLLECT_SAID_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct pn_process_run;

#define PN_SAID_MAX 65536 /* bytes of a run that talks a lot: a pipe's */

struct pn_said {
	FILE *file; /* NULL: none can be had, and nothing is kept */
	bool silenced;
};

void pn_said_init(struct pn_said *said);
/* For the next run: its fd, of which the caller closes nothing; -1: to
 * /dev/null. Takes NULL. */
int pn_said_begin(struct pn_said *said);
/* As pn_process_measure_wait: true when the run has ended, false after the
 * pause (0: none). What the run writes meanwhile is cut where it gets to
 * several MB: it lies on a disk. Takes NULL. */
bool pn_said_wait(struct pn_said *said, struct pn_process_run *run,
		  int64_t pause_ns);
/* Append what the last run wrote in the end, from the beginning of a line. */
void pn_said_text(struct pn_buf *out, const struct pn_said *said);
/* Takes a zeroed one. */
void pn_said_release(struct pn_said *said);

/* The last lines of a file, at most 20, for somebody who asks what went wrong.
 * Nothing when it cannot be read. */
void pn_said_tail(struct pn_buf *out, FILE *file);

#endif
