/* The codec of Perun's profiles: its reader and its writer. */
#ifndef PN_PERUN_PERUN_H
#define PN_PERUN_PERUN_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "codec/codec.h"
#include "model/profile.h"

enum pn_sniff pn_perun_sniff(const unsigned char *bytes, size_t len);
int pn_perun_read(struct pn_profile *out, struct pn_reader *in,
		  struct pn_error *err);
int pn_perun_write(struct pn_buf *out, const struct pn_profile *profile,
		   struct pn_error *err);
/* Whether the columns have names of Perun's own. */
bool pn_perun_is_own(const struct pn_profile *profile);

#endif
