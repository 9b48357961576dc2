/* What a run in place has to tell when the work tree is back. */
#ifndef CMD_RECOVER_H
#define CMD_RECOVER_H

#include "vcs/inplace/inplace.h"

void say_report(const struct pn_inplace_report *report);

#endif
