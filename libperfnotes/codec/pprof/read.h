/*
 * Between the halves of the pprof decoder: while bytes are read, fields of
 * the profile hold the file's own numbers (string indices, names of ids, in
 * frames less one); resolve.c turns them into ours when all tables are known.
 */
#ifndef PN_PPROF_READ_H
#define PN_PPROF_READ_H

#include "base/reader/reader.h"
#include "base/slots.h"
#include "codec/pprof/ids.h"
#include "codec/wire.h"
#include "model/profile.h"

#define PN_PPROF_MESSAGE_MAX (64u << 20) /* bytes of one sample or string */
#define PN_PPROF_SAMPLE 2 /* the field of a profile that is one */

struct pn_pprof_decoder {
	struct pn_profile *p;
	struct pn_reader *in;
	struct pn_ids mappings, locations, functions;
	uint32_t *strings; /* string of the file -> of the profile */
	size_t string_count, string_cap;
	uint32_t largest_frame;
	const unsigned char *readable; /* the end of what is shown */
	size_t reserved; /* frames that got their room at once; 0: none */
	size_t width;	 /* values of a sample, set by the first one */
	size_t type_cap, comment_cap;
	struct pn_label *labels; /* of the sample that is read */
	size_t label_count, label_cap;
	struct pn_slots sets; /* label sets by content */
	uint32_t seen; /* bit n: field n of the profile, when it may be once */
};

/* A row for the stack that the frames from the last one's end on are; `set` is
 * one of label sets. */
void pn_pprof_row(struct pn_pprof_decoder *d, uint32_t set,
		  const union pn_value *values);
/* The set of d->labels. */
uint32_t pn_pprof_label_set(struct pn_pprof_decoder *d);
/* One sample: its frames, values and labels become rows of the profile. */
int pn_pprof_sample(struct pn_pprof_decoder *d,
		    const struct pn_wire_field *field, struct pn_error *err);

/* One field of a profile. */
int pn_pprof_field(struct pn_pprof_decoder *d, const struct pn_wire_field *f,
		   struct pn_error *err);
/* The fields of a profile that are whole in a wire, as far as they begin before
 * `until`. */
int pn_pprof_fields(struct pn_pprof_decoder *d, struct pn_wire *wire,
		    const unsigned char *until, struct pn_error *err);

/* Read what is shown, all of an input or its beginning, in two threads. False
 * where that cannot be done: then neither the decoder nor its profile may be
 * used, and nothing is consumed. */
bool pn_pprof_halves(struct pn_pprof_decoder *d, const unsigned char *from,
		     size_t have);

/* The second half: CheckValid's rules and pprof's postDecode. */
int pn_pprof_resolve(struct pn_pprof_decoder *d, struct pn_error *err);

#endif
