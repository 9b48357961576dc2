/*
 * Recordings of Java's Flight Recorder, a chunk at a time: what types of
 * events it has (metadata), the pools of what events name by number, and from
 * them the costs of stacks.
 */
#ifndef PN_JFR_JFR_H
#define PN_JFR_JFR_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "base/slots.h"
#include "codec/frames.h"
#include "codec/jfr/bytes.h"

#define PN_JFR_HEADER 68	    /* bytes before the first event */
#define PN_JFR_CHUNK_MAX (1u << 30) /* async-profiler's are of 100 MB */
#define PN_JFR_TYPES_MAX (1u << 16) /* the JDK has 200 */
#define PN_JFR_DEPTH_MAX 16	    /* of what is inside of each other */
#define PN_JFR_TICKS_MAX UINT64_C(10000000000) /* a second */

/* The type ids of events that are not of the metadata. */
#define PN_JFR_METADATA 0
#define PN_JFR_CHECKPOINT 1

/* Members of events and of what is pooled that somebody asks for, whatever it
 * is that has them. */
enum pn_jfr_member {
	PN_JFR_START_TIME,
	PN_JFR_DURATION,
	PN_JFR_THREAD,
	PN_JFR_STACK,
	PN_JFR_CLASS,
	PN_JFR_STATE_SAMPLES,
	PN_JFR_WEIGHT,
	PN_JFR_ALLOCATION_SIZE,
	PN_JFR_TLAB_SIZE,
	PN_JFR_SAMPLING_PERIOD,
	PN_JFR_SIZE,
	PN_JFR_OBJECT_SIZE,
	PN_JFR_ID,
	PN_JFR_NAME,
	PN_JFR_VALUE,
	PN_JFR_TYPE,
	PN_JFR_DESCRIPTOR,
	PN_JFR_FRAMES,
	PN_JFR_METHOD,
	PN_JFR_LINE,
	PN_JFR_STRING,
	PN_JFR_OS_NAME,
	PN_JFR_OS_ID,
	PN_JFR_JAVA_NAME,
	PN_JFR_JAVA_ID,
	PN_JFR_ARGUMENTS,
	PN_JFR_PID,
	PN_JFR_MEMBERS
};

/* How a value of a type is written. */
enum pn_jfr_kind {
	PN_JFR_KIND_CLASS,
	PN_JFR_KIND_NUMBER,
	PN_JFR_KIND_BYTE,
	PN_JFR_KIND_4,
	PN_JFR_KIND_8,
	PN_JFR_KIND_TEXT
};

struct pn_jfr_field {
	uint64_t type_id;
	uint32_t type;	/* index, PN_NONE until types are joined */
	uint8_t member; /* enum pn_jfr_member; PN_JFR_MEMBERS: none */
	bool array, pooled, nanoseconds;
};

struct pn_jfr_type {
	uint64_t id;
	uint8_t kind;	     /* enum pn_jfr_kind */
	uint8_t state;	     /* of joining */
	uint16_t event;	     /* a row of events.c + 1; 0: none */
	uint16_t pool;	     /* enum pn_jfr_pool_kind + 1; 0: none */
	bool leafless;	     /* takes no byte */
	size_t first, count; /* of its fields */
};

/* Pools that something is looked up in. */
enum pn_jfr_pool_kind {
	PN_JFR_POOL_STACKS,
	PN_JFR_POOL_METHODS,
	PN_JFR_POOL_CLASSES,
	PN_JFR_POOL_SYMBOLS,
	PN_JFR_POOL_THREADS,
	PN_JFR_POOL_STRINGS,
	PN_JFR_POOLS
};

struct pn_jfr_constant {
	uint64_t key;
	uint32_t offset; /* of its bytes in the chunk */
	uint32_t made;	 /* what it became + 1, 0: not looked at yet */
};

struct pn_jfr_pool {
	uint32_t type; /* index; PN_NONE: the chunk has none */
	struct pn_jfr_constant *items;
	size_t count, cap;
	struct pn_slots slots;
};

/* What the members of one thing are: numbers, keys, and of texts, arrays and
 * things inside where they begin in the chunk. */
struct pn_jfr_values {
	uint64_t of[PN_JFR_MEMBERS];
	uint32_t has;	      /* bits by member */
	uint32_t nanoseconds; /* bits: not ticks */
};

