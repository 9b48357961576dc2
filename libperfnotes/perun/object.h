/*
 * An object of a Perun store: "profile", blank, type, blank, length, NUL and
 * the profile's JSON, in one zlib stream. Its name is the SHA-1 of that.
 */
#ifndef PN_PERUN_OBJECT_H
#define PN_PERUN_OBJECT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types that Perun knows: memory, mixed, time. It reads no other. */
bool pn_perun_type_is(const char *type);

/*
 * Append the JSON of an object's file; at most `limit` bytes (PN_ELIMIT).
 * PN_EINVAL says what is broken: the stream, the header, the length, or the
 * name `id`, in this order.
 */
int pn_perun_object_read(struct pn_buf *out, const struct pn_oid *id,
			 const void *bytes, size_t len, uint64_t limit,
			 struct pn_error *err);
/* The name that this JSON has as an object of `type`. */
void pn_perun_object_name(struct pn_oid *out, const char *type,
			  const void *json, size_t len);
/* Append the bytes of an object's file. */
void pn_perun_object_write(struct pn_buf *out, const char *type,
			   const void *json, size_t len);

#endif
