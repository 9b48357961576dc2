/*
 * The collector "command": the command is a profiler, or a program that
 * profiles itself. {output} in it stands for the file to write.
 */
#include "base/alloc.h"
#include "base/escape.h"
#include "base/file.h"
#include "collect/tool.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PLACE "{output}"

static bool has_place(const struct pn_collect_job *job)
{
	size_t i;

	if (job->line)
		return strstr(job->line, PLACE);
	for (i = 0; job->argv[i]; i++)
		if (strstr(job->argv[i], PLACE))
			return true;
	return false;
}

/* There has to be one place from which the profile comes. */
static int check(const struct pn_collect_plan *plan, struct pn_error *err)
{
	bool as_output = pn_collect_option(plan, "stdout");
	bool by_name = pn_collect_option(plan, "output");
	size_t i;

	if (as_output && plan->output != PN_COLLECT_DISCARD)
		return pn_error_set(err, PN_EINVAL,
				    "option 'stdout' takes the standard output "
				    "as the profile: it cannot go elsewhere");
	for (i = 0; i < plan->job_count; i++)
		if (has_place(&plan->jobs[i]) + as_output + by_name != 1)
			return pn_error_set(
				err, PN_EINVAL,
				"where does the profile come from? need one "
				"of " PLACE " in the command, -O stdout, and "
				"-O output=<file>");
	return 0;
}

/* Where a file of a fixed name is. */
static void find_named(struct pn_buf *out, const struct pn_tool_run *run,
		       const char *name)
{
	if (*name != '/' && run->plan->dir)
		pn_buf_printf(out, "%s/", run->plan->dir);
	pn_buf_add_text(out, name);
}

/* One that an earlier run left must not be taken for this one's. */
static void forget_named(const struct pn_tool_run *run)
{
	const char *name = pn_collect_option(run->plan, "output");
	struct pn_buf path = {0};

	if (!name)
		return;
	find_named(&path, run, name);
	remove(pn_buf_text(&path));
	pn_buf_release(&path);
}

static const char *replace(struct pn_arena *arena, const char *text,
			   const char *value)
{
	struct pn_buf out = {0};
	const char *found, *kept;

	while ((found = strstr(text, PLACE))) {
		pn_buf_add(&out, text, (size_t)(found - text));
		pn_buf_add_text(&out, value);
		text = found + sizeof(PLACE) - 1;
	}
	pn_buf_add_text(&out, text);
	kept = pn_arena_copy(arena, pn_buf_text(&out), out.len);
	pn_buf_release(&out);
	return kept;
}

/* In a shell's line the path is one word. */
static int wrap(const char *const **out, const struct pn_tool_run *run,
		const char *const *argv, struct pn_error *err)
{
	static const char *const none[] = {NULL};
	const char **words;
	struct pn_buf quoted = {0};
	size_t i;

	(void)err;
	forget_named(run);
	words = (const char **)pn_tool_words(run->arena, none, argv);
	pn_escape_shell(&quoted, run->file);
	for (i = 0; words[i]; i++)
		words[i] = replace(run->arena, words[i],
				   run->job->line ? pn_buf_text(&quoted)
						  : run->file);
	pn_buf_release(&quoted);
	*out = words;
	return 0;
}

/* A profiler may want a folder for its one file. */
static int enter_folder(struct pn_buf *path, struct pn_error *err)
{
	struct dirent *entry;
	struct stat st;
	size_t len = path->len, count = 0;
	DIR *dir;

	if (stat(pn_buf_text(path), &st) || !S_ISDIR(st.st_mode))
		return 0;
	dir = opendir(pn_buf_text(path));
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && !count++)
			pn_buf_printf(path, "/%s", entry->d_name);
	if (dir)
		closedir(dir);
	if (count == 1)
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "the command left %zu files in the folder "
			    "'%.*s', need one",
			    count, (int)len, pn_buf_text(path));
}

/* A file of a fixed name is moved to ours, so that no later run takes it for
 * its own. */
static int take_named(struct pn_buf *path, const struct pn_tool_run *run,
		      const char *name, struct pn_error *err)
{
	struct pn_buf from = {0}, bytes = {0};
	int code;

	find_named(&from, run, name);
	code = pn_file_read(&bytes, pn_buf_text(&from), (uint64_t)1 << 32, err);
	if (!code)
		code = pn_file_write(pn_buf_text(path), pn_buf_text(&bytes),
				     bytes.len, false, err);
	if (!code)
		remove(pn_buf_text(&from));
	pn_buf_release(&from);
	pn_buf_release(&bytes);
	return code;
}

static int finish(struct pn_buf *path, const struct pn_tool_run *run,
		  struct pn_error *err)
{
	const char *name = pn_collect_option(run->plan, "output");

	if (name)
		return take_named(path, run, name, err);
	return enter_folder(path, err);
}

static const struct pn_option options[] = {
	{"format", "<name>",
	 "of the profile: see git perf formats (looked at)"},
	{"stdout", NULL, "the profile is the command's standard output"},
	{"output", "<file>", "the profile is this file; it is taken away"},
	{NULL},
};

static const struct pn_tool command = {
	.name = "command",
	.is_command = true,
	.stdout_option = "stdout",
	.check = check,
	.wrap = wrap,
	.finish = finish,
};

static int open_command(struct pn_collection **out,
			const struct pn_collect_plan *plan,
			struct pn_error *err)
{
	return pn_tool_open(out, &command, plan, err);
}

const struct pn_collector pn_collector_command = {
	.name = "command",
	.summary = "a command that writes a profile to {output}",
	.options = options,
	.open = open_command,
	.step = pn_tool_step,
	.result = pn_tool_result,
	.left = pn_tool_left,
	.warnings = pn_tool_warnings,
	.free = pn_tool_free,
};