struct pn_jfr_chunk {
	const unsigned char *bytes;
	size_t size;
	uint64_t offset; /* of its beginning in the input */
	uint64_t start_ns, start_ticks, ticks_per_second;
	struct pn_jfr_type *types;
	size_t type_count, type_cap;
	struct pn_slots type_slots;
	struct pn_jfr_field *fields;
	size_t field_count, field_cap;
	struct pn_jfr_pool pools[PN_JFR_POOLS];
};

struct pn_jfr_method {
	uint32_t name, system_name; /* strings */
};

/* What an event is counted as, and what is added up of it. */
struct pn_jfr_row {
	const char *event;
	const char *count;	  /* value type; NULL: it is not counted */
	const char *value, *unit; /* the same; NULL: nothing is added up */
	enum pn_jfr_member member;
	bool is_time;
	enum pn_role role;
};

/* The rows, and events that say what was measured. */
enum pn_jfr_event_kind {
	PN_JFR_EXECUTION_SAMPLE = 1,
	PN_JFR_ROWS = 15,
	PN_JFR_SETTING = PN_JFR_ROWS,
	PN_JFR_MACHINE
};

/* What a stack and a set of labels cost, by row of events.c. */
struct pn_jfr_cost {
	uint32_t stack, labels;
	uint32_t event;
	int64_t count, value;
};

struct pn_jfr {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_jfr_chunk chunk;
	struct pn_jfr_method *methods;
	size_t method_count, method_cap;
	uint32_t *stack; /* locations of the stack that is read */
	size_t stack_cap;
	struct pn_strtab threads; /* keys, as bytes; ids from 1 on */
	struct pn_strtab sets;	  /* pairs of name and class, as bytes */
	struct pn_jfr_cost *costs;
	size_t cost_count, cost_cap;
	struct pn_slots cost_slots;
	struct pn_buf text;
	int64_t period_ns; /* of ExecutionSample; 0: not told */
	uint64_t seen;	   /* bits by row of events.c */
};

/* metadata.c */
/* The types of the chunk, from its metadata event. */
int pn_jfr_read_metadata(struct pn_jfr *d, size_t offset, struct pn_error *err);
/* PN_NONE: there is no such type. */
uint32_t pn_jfr_type(struct pn_jfr_chunk *chunk, uint64_t id);

/* pools.c */
/* One checkpoint: what it holds is noted, and looked at when asked for. */
int pn_jfr_read_checkpoint(struct pn_jfr *d, struct pn_jfr_bytes bytes,
			   struct pn_error *err);
/* Takes a thing of this type whole, and what is asked for of it. */
void pn_jfr_take(struct pn_jfr_values *out, struct pn_jfr_bytes *b,
		 const struct pn_jfr_chunk *chunk,
		 const struct pn_jfr_type *type);
/* What has this key; NULL: nothing. */
struct pn_jfr_constant *
pn_jfr_constant(struct pn_jfr *d, enum pn_jfr_pool_kind pool, uint64_t key);
/* Its members; all 0 where it has none, or is not there. */
void pn_jfr_constant_values(struct pn_jfr_values *out, struct pn_jfr *d,
			    enum pn_jfr_pool_kind pool, uint64_t key);

/* names.c */
/* A string of the profile: the text that begins at this offset. */
uint32_t pn_jfr_string(struct pn_jfr *d, uint64_t offset);
/* A stack of the profile; that of key 0, or of none, has no frames. */
int pn_jfr_stack(uint32_t *out, struct pn_jfr *d, uint64_t key,
		 struct pn_error *err);
/* A thread of the events, and a string: its name; PN_NONE and 0: none. */
uint32_t pn_jfr_thread(uint32_t *name, struct pn_jfr *d, uint64_t key);
/* A string: "java.util.HashMap". */
uint32_t pn_jfr_class(struct pn_jfr *d, uint64_t key);

/* events.c */
extern const struct pn_jfr_row pn_jfr_rows[PN_JFR_ROWS];
/* The row of an event's type + 1; 0: it is passed over. */
uint16_t pn_jfr_event(const char *name, size_t len);

/* costs.c */
int pn_jfr_take_event(struct pn_jfr *d, const struct pn_jfr_type *type,
		      struct pn_jfr_bytes bytes, struct pn_error *err);
/* Value types and samples of what was taken. */
int pn_jfr_build(struct pn_jfr *d, struct pn_error *err);

/* chunk.c */
int pn_jfr_read_chunk(struct pn_jfr *d, struct pn_reader *in,
		      struct pn_error *err);
void pn_jfr_release_chunk(struct pn_jfr_chunk *chunk);

#endif
