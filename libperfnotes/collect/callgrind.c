/*
 * The collectors "callgrind" and "cachegrind": valgrind runs the command on a
 * processor of its own and counts its instructions, by function and line.
 * Counts are the same in every run where the command itself is.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "collect/tool.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 12
#define SUMMARY_BYTES ((uint64_t)1 << 30) /* of one process's file */

static bool is_set(const struct pn_collect_plan *plan, const char *key)
{
	return pn_collect_option(plan, key) != NULL;
}

/* A shell's line is run by its children. */
static bool follows(const struct pn_tool_run *run)
{
	return is_set(run->plan, "children") || run->job->line;
}

static int wrap(const char *const **out, const struct pn_tool_run *run,
		const char *const *argv, const char *tool, const char *out_file,
		bool instr)
{
	const char *toggle = pn_collect_option(run->plan, "toggle");
	const char *words[MAX_OPTIONS];
	size_t n = 0;

	words[n++] = "valgrind";
	words[n++] = pn_tool_join(run->arena, "--tool=", tool);
	/* not what VALGRIND_OPTS and a .valgrindrc in the folder say: figures
	 * of two commits or machines would mean something else, and an option
	 * of a tracked file can write any file */
	words[n++] = "--command-line-only=yes";
	words[n++] = "--log-file=/dev/null";
	words[n++] = is_set(run->plan, "cache") ? "--cache-sim=yes"
						: "--cache-sim=no";
	words[n++] = is_set(run->plan, "branches") ? "--branch-sim=yes"
						   : "--branch-sim=no";
	if (instr && is_set(run->plan, "instructions"))
		words[n++] = "--dump-instr=yes";
	if (instr && toggle)
		words[n++] =
			pn_tool_join(run->arena, "--toggle-collect=", toggle);
	if (follows(run))
		words[n++] = "--trace-children=yes";
	words[n++] = pn_tool_join(
		run->arena, out_file,
		pn_tool_join(run->arena, run->file, follows(run) ? ".%p" : ""));
	words[n] = NULL;
	*out = pn_tool_words(run->arena, words, argv);
	return 0;
}

static int wrap_callgrind(const char *const **out,
			  const struct pn_tool_run *run,
			  const char *const *argv, struct pn_error *err)
{
	(void)err;
	return wrap(out, run, argv, "callgrind", "--callgrind-out-file=", true);
}

static int wrap_cachegrind(const char *const **out,
			   const struct pn_tool_run *run,
			   const char *const *argv, struct pn_error *err)
{
	(void)err;
	return wrap(out, run, argv, "cachegrind",
		    "--cachegrind-out-file=", false);
}

/* The first number behind "summary:" or "totals:", 0 without. */
static uint64_t instructions_of(const char *path)
{
	static const char *const keys[] = {"\nsummary: ", "\ntotals: "};
	struct pn_buf text = {0};
	const char *at = NULL;
	uint64_t count = 0;
	size_t i;

	if (!pn_file_read(&text, path, SUMMARY_BYTES, NULL))
		for (i = 0; i < 2 && !at; i++) {
			at = strstr(pn_buf_text(&text), keys[i]);
			at = at ? at + strlen(keys[i]) : NULL;
		}
	if (at)
		pn_number_uint(&count, at, strspn(at, "0123456789"));
	pn_buf_release(&text);
	return count;
}

/* Of the files that processes left, that of the one that did most. */
static int choose(struct pn_buf *path, const struct pn_tool_run *run,
		  struct pn_error *err)
{
	const char *name = pn_file_basename(run->file);
	struct pn_buf file = {0};
	uint64_t most = 0, count;
	struct dirent *entry;
	DIR *dir;

	if (!follows(run))
		return 0;
	dir = opendir(run->plan->folder);
	if (!dir)
		return pn_error_system(err, "cannot read the folder '%s'",
				       run->plan->folder);
	while ((entry = readdir(dir))) {
		if (strncmp(entry->d_name, name, strlen(name)) != 0 ||
		    entry->d_name[strlen(name)] != '.')
			continue;
		pn_buf_clear(&file);
		pn_buf_printf(&file, "%s/%s", run->plan->folder, entry->d_name);
		count = instructions_of(pn_buf_text(&file));
		if (count <= most)
			continue;
		most = count;
		pn_buf_clear(path);
		pn_buf_add_text(path, pn_buf_text(&file));
	}
	closedir(dir);
	pn_buf_release(&file);
	return 0;
}

static const struct pn_option callgrind_options[] = {
	{"cache", NULL, "simulate caches, too"},
	{"branches", NULL, "simulate branch prediction, too"},
	{"instructions", NULL, "costs by instruction, not only by line"},
	{"toggle", "<function>", "count inside of this function only"},
	{"children", NULL, "follow children, keep the process that did most"},
	{"env", "<name>,...", "variables that the command needs, too"},
	{"runs", "<n>", "count so often, though counts are alike (1)"},
	{NULL},
};

static const struct pn_option cachegrind_options[] = {
	{"cache", NULL, "simulate caches, too"},
	{"branches", NULL, "simulate branch prediction, too"},
	{"children", NULL, "follow children, keep the process that did most"},
	{"env", "<name>,...", "variables that the command needs, too"},
	{"runs", "<n>", "count so often, though counts are alike (1)"},
	{NULL},
};

static const struct pn_tool callgrind = {
	.name = "callgrind",
	.format = "callgrind",
	.counts = true,
	.wrap = wrap_callgrind,
	.finish = choose,
};

static const struct pn_tool cachegrind = {
	.name = "cachegrind",
	.format = "cachegrind",
	.counts = true,
	.wrap = wrap_cachegrind,
	.finish = choose,
};

static int open_callgrind(struct pn_collection **out,
			  const struct pn_collect_plan *plan,
			  struct pn_error *err)
{
	return pn_tool_open(out, &callgrind, plan, err);
}

static int open_cachegrind(struct pn_collection **out,
			   const struct pn_collect_plan *plan,
			   struct pn_error *err)
{
	return pn_tool_open(out, &cachegrind, plan, err);
}

const struct pn_collector pn_collector_callgrind = {
	.name = "callgrind",
	.summary = "instructions by function, line and call (valgrind)",
	.options = callgrind_options,
	.chooses_environment = true,
	.open = open_callgrind,
	.step = pn_tool_step,
	.result = pn_tool_result,
	.left = pn_tool_left,
	.warnings = pn_tool_warnings,
	.free = pn_tool_free,
};

const struct pn_collector pn_collector_cachegrind = {
	.name = "cachegrind",
	.summary = "instructions by function and line (valgrind)",
	.options = cachegrind_options,
	.chooses_environment = true,
	.open = open_cachegrind,
	.step = pn_tool_step,
	.result = pn_tool_result,
	.left = pn_tool_left,
	.warnings = pn_tool_warnings,
	.free = pn_tool_free,
};
