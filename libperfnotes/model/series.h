/*
 * A series: what was measured over and over. A job (its name in the job file,
 * else its command), its workload, a collector and a machine; records of one
 * series at one commit are figures of one thing. Pure.
 */
#ifndef PN_MODEL_SERIES_H
#define PN_MODEL_SERIES_H

#include "base/buf.h"
#include "model/entry.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_SERIES_TELL_MAX 1000 /* a million lines of a note may be hostile */

/* Texts are borrowed from the entry, "" where it does not say. */
struct pn_series {
	const char *job; /* name in the job file; "": the command is the job */
	/* The command line. Where none is known `cmd` is the program that the
	 * profile is of, else the profile's name. */
	const char *cmd, *args;
	const char *workload, *collector;
	const char *machine; /* its name, else its fingerprint */
};

/* What a series' name needs beside job and collector. */
struct pn_series_parts {
	bool workload, machine, args;
	bool command; /* as it was given, for the job's name or base name */
	bool bare;    /* a slash for no collector: others of its job have one */
};

struct pn_series pn_series_of(const struct pn_entry *entry);
/*
 * The series of the entries of one commit, out[i] of entries[i]. What was run
 * by hand has no job's name: where its command line, workload, collector and
 * machine are those of one named job alone, it is of that job's series.
 * Time O(n log n).
 */
void pn_series_of_all(struct pn_series *out, const struct pn_entry *entries,
		      size_t count);

/* Records of one series at one commit. */
struct pn_series_records {
	struct pn_series series;
	const struct pn_entry *const *entries; /* newest first */
	size_t count;			       /* at least one */
};

/*
 * The series of a commit whose tree is `tree`, in the order of their names.
 * Left out are records of a dirty tree, of another tree (they were copied
 * here), those that postprocessors made of one that is here, those of a noisy
 * machine where there are others, and what another clone imported, too
 * (model/twice.h). *out is in `arena`. Time O(n log n).
 */
void pn_series_group(const struct pn_series_records **out, size_t *count,
		     struct pn_arena *arena, const struct pn_entry *entries,
		     size_t entry_count, const struct pn_oid *tree);

/* Order of command, arguments, workload, collector, machine, job; 0: it is
 * one series. */
int pn_series_cmp(const struct pn_series *a, const struct pn_series *b);
/* Order of the names that people see, then the one above. */
int pn_series_name_cmp(const struct pn_series *a, const struct pn_series *b);
/* Whether they are one series where one commit names the job and the other
 * does not: all else is equal. */
bool pn_series_alike(const struct pn_series *a, const struct pn_series *b);

/* Whether they are of one job of the job file, with its workload, collector and
 * machine: they are one series where it has no other at either commit, as when
 * its command was changed. */
bool pn_series_same_job(const struct pn_series *a, const struct pn_series *b);

/* The parts that the name of `series` needs to name no other of a list, which
 * it may be in itself. Beyond PN_SERIES_TELL_MAX all: none are compared. */
struct pn_series_parts pn_series_tell(const struct pn_series *series,
				      const struct pn_series *all,
				      size_t count);

/* What the job is called: its name, else the base name of its program. Not
 * escaped. */
void pn_series_job(struct pn_buf *out, const struct pn_series *series,
		   const struct pn_series_parts *parts);
/* "fib/callgrind", "wc2 -l/time/ci-1@big.txt": what one types behind
 * "<rev>:", and pn_series_fits takes. Not escaped. NULL for `parts` is none
 * of them. */
void pn_series_text(struct pn_buf *out, const struct pn_series *series,
		    const struct pn_series_parts *parts);

/* The same behind a revision (its first `len` bytes) and a colon, in quotes
 * where a shell wants that. */
void pn_series_typed(struct pn_buf *out, const char *rev, size_t len,
		     const struct pn_series *series,
		     const struct pn_series_parts *parts);

/* Whether a metric of it counts by the nature of its tool, so that runs of one
 * program give one value: instructions. */
bool pn_series_counts(const struct pn_series *series, const char *metric);

/* Whether values are read from a clock, which tells no less than a tick: times
 * and samples. That a few are equal in all runs does not make them exact. */
bool pn_metric_is_clocked(const char *metric, const char *unit);

/* How a text names a series: where some fit better than others, the others
 * are not meant. */
enum pn_series_fit {
	PN_SERIES_OTHER,   /* it does not */
	PN_SERIES_RUN,	   /* by what a job with a name runs */
	PN_SERIES_COMMAND, /* by what a job without one is */
	PN_SERIES_JOB
};

/* Of a text that stands for the job alone, without arguments. */
enum pn_series_fit pn_series_fits_job(const struct pn_series *series,
				      const char *text);

/*
 * Whether `text` is a name of the series: <job>, /<collector>, /<machine> and
 * @<workload>, of which all but one may be left out, in this order; the
 * workload may stand before the collector, too. A slash alone is one that has
 * no collector. <job> is the job's name, or
 * the command as it was given or by its base name; its arguments may follow
 * behind a blank.
 */
enum pn_series_fit pn_series_fits(const struct pn_series *series,
				  const char *text);

#endif
