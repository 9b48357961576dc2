/* Manual pages of this program. */
#ifndef PN_PROCESS_MANUAL_H
#define PN_PROCESS_MANUAL_H

#include <stdbool.h>

/* Open a page and wait until it was read: that of this program's own
 * installation first. False when there is none, or no man program: its exit
 * status for a page that is not there is not in any standard. */
bool pn_manual_open(const char *page);

#endif
