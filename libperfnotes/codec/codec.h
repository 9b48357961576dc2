/*
 * Formats: bytes <-> profile. One file per format exports one const struct
 * pn_codec; codec.c is the table.
 *
 * A decoder reads hostile bytes: it checks each count against a named limit
 * and against what is left before it allocates, ends in bounded time, and
 * fails with one line that names the place (byte, line, or JSON path) and
 * what would have been right. On failure `out` is released and zeroed.
 */
#ifndef PN_CODEC_CODEC_H
#define PN_CODEC_CODEC_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

#include <stddef.h>

#define PN_SNIFF_BYTES 4096 /* enough for every magic and first record */

/* How sure a sniffer is. A format with a magic beats one without. */
enum pn_sniff { PN_SNIFF_NO, PN_SNIFF_MAYBE, PN_SNIFF_LIKELY, PN_SNIFF_SURE };

/* What a file can begin with, behind blanks and a byte order mark, so that not
 * each sniffer is asked of each file. */
enum pn_first {
	PN_FIRST_ANY = 0,	   /* whatever it is */
	PN_FIRST_OBJECT = 1,	   /* '{' */
	PN_FIRST_ARRAY = 1 << 1,   /* '[' */
	PN_FIRST_TAG = 1 << 2,	   /* '<' */
	PN_FIRST_CONTROL = 1 << 3, /* below ' ', or DEL */
	PN_FIRST_OTHER = 1 << 4
};

/* What becomes of the number of runs (model/runs.h) in a format. */
enum pn_codec_runs {
	PN_CODEC_RUNS_GO,	 /* the values are sums over all, unsaid */
	PN_CODEC_RUNS_IN_LABELS, /* it stays as far as samples name theirs */
	PN_CODEC_RUNS_STAY
};

/* What becomes of its value types. */
enum pn_codec_types {
	PN_CODEC_TYPES_STAY,
	PN_CODEC_TYPES_FIRST, /* the default one alone keeps its unit */
	PN_CODEC_TYPES_ONE,   /* one of time is written, no other, ... */
	PN_CODEC_TYPES_BARE   /* ... the default one, even without its unit */
};

/* Which costs of a profile that has stacks and a call graph are written. */
enum pn_codec_costs {
	PN_CODEC_COSTS_STACKS,
	PN_CODEC_COSTS_GRAPH,
	PN_CODEC_COSTS_BOTH
};

/* What else of a profile stays. */
enum pn_codec_keeps {
	PN_CODEC_KEEPS_METRICS = 1, /* beside value types */
	PN_CODEC_KEEPS_CURVES = 1 << 1,
	PN_CODEC_KEEPS_TIMES = 1 << 2, /* of samples, or their order */
	PN_CODEC_KEEPS_FACTS = 1 << 3,
	PN_CODEC_KEEPS_ROLES = 1 << 4, /* else those that names tell */
	/* functions that cost nothing in the value type that is written */
	PN_CODEC_KEEPS_FREE = 1 << 5
};

struct pn_codec {
	const char *name; /* as --format and --to take it: "pprof" */
	const char
		*summary; /* a few words: "pprof profile.proto, gzip or raw" */
	const char *languages;	/* of programs it is about: "c c++ rust", or
				   "any" */
	const char *made_by;	/* which command of which tool makes it */
	const char *sniffed_by; /* how content is recognised, for `formats` */
	const char *suffix;	/* for files it writes: ".pb.gz" */
	/* The first bytes (unpacked; fewer than PN_SNIFF_BYTES only when the
	 * input is shorter). */
	enum pn_sniff (*sniff)(const unsigned char *bytes, size_t len);
	unsigned int first; /* of enum pn_first: of others `sniff` says no */
	/* Of a text that no `sniff` knew, as the first bytes were a part of one
	 * line: that line, without its end. May be NULL: no. */
	bool (*sniff_line)(const unsigned char *line, size_t len);
	/* NULL where not offered. `out` is initialised by the caller. */
	int (*read)(struct pn_profile *out, struct pn_reader *in,
		    struct pn_error *err);
	/* Appends the file's bytes, compressed where the format's own tools
	 * expect it. PN_EINVAL when the profile has what the format lacks. */
	int (*write)(struct pn_buf *out, const struct pn_profile *profile,
		     struct pn_error *err);
	enum pn_codec_runs runs; /* written and read back */
	enum pn_codec_types types;
	enum pn_codec_costs costs;
	unsigned int keeps; /* enum pn_codec_keeps, or-ed */
	/* Takes ticks as they are, because it has a place of their own for them
	 * or no lines at all; for others they become lines of samples. */
	bool takes_ticks;
	/* What the default, or only, value type is called when it is read back;
	 * NULL: what it is. */
	const char *type_name;
	/* Whether a profile is one of the format's own, which keeps all that
	 * `types` and `type_name` say of others. May be NULL: none is. */
	bool (*is_own)(const struct pn_profile *profile);
	/* How many functions of a call graph have another total when they are
	 * read back. May be NULL: none. */
	size_t (*other_totals)(const struct pn_profile *profile);
	/* Whether a unit is one of the format's. May be NULL: what `types`
	 * says. */
	bool (*has_unit)(const char *unit);
	/* How many functions that it writes are called otherwise when they are
	 * read back, and which bytes of names become others. May be NULL:
	 * none. */
	size_t (*other_names)(const struct pn_profile *profile);
	const char *replaced, *by; /* in words: "';'", "':'" */
};

/* NULL-terminated. */
extern const struct pn_codec *const pn_codecs[];

/* Append the names of those that can be read, or written, with `between`
 * between two. */
void pn_codec_names_read(struct pn_buf *out, const char *between);
void pn_codec_names_written(struct pn_buf *out, const char *between);
/* By name; NULL when there is none (PN_ENOTFOUND lists the names). */
const struct pn_codec *pn_codec_find(const char *name, struct pn_error *err);

/* The same of formats that are written; PN_EINVAL for another one. */
const struct pn_codec *pn_codec_find_writer(const char *name,
					    struct pn_error *err);

/* Whether there is one of the name: 0, or what the two return NULL with. */
int pn_codec_check_read(const char *name, struct pn_error *err);
int pn_codec_check_written(const char *name, struct pn_error *err);

/* Write a profile as a codec that writes does, with what has to become of its
 * ticks before. PN_ERANGE for one that pn_codec_read would refuse by its
 * sums. */
int pn_codec_write(struct pn_buf *out, const struct pn_codec *codec,
		   struct pn_profile *profile, struct pn_error *err);

/* Whether `word` is one of those that name the format, its languages, its
 * tool or that tool's command, whatever the case: "java", "jmh". */
bool pn_codec_is_about(const struct pn_codec *codec, const char *word);

/* The codec that recognises what the reader shows; PN_EFORMAT when none does,
 * naming the input. An empty input is an error of its own. */
int pn_codec_sniff(const struct pn_codec **out, struct pn_reader *in,
		   struct pn_error *err);

/*
 * Read a profile: with `codec`, or sniffed when it is NULL (*used, may be
 * NULL, says which it was). What is compressed with gzip or zstd is unpacked
 * first. Messages begin "cannot read '<name>': ".
 */
int pn_codec_read(struct pn_profile *out, const struct pn_codec *codec,
		  const struct pn_codec **used, struct pn_reader *in,
		  struct pn_error *err);
/* The same of bytes in memory; `name` is for messages. */
int pn_codec_read_memory(struct pn_profile *out, const struct pn_codec *codec,
			 const void *bytes, size_t len, const char *name,
			 struct pn_error *err);

#endif
