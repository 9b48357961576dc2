/* Writing a Perun profile: what the parts of the writer share. */
#ifndef PN_PERUN_WRITE_H
#define PN_PERUN_WRITE_H

#include "base/json/tree.h"
#include "model/profile.h"

/* One item of what stays the same over a type of resources. */
struct pn_perun_entry {
	const char *key;
	size_t key_len;
	const struct pn_label *label; /* or NULL: `text` or the trace */
	const char *text;
	size_t text_len;
	size_t seq;
};

struct pn_perun_writing {
	const struct pn_profile *profile;
	bool native; /* it was one of Perun's: columns have their own names */
	bool has_amount; /* "amount" is one of them; see amounts.h */
	size_t main;	 /* value type that is the amount, else SIZE_MAX */
	const char *kind, *subtype;	/* of resources; NULL: labels say it */
	struct pn_perun_entry *entries; /* scratch */
	size_t entry_count, entry_cap;
	struct pn_json_tree value; /* scratch */
	uint64_t flat_budget;
};

/* How the profile's columns and resources are to be named. */
void pn_perun_writing_begin(struct pn_perun_writing *w);
/*
 * Append the object of what stays the same for a stack and a label set, keys
 * in order, and to `uid` the flat uid.
 */
int pn_perun_write_traits(struct pn_buf *out, struct pn_buf *uid,
			  struct pn_perun_writing *w, uint32_t stack,
			  uint32_t labels, struct pn_error *err);
/* A text that is JSON, in Python's form. */
int pn_perun_write_json(struct pn_buf *out, struct pn_perun_writing *w,
			uint32_t text, struct pn_error *err);
void pn_perun_write_text(struct pn_buf *out, const char *text);
/* The name of the column of a value type. */
void pn_perun_column_name(struct pn_buf *out, const struct pn_perun_writing *w,
			  size_t type);
/* Everything behind the models, with its comma before each. */
int pn_perun_write_regions(struct pn_buf *out, struct pn_perun_writing *w,
			   struct pn_error *err);

#endif
