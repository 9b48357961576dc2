/* Settings of a machine that disturb measurements: proc(5), and the kernel's
 * admin-guide/pm/cpufreq.rst, mm/transhuge.rst and hw-vuln. Linux; elsewhere
 * nothing is known. */
#ifndef PN_COLLECT_DISTURB_H
#define PN_COLLECT_DISTURB_H

#include "model/machine/disturb.h"

/* All but how quiet it is. `root` is put before /proc and /sys ("" for this
 * system). */
void pn_disturb_read(struct pn_disturb *out, const char *root);

#endif
