/*
 * Devel::NYTProf's own file, version 5: records that begin with a letter, from
 * some place on in a zlib stream. As FileHandle of
 * github.com/timbunce/devel-nytprof, 6.12, writes it.
 */
#ifndef PN_PERL_NYTPROF_H
#define PN_PERL_NYTPROF_H

#include "base/buf.h"
#include "base/deflate.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "codec/tables/named.h"

#define PN_NYTPROF_STRING_MAX (16u << 20)

/* The bytes of the file; `inner` once the zlib stream has begun. */
struct pn_nytprof_stream {
	struct pn_reader *in, *inner;
	struct pn_inflater *inflater;
	bool ended; /* the zlib stream */
};

void pn_nytprof_stream_release(struct pn_nytprof_stream *s);
/* From here on all is in a zlib stream. */
int pn_nytprof_inflate(struct pn_nytprof_stream *s, struct pn_error *err);
/* The next letter; -1 at the end. */
int pn_nytprof_tag(int *out, struct pn_nytprof_stream *s, struct pn_error *err);
/* Numbers have one to five bytes, the highest first. */
int pn_nytprof_number(uint32_t *out, struct pn_nytprof_stream *s,
		      struct pn_error *err);
/* A double as the machine has it, low byte first. */
int pn_nytprof_double(double *out, struct pn_nytprof_stream *s,
		      struct pn_error *err);
/* A string with its letter and length; in place of what `out` has. */
int pn_nytprof_string(struct pn_buf *out, struct pn_nytprof_stream *s,
		      struct pn_error *err);
/* The rest of a line. */
int pn_nytprof_line(struct pn_buf *out, struct pn_nytprof_stream *s,
		    struct pn_error *err);
/* "byte 17 (unpacked): <text>" with PN_EINVAL. */
int pn_nytprof_fail(const struct pn_nytprof_stream *s, struct pn_error *err,
		    const char *text);

struct pn_nytprof_sub {
	uint32_t name; /* string */
	uint32_t file, first_line, last_line;
};

struct pn_nytprof_lines {
	struct pn_strtab keys; /* file and line, as bytes; ids from 1 on */
	int64_t *ticks;	       /* by id */
	size_t cap;
};

/* What is known at the end: whose lines are whose. */
struct pn_nytprof_subs {
	struct pn_named named;
	uint32_t *file_names; /* strings by number of file */
	size_t file_count;
	struct pn_nytprof_sub *items;
	size_t count, cap;
	struct pn_nytprof_lines lines;
};

void pn_nytprof_subs_release(struct pn_nytprof_subs *subs);
void pn_nytprof_add_line(struct pn_nytprof_subs *subs, uint32_t file,
			 uint32_t line, int64_t ticks);
/* Files of functions, and the costs of lines in nodes, in column 0. */
int pn_nytprof_build(struct pn_nytprof_subs *subs, double ns_of_tick,
		     struct pn_error *err);

#endif
