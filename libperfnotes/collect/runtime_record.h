/*
 * Reading what a runtime left (runtime/record.h), of a process that is gone or
 * still runs. A record is hostile: the profiled program could write to it.
 */
#ifndef PN_COLLECT_RUNTIME_RECORD_H
#define PN_COLLECT_RUNTIME_RECORD_H

#include "base/error.h"
#include "runtime/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_runtime_record {
	struct pn_runtime_head head; /* `program` ends with a NUL */
	const unsigned char *bytes;
	size_t len, at; /* `at`: of the next chunk */
	bool mapped;
};

/* A chunk's bytes; borrowed, not aligned, padding included. */
struct pn_runtime_part {
	uint32_t kind;
	const unsigned char *bytes;
	size_t len;
};

/* Map the file. PN_EINVAL when it is no record. */
int pn_runtime_record_open(struct pn_runtime_record *out, const char *path,
			   struct pn_error *err);
/* Of bytes that the caller keeps; `name` is for the message. */
int pn_runtime_record_parse(struct pn_runtime_record *out, const void *bytes,
			    size_t len, const char *name, struct pn_error *err);
void pn_runtime_record_release(struct pn_runtime_record *record);

/* The next chunk, segment by segment; false at the end. Set `at` to 0 to begin
 * again. */
bool pn_runtime_record_next(struct pn_runtime_part *out,
			    struct pn_runtime_record *record);
/* A mapping's chunk; *path is borrowed. False when it is malformed. */
bool pn_runtime_record_mapping(struct pn_runtime_mapping *out,
			       const char **path,
			       const struct pn_runtime_part *part);

#endif
