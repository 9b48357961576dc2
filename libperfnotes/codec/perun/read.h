/* Reading a Perun profile: what the parts of the reader share. */
#ifndef PN_PERUN_READ_H
#define PN_PERUN_READ_H

#include "base/json/json.h"
#include "base/json/tree.h"
#include "codec/perun/amounts.h"
#include "codec/perun/build.h"
#include "codec/perun/chunks.h"
#include "model/profile.h"

/* Ids of strings of the profile. */
struct pn_perun_ids {
	uint32_t *items;
	size_t count, cap;
};

/* A resource type of the current layout: "uid#k". */
struct pn_perun_group {
	struct pn_sample sample; /* of each of its rows; stack PN_NONE: unset */
	bool has_columns;
};

struct pn_perun_reading {
	struct pn_json *json;
	struct pn_profile *profile;
	struct pn_perun_build build;
	struct pn_perun_traits traits;
	struct pn_perun_chunks chunks;
	bool has_chunks;	  /* they are read */
	bool again;		  /* they came late: read once more with them */
	struct pn_strtab regions; /* top-level keys so far */
	struct pn_buf scratch;

	struct pn_strtab group_names;
	struct pn_perun_group *groups; /* by id in group_names */
	size_t group_cap;

	struct pn_perun_ids models, global_models, snapshot_models;
	bool has_models; /* at the top */
	size_t extra_cap;
	struct pn_perun_units units;
	bool has_header, has_resources;
	bool has_columns, has_type_map;
};

/* "<path>: expected <what>, have <event>" for the event just returned. */
int pn_perun_expected(struct pn_perun_reading *r, const char *what,
		      enum pn_json_event have, struct pn_error *err);
/* Put the path of what was just read before the message of `err`. */
int pn_perun_at_path(struct pn_perun_reading *r, int code,
		     struct pn_error *err);
/* The next event, which must be `want`. */
int pn_perun_want(struct pn_perun_reading *r, enum pn_json_event want,
		  struct pn_error *err);
/* The objects of an array that has begun: `each` reads one, which has begun,
 * too, to its end. */
int pn_perun_read_objects(struct pn_perun_reading *r,
			  int (*each)(struct pn_perun_reading *r, void *to,
				      struct pn_error *err),
			  void *to, struct pn_error *err);
/* Read the value whose first event was just returned into traits.value. */
int pn_perun_take(struct pn_perun_reading *r, enum pn_json_event first,
		  struct pn_error *err);
/* Compact JSON of what was taken, as a string of the profile. */
uint32_t pn_perun_taken_text(struct pn_perun_reading *r);
/* The key just returned, as a string of the profile. */
uint32_t pn_perun_key(struct pn_perun_reading *r);
void pn_perun_ids_add(struct pn_perun_ids *ids, uint32_t id);

/* A number, or a string that names a chunk that is one. */
int pn_perun_read_number(struct pn_perun_cell *out, struct pn_perun_reading *r,
			 uint32_t column, enum pn_json_event event,
			 struct pn_error *err);

/* Regions; the first event of each was just returned. */
int pn_perun_read_header(struct pn_perun_reading *r, enum pn_json_event first,
			 struct pn_error *err);
int pn_perun_read_collector(struct pn_perun_reading *r,
			    enum pn_json_event first, struct pn_error *err);
int pn_perun_read_posts(struct pn_perun_reading *r, enum pn_json_event first,
			struct pn_error *err);
int pn_perun_read_models(struct pn_perun_reading *r, struct pn_perun_ids *out,
			 enum pn_json_event first, struct pn_error *err);
/* What a profile that was read has of snapshots, as curves. */
void pn_perun_snapshots(struct pn_profile *profile);
int pn_perun_read_snapshots(struct pn_perun_reading *r,
			    enum pn_json_event first, struct pn_error *err);
int pn_perun_read_global(struct pn_perun_reading *r, enum pn_json_event first,
			 struct pn_error *err);
int pn_perun_read_resources(struct pn_perun_reading *r,
			    enum pn_json_event first, struct pn_error *err);
/* The current layout: an object behind its first event. */
int pn_perun_read_columns(struct pn_perun_reading *r, struct pn_error *err);
int pn_perun_read_type_map(struct pn_perun_reading *r, enum pn_json_event first,
			   struct pn_error *err);
/* Give the rows of the current layout their stacks and labels. */
int pn_perun_join_groups(struct pn_perun_reading *r, struct pn_error *err);

#endif
