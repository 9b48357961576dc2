/* The halves of the pprof codec. profile.proto of github.com/google/pprof. */
#ifndef PN_PPROF_PPROF_H
#define PN_PPROF_PPROF_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

int pn_pprof_read(struct pn_profile *out, struct pn_reader *in,
		  struct pn_error *err);
/* The same; where `two` bytes are shown, by two threads, with the same result.
 */
int pn_pprof_read_two(struct pn_profile *out, struct pn_reader *in, size_t two,
		      struct pn_error *err);
/* The message, gzipped as Go does it. */
int pn_pprof_write(struct pn_buf *out, const struct pn_profile *profile,
		   struct pn_error *err);
/* The message itself, byte for byte what pprof's own writer makes of it. */
int pn_pprof_encode(struct pn_buf *out, const struct pn_profile *profile,
		    struct pn_error *err);

#endif
