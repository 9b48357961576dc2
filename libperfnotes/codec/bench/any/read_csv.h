/* Results in a table of one's own: one row a value, a head above them. */
#ifndef PN_ANY_READ_CSV_H
#define PN_ANY_READ_CSV_H

#include "base/reader/reader.h"
#include "model/profile.h"

/* By the columns of the reader's hint, else by usual heads. */
int pn_csv_read(struct pn_profile *out, struct pn_reader *in,
		struct pn_error *err);

#endif
