/* Work on a record before it is added to a batch, for many at a time. */
#ifndef PN_STORAGE_PREPARE_H
#define PN_STORAGE_PREPARE_H

#include "base/deflate.h"
#include "storage/record.h"

/*
 * What pn_batch_add would do with a record that depends on no other one, which
 * is most of the work for small profiles: done before, it may be done in any
 * thread, and changes nothing else.
 */
int pn_batch_prepare(struct pn_record *record, struct pn_error *err);
/* A body that was prepared, as it will be in the pack. The deflater is one of
 * level 1; it is fastest for many records one after the other. */
void pn_batch_pack(struct pn_record *record, struct pn_deflater *deflater);

#endif
