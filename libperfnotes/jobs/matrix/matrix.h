/*
 * What a project measures: the file `.gitperf`, in the syntax of git-config(1),
 * without includes. gitperf(5) describes it for people.
 *
 * Reading goes in three steps. pn_matrix_read takes the bytes, which is what
 * trust.h pins; pn_matrix_parse says what they mean and starts nothing;
 * pn_matrix_expand makes the jobs: commands x args x workloads x collectors of
 * each section, and there workloads are generated.
 */
#ifndef PN_MATRIX_MATRIX_H
#define PN_MATRIX_MATRIX_H

#include "analysis/post/postprocess.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "collect/collector.h"
#include "vcs/repo.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_MATRIX_FILE ".gitperf"    /* at the top of the working tree */
#define PN_MATRIX_MAX_BYTES 65536    /* of it: a person wrote it */
#define PN_MATRIX_MAX_SECTIONS 256   /* of one kind */
#define PN_MATRIX_MAX_VALUES 256     /* of one key of one section */
#define PN_MATRIX_MAX_GENERATED 1000 /* workloads of one generator */
#define PN_MATRIX_MAX_JOBS 10000
#define PN_MATRIX_MAX_NAME 100 /* bytes of a section's name */
#define PN_MATRIX_ID_HEX 12    /* digits of a job's id */

struct pn_matrix_list {
	const char **values;
	size_t count;
};

/* Postprocessors in the order in which they are applied, and their texts. */
struct pn_matrix_posts {
	struct pn_matrix_list texts;
	const struct pn_post *items; /* texts.count */
};

/* [job "<name>"]. Texts are NULL, lists empty, numbers 0 where not given. */
struct pn_matrix_section {
	const char *name;
	struct pn_matrix_list builds; /* shell lines, one after the other */
	struct pn_matrix_list cmds, args, workloads, collectors;
	struct pn_matrix_list options;	/* key=value of a collector */
	struct pn_matrix_posts posts;	/* applied to each profile */
	struct pn_matrix_list machines; /* where it is measured; empty: all */
	const char *setup, *prepare, *conclude, *cleanup; /* shell lines */
	const char *input; /* file for standard input */
	int64_t timeout_ns, build_timeout_ns;
	int64_t min_time_ns, max_time_ns; /* -1: not given */
	uint64_t runs, warmup, min_runs, max_runs;
	double precision; /* NaN: not given */
	bool shell, ignore_status;
};

enum pn_matrix_type {
	PN_MATRIX_NO_TYPE,
	PN_MATRIX_INTEGER,
	PN_MATRIX_STRING,
	PN_MATRIX_TEXT,
	PN_MATRIX_FILES,
	PN_MATRIX_COMMAND
};

struct pn_workload {
	const char *text;  /* "<generator>/<value>" */
	const char *value; /* what the command gets */
	const struct pn_collect_pair *labels;
	size_t label_count;
};

/* [workload "<name>"]: one workload after the other. */
struct pn_matrix_generator {
	const char *name;
	enum pn_matrix_type type;
	bool has_min, has_max;
	int64_t min, max, step; /* integers; lengths; lines */
	uint64_t seed;
	const char *path;    /* PN_MATRIX_FILES: the folder */
	const char *pattern; /* of names in it; NULL: all but hidden ones */
	const char *command; /* shell line that fills $GIT_PERF_OUTPUT */
	const char *keys;    /* "{width}x{height}.txt": labels in names */
	const struct pn_workload *workloads; /* once they are generated */
	size_t workload_count;
};

/* One measurement. */
struct pn_matrix_job {
	const struct pn_matrix_section *section;
	const struct pn_collector *with;
	struct pn_collect_job job;
	const char *input; /* the workload as the command gets it, or NULL */
	const struct pn_collect_pair *options; /* of the collector */
	size_t option_count;
	/* Of section, command, arguments, workload and collector: the same
	 * on every machine and for every commit. */
	uint64_t key;
	char id[PN_MATRIX_ID_HEX + 1]; /* its first digits */
};

struct pn_matrix {
	struct pn_arena arena;
	const char *path; /* of the file, for messages */
	/* SHA-256 of the file's bytes; pn_matrix_parse_list has none. */
	char hash[PN_HASH_SHA256_HEX + 1];
	struct pn_matrix_section *sections;
	size_t section_count;
	struct pn_matrix_generator *generators;
	size_t generator_count;
	struct pn_matrix_job *jobs; /* after pn_matrix_expand */
	size_t job_count, job_cap;
	char *folder; /* generated files, removed by release */
	int owner;    /* of the folder */
};

/*
 * The bytes of a job file. PN_ENOTFOUND when there is none, PN_EREFUSED when
 * it is no regular file (symbolic links are not followed unless `named`, which
 * says that a person gave the path), PN_ELIMIT.
 */
int pn_matrix_read(struct pn_buf *out, const char *path, bool named,
		   struct pn_error *err);

/*
 * What the bytes say. Unknown sections are passed over, since others may use
 * the file; an unknown key of a section of ours is an error, as is every value
 * that cannot be right. Messages name file, line, section and key. `out` is
 * zeroed by the caller.
 */
int pn_matrix_parse(struct pn_matrix *out, struct pn_repo *repo,
		    const char *path, const struct pn_buf *bytes,
		    struct pn_error *err);
/* The same of what `git config -lz` prints, where there are no lines. */
int pn_matrix_parse_list(struct pn_matrix *out, const char *path,
			 const char *list, size_t len, struct pn_error *err);

/*
 * Make the jobs. `dir` is the folder that paths of generators are relative to.
 * With `run`, generators of type command are run there; without, each of them
 * gives one job whose workload is "<name>/...": no process is started and no
 * file is written. The `stop` of run.h ends them.
 */
int pn_matrix_expand(struct pn_matrix *matrix, const char *dir, bool run,
		     const volatile sig_atomic_t *stop, struct pn_error *err);

void pn_matrix_release(struct pn_matrix *matrix);

/* "[job "<name>"]: what it runs", line by line: what a person consents to.
 * Texts are as git reads them, not escaped; the further lines of one begin
 * with two tabs and a bar, those of a key with one tab. */
void pn_matrix_commands(struct pn_buf *out, const struct pn_matrix *matrix);

/*
 * What a command of a section is likely not to do as it is meant: a shell's
 * operator that is a plain word to it, because git's config syntax takes the
 * quotes of "..." away. True with a line that says how it would be right.
 */
bool pn_matrix_doubt(struct pn_buf *out,
		     const struct pn_matrix_section *section);

/* Inside of jobs/: where a generator works, and its workloads, once. */
struct pn_workload_place {
	const char *dir;
	bool run;
	const volatile sig_atomic_t *stop;
};

int pn_workload_generate(struct pn_matrix *matrix,
			 struct pn_matrix_generator *generator,
			 const struct pn_workload_place *place,
			 struct pn_error *err);

#endif
