/* The heaviest functions of a run that goes on. */
#ifndef PN_MEASURED_SNAPSHOT_H
#define PN_MEASURED_SNAPSHOT_H

#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"

/* The title, escaped, and at most `rows` functions. The profile is changed. */
int pn_snapshot_text(struct pn_buf *out, const char *title,
		     struct pn_profile *snapshot, int64_t rows,
		     struct pn_error *err);

#endif
