/* What the extra "racket" of a profile says, for writing it back. */
#ifndef PN_RACKET_SAID_H
#define PN_RACKET_SAID_H

#include "base/buf.h"
#include "base/error.h"
#include "base/strtab.h"
#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>

struct pn_racket_said {
	struct pn_buf members;	 /* JSON, without brackets */
	struct pn_strtab labels; /* of nodes: "id\nsrc" */
	struct pn_buf *threads;	 /* JSON, by label */
	size_t cap;
};

/* `said` is zeroed before, and released in any case. */
int pn_racket_said_read(struct pn_racket_said *said, const struct pn_profile *p,
			struct pn_error *err);
void pn_racket_said_release(struct pn_racket_said *said);

#endif
