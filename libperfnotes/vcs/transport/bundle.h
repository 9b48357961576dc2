/*
 * Refs and objects as a file, git-bundle(1). What is read is looked at in a
 * repository of its own first, which goes again: nothing of a file that is
 * refused comes here.
 */
#ifndef PN_TRANSPORT_BUNDLE_H
#define PN_TRANSPORT_BUNDLE_H

#include "vcs/transport/transport.h"

#define PN_BUNDLE_MAX ((uint64_t)1 << 30) /* bytes of a file that is read */

/*
 * Write a ref with all that it leads to and `without` (zero: none) does not.
 * The file appears when it is whole, as of base/replace.h; "-" is standard
 * output. `t->remote` is not used. PN_EINVAL: there is something else than a
 * regular file.
 */
int pn_bundle_write(const struct pn_transport *t, const char *path,
		    const char *ref, const struct pn_oid *without,
		    struct pn_error *err);

/*
 * Read the ref of that name out of a file, checked as in pn_transport_fetch,
 * and have `to` lead to it. `has` are refs of ours that the file may build on,
 * each with a NUL behind it.
 *
 * PN_EINVAL: no bundle, damaged, another ref, or it builds on what is not here.
 * PN_ELIMIT: larger than PN_BUNDLE_MAX. PN_ENOTFOUND: this partial clone may
 * lack what it builds on; the 20-byte ids of what it is known to lack, beside
 * what `has` lead to, are appended to `lacks`.
 */
int pn_bundle_read(const struct pn_transport *t, const char *path,
		   const char *ref, const char *to, const struct pn_buf *has,
		   struct pn_buf *lacks, struct pn_error *err);

#endif
