/* git's pager as a process that reads what is written to it. */
#ifndef PN_CONFIG_PAGER_H
#define PN_CONFIG_PAGER_H

#include "base/error.h"

/* `pager` as pn_pager_choose gives it. *fd is to be written to and closed,
 * *pid to be waited for. less and lv get the settings that git gives them. */
int pn_pager_start(int *fd, int *pid, const char *pager, struct pn_error *err);

#endif
