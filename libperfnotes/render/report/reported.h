/* A report of a repository as one page of HTML, which needs no network and can
 * be read without its scripts. */
#ifndef PN_REPORT_REPORTED_H
#define PN_REPORT_REPORTED_H

#include "analysis/reported/reported.h"

#include <stdio.h>

/* Failing to write shows in ferror() of the stream. */
void pn_reported_print(FILE *to, const struct pn_reported *reported);

#endif
