/*
 * OpenTelemetry's profiles: reading and writing. The messages are those of
 * opentelemetry/proto/profiles/v1development/profiles.proto in
 * opentelemetry-proto 1.11.0; before 1.9 their fields had other numbers.
 * A ProfilesData has profiles of one value type each, whose samples name
 * stacks and attributes by their place in the tables of one dictionary.
 */
#ifndef PN_OTLP_OTLP_H
#define PN_OTLP_OTLP_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "base/slots.h"
#include "codec/wire.h"
#include "model/profile.h"

#define PN_OTLP_MESSAGE_MAX (1u << 30) /* a dictionary is one field */
#define PN_OTLP_PROFILES_MAX (1u << 16)

/* Fields by number, as the definition has them. */
enum { PN_OTLP_RESOURCE_PROFILES = 1, PN_OTLP_DICTIONARY };
enum { PN_OTLP_SCOPE_PROFILES = 2 };
enum { PN_OTLP_PROFILES = 2 };
enum {
	PN_OTLP_MAPPING_TABLE = 1,
	PN_OTLP_LOCATION_TABLE,
	PN_OTLP_FUNCTION_TABLE,
	PN_OTLP_LINK_TABLE,
	PN_OTLP_STRING_TABLE,
	PN_OTLP_ATTRIBUTE_TABLE,
	PN_OTLP_STACK_TABLE
};
enum {
	PN_OTLP_SAMPLE_TYPE = 1,
	PN_OTLP_SAMPLES,
	PN_OTLP_TIME,
	PN_OTLP_DURATION,
	PN_OTLP_PERIOD_TYPE,
	PN_OTLP_PERIOD
};
enum { PN_OTLP_TYPE = 1, PN_OTLP_UNIT };
enum {
	PN_OTLP_STACK = 1,
	PN_OTLP_ATTRIBUTES,
	PN_OTLP_LINK,
	PN_OTLP_VALUES,
	PN_OTLP_TIMES
};
enum {
	PN_OTLP_MAPPING_START = 1,
	PN_OTLP_MAPPING_LIMIT,
	PN_OTLP_MAPPING_OFFSET,
	PN_OTLP_MAPPING_FILE,
	PN_OTLP_MAPPING_ATTRIBUTES
};
enum {
	PN_OTLP_LOCATION_MAPPING = 1,
	PN_OTLP_LOCATION_ADDRESS,
	PN_OTLP_LOCATION_LINES
};
enum { PN_OTLP_LINE_FUNCTION = 1, PN_OTLP_LINE, PN_OTLP_COLUMN };
enum {
	PN_OTLP_NAME = 1,
	PN_OTLP_SYSTEM_NAME,
	PN_OTLP_FILE,
	PN_OTLP_START_LINE
};
enum { PN_OTLP_KEY = 1, PN_OTLP_VALUE, PN_OTLP_VALUE_UNIT };
enum { PN_OTLP_TEXT = 1, PN_OTLP_BOOL, PN_OTLP_INT, PN_OTLP_DOUBLE };

/* Attributes of mappings and samples that are more than labels here. */
#define PN_OTLP_BUILD_ID "process.executable.build_id.gnu"
#define PN_OTLP_THREAD_ID "thread.id"
#define PN_OTLP_THREAD_NAME "thread.name"
#define PN_OTLP_PROCESS "process.pid"

/* What a sample is by its numbers in the file. */
struct pn_otlp_sample {
	uint32_t stack, list; /* of d->lists */
	uint32_t profile;
	int64_t value;
};

/* One of the profiles: its type, which becomes a column. */
struct pn_otlp_profile {
	struct pn_value_type type; /* strings of the file */
	uint32_t column;
};

struct pn_otlp {
	struct pn_profile *p;
	struct pn_reader *in;
	uint32_t *strings; /* string of the profile by number */
	size_t string_count, string_cap;
	struct pn_label *attributes; /* by number; strings are numbers */
	size_t attribute_count, attribute_cap;
	uint32_t *build_lists; /* list of attributes by mapping */
	size_t build_cap;
	struct pn_strtab lists;	  /* numbers of attributes, as bytes */
	uint32_t *sets, *threads; /* by list, once it is asked for */
	struct pn_otlp_profile *profiles;
	size_t profile_count, profile_cap;
	struct pn_otlp_sample *samples;
	size_t sample_count, sample_cap;
	struct pn_slots rows; /* of samples, by stack and labels */
	uint32_t *list;	      /* the one that is read */
	size_t list_cap;
	int64_t *parts; /* values of the sample that is read */
	size_t part_cap;
	/* Whether the first of a table is the empty one that stands for none */
	bool no_location, no_function;
};

int pn_otlp_read(struct pn_profile *out, struct pn_reader *in,
		 struct pn_error *err);
int pn_otlp_write(struct pn_buf *out, const struct pn_profile *profile,
		  struct pn_error *err);

/* times.c: an event is one of a row of samples, written with its time. */
struct pn_otlp_time {
	uint32_t type, row, thread; /* thread: or PN_NONE */
	size_t event;
};

struct pn_otlp_times {
	struct pn_otlp_time *items; /* by type, row, thread, then as they are */
	size_t count;
	int64_t shift_ns; /* from the clock of the measurement to that of UTC */
};

void pn_otlp_times_make(struct pn_otlp_times *out, const struct pn_profile *p);

/* lists.c */
/* A number that is an index: PN_EINVAL beyond 31 bits. */
int pn_otlp_index(uint32_t *out, const struct pn_wire_field *f, uint64_t value,
		  struct pn_error *err);
/* Indices behind the others of *list, packed or alone. */
int pn_otlp_indices(uint32_t **list, size_t *count, size_t *cap,
		    const struct pn_wire_field *f, const char *message,
		    struct pn_error *err);
/* Fields that are numbers, by number up to `last`; *other is set where the
 * message has more. */
int pn_otlp_numbers(uint64_t *values, uint32_t last, bool *other,
		    struct pn_wire wire, const char *message,
		    struct pn_error *err);
int pn_otlp_type(struct pn_value_type *out, const struct pn_wire_field *f,
		 struct pn_error *err);

/* dictionary.c */
int pn_otlp_dictionary(struct pn_otlp *d, struct pn_wire wire,
		       struct pn_error *err);

/* attributes.c */
int pn_otlp_attribute(struct pn_otlp *d, const struct pn_wire_field *f,
		      struct pn_error *err);
/* The strings of all, once the table of strings is whole. */
int pn_otlp_resolve_attributes(struct pn_otlp *d, struct pn_error *err);
/* The label set of a list, and the thread of its samples, or PN_NONE. */
int pn_otlp_labels(uint32_t *set, uint32_t *thread, struct pn_otlp *d,
		   uint32_t list, struct pn_error *err);
/* The string that a list has for a key; 0: none. */
uint32_t pn_otlp_text_of(const struct pn_otlp *d, uint32_t list,
			 const char *key);

/* resolve.c */
int pn_otlp_resolve(struct pn_otlp *d, struct pn_error *err);

#endif
