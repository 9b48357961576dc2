/* Lines that take something out, or say that it stays. */
#include "storage/retain/tombstone.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int pn_tombstone_add(struct pn_buf *note, const struct pn_entry *target,
		     const struct pn_oid *commit, int64_t time_ns,
		     struct pn_error *err)
{
	const char *from = pn_entry_field(target, "from");
	struct pn_entry del = {.time_ns = time_ns,
			       .kind = PN_ENTRY_DEL,
			       .kind_text = "del",
			       .commit = *commit,
			       .tree = target->tree};
	char nonce[17];
	struct pn_field fields[] = {{"n", nonce}, {"from", from}};

	snprintf(nonce, sizeof(nonce), "%016" PRIx64, pn_hash_random());
	del.fields = fields;
	del.field_count = *from ? 2 : 1;
	memcpy(del.target, target->id, sizeof(del.target));
	return pn_entry_write(note, &del, err);
}

/* A line of a kind of its own, of the time of the record that it is of. */
static int add_line(struct pn_buf *note, const struct pn_entry *like,
		    const struct pn_oid *commit, const char *kind,
		    struct pn_field field, struct pn_error *err)
{
	struct pn_entry e = {.time_ns = like->time_ns,
			     .kind = PN_ENTRY_OTHER,
			     .kind_text = kind,
			     .commit = *commit,
			     .tree = like->tree,
			     .fields = &field,
			     .field_count = 1};

	return pn_entry_write(note, &e, err);
}

int pn_tombstone_bare(struct pn_buf *note, const struct pn_entry *target,
		      const struct pn_oid *commit, struct pn_error *err)
{
	return add_line(note, target, commit, PN_ENTRY_KIND_FIGURES,
			(struct pn_field){"record", target->id}, err);
}

int pn_tombstone_keep(struct pn_buf *note, const struct pn_entry *like,
		      const struct pn_oid *commit, const char *reason,
		      struct pn_error *err)
{
	return add_line(note, like, commit, PN_ENTRY_KIND_KEEP,
			(struct pn_field){"reason", reason}, err);
}
