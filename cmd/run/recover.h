/* What a run in place has to tell, be the work tree back or not. */
#ifndef CMD_RECOVER_H
#define CMD_RECOVER_H

#include "vcs/inplace/inplace.h"

/* Released after it. */
void say_report(struct pn_inplace_report *report);

#endif
