/*
 * Collectors that put a tool around the command: a program that leaves a file
 * which codec/ reads (callgrind, perf), or counters of the kernel that are
 * read afterwards. They run it in the same way: one job after the other, as
 * many runs as the plan says. Warm-up runs go without the tool. The file of
 * each run is kept, and metrics have a value of each.
 */
#ifndef PN_COLLECT_TOOL_H
#define PN_COLLECT_TOOL_H

#include "base/arena.h"
#include "base/buf.h"
#include "collect/collector.h"

/* One run that is about to be made. */
struct pn_tool_run {
	const struct pn_collect_plan *plan;
	const struct pn_collect_job *job;
	const char *file;	/* what the tool is to write; absolute */
	struct pn_arena *arena; /* lives as long as the run */
};

struct pn_tool_metric {
	const char *name, *unit;
};

struct pn_tool {
	const char *name;   /* of the collector */
	const char *format; /* of the file; NULL: the option `format`, or none
			     * and its bytes say what it is */
	const char *kind;   /* of the profile: time, memory, mixed; or NULL */
	/*
	 * The tool counts the same in every run when it gets the same: it is
	 * run once, unless the plan or the option `runs` asks for more. Its
	 * environment is the same each time (steady.h), and there are no
	 * metrics wall, user, ...
	 */
	bool counts;
	/* What the tool takes itself is a large part of what the run takes,
	 * and nobody's cost: there are no such metrics, either, and how long
	 * it lasted is for the file to say. */
	bool hides_run;
	/* The command itself writes the file, in warm-up runs, too. */
	bool is_command;
	/* Option by which the standard output is the file, or NULL. */
	const char *stdout_option;
	uint64_t runs; /* unless the plan says how many */
	/* Look at options and machine, once. NULL: nothing to look at. */
	int (*check)(const struct pn_collect_plan *plan, struct pn_error *err);

	/* Counters: what they need, once; NULL: there are none. */
	int (*open)(void **own, const struct pn_collect_plan *plan,
		    struct pn_error *err);
	void (*close)(void *own); /* takes NULL */
	size_t (*metrics)(const struct pn_tool_metric **out, void *own);
	/* Around the command alone. `values` has one of each metric; NULL
	 * when the run failed and is only to be forgotten. */
	int (*before)(void *own, struct pn_error *err);
	int (*after)(double *values, void *own, struct pn_error *err);
	/* How many doubts of its own it added. NULL: none. */
	size_t (*doubts)(struct pn_doubt *out, void *own);

	/* A program: what is run in the place of `argv`, which is the job's
	 * command as words, a shell's line included. NULL: there is none, nor
	 * a file. */
	int (*wrap)(const char *const **out, const struct pn_tool_run *run,
		    const char *const *argv, struct pn_error *err);
	/* The file that codec/ is to read, made of what the tool left. `path`
	 * is run->file at first. NULL: it is that. */
	int (*finish)(struct pn_buf *path, const struct pn_tool_run *run,
		      struct pn_error *err);
};

/* For the functions of a struct pn_collector; `tool` is kept. */
int pn_tool_open(struct pn_collection **out, const struct pn_tool *tool,
		 const struct pn_collect_plan *plan, struct pn_error *err);
int pn_tool_step(struct pn_collection *collection,
		 struct pn_collect_progress *progress, struct pn_error *err);
int pn_tool_result(struct pn_profile *out, struct pn_collection *collection,
		   size_t job, struct pn_error *err);
int pn_tool_left(struct pn_collect_file *out, struct pn_collection *collection,
		 size_t job, size_t run, struct pn_error *err);
size_t pn_tool_warnings(struct pn_doubt out[PN_DOUBT_KINDS],
			struct pn_collection *collection, size_t job);
void pn_tool_free(struct pn_collection *collection);

/* Words in front of others, as an array in the arena. Both end with NULL. */
const char *const *pn_tool_words(struct pn_arena *arena,
				 const char *const *before,
				 const char *const *words);
/* "<first><second>" in the arena. */
const char *pn_tool_join(struct pn_arena *arena, const char *first,
			 const char *second);

#endif
