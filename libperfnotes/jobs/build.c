/* Builds. */
#include "jobs/build.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/process/process.h"
#include "collect/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum state { WAITING, GOOD, BAD };

struct line {
	const char *text;
	int64_t timeout_ns; /* the longest that a section gives it */
	enum state state;
	struct pn_error why;
};

struct pn_build {
	struct pn_build_options options;
	struct line *lines;
	size_t count, cap, at;
	const struct pn_matrix_section **sections;
	size_t section_count, section_cap;
	struct pn_buf output; /* of the first that failed */
	bool failed;
};

struct pn_build *pn_build_new(const struct pn_build_options *options)
{
	struct pn_build *build = pn_calloc(1, sizeof(*build));

	build->options = *options;
	return build;
}

void pn_build_free(struct pn_build *build)
{
	if (!build)
		return;
	free(build->lines);
	free(build->sections);
	pn_buf_release(&build->output);
	free(build);
}

static struct line *find_line(const struct pn_build *build, const char *text)
{
	size_t i;

	for (i = 0; i < build->count; i++)
		if (!strcmp(build->lines[i].text, text))
			return &build->lines[i];
	return NULL;
}

void pn_build_add(struct pn_build *build,
		  const struct pn_matrix_section *section)
{
	struct line *line;
	size_t i;

	for (i = 0; i < build->section_count; i++)
		if (build->sections[i] == section)
			return;
	build->sections = pn_grow(build->sections, &build->section_cap,
				  build->section_count + 1,
				  sizeof(const struct pn_matrix_section *));
	build->sections[build->section_count++] = section;
	for (i = 0; i < section->builds.count; i++) {
		const char *text = section->builds.values[i];

		line = find_line(build, text);
		if (!line) {
			build->lines = pn_grow(build->lines, &build->cap,
					       build->count + 1,
					       sizeof(*build->lines));
			line = &build->lines[build->count++];
			memset(line, 0, sizeof(*line));
			line->text = text;
			line->timeout_ns = section->build_timeout_ns;
		}
		if (!section->build_timeout_ns ||
		    (line->timeout_ns &&
		     line->timeout_ns < section->build_timeout_ns))
			line->timeout_ns = section->build_timeout_ns;
	}
}

/* 128 + n is a signal, as sh says it, too. One of these comes from outside, by
 * the kernel when memory is short or by a person: no fault of the commit. */
static int say_status(struct pn_error *why, const char *line, int status)
{
	static const int outside[] = {SIGHUP, SIGINT, SIGKILL, SIGTERM};
	size_t i;

	for (i = 0; i < sizeof(outside) / sizeof(*outside); i++)
		if (status == 128 + outside[i])
			return pn_error_set(why, PN_EIO,
					    "build '%s' was killed by signal "
					    "%d",
					    line, outside[i]);
	return pn_error_set(why, PN_EREFUSED,
			    "build '%s' exited with status %d", line, status);
}

/* Standard output and error go to one file; a build may write a lot, and
 * somebody who reads a pipe would run beside it. */
static int run_line(struct pn_build *build, struct line *line,
		    struct pn_error *err)
{
	const struct pn_build_options *o = &build->options;
	const char *const set[] = {"GIT_PERF_RUNNING=1",
				   o->set ? o->set : o->also,
				   o->set ? o->also : NULL, NULL};
	const char *argv[] = {"sh", "-c", line->text, NULL};
	struct pn_process_options options = {.dir = o->dir,
					     .env_set = set,
					     .env_unset = o->unset,
					     .in = -1,
					     .own_group = true,
					     .background = true,
					     .polite = o->polite,
					     .stop = o->stop,
					     .timeout_ns = line->timeout_ns};
	struct pn_process_cost cost;
	FILE *log = tmpfile();
	int status = 0, code;

	if (!log)
		return pn_error_system(err, "cannot make a temporary file");
	options.out = options.err = fileno(log);
	code = pn_process_measure(&cost, &status, argv, &options, &line->why);
	if (code == PN_ETIMEOUT)
		pn_error_context(&line->why, "build '%s'", line->text);
	if (!code && status)
		code = say_status(&line->why, line->text, status);
	if (code && !build->failed)
		pn_said_tail(&build->output, log);
	fclose(log);
	build->failed |= code != 0;
	line->state = code ? BAD : GOOD;
	if (code == PN_ESTOPPED && err)
		*err = line->why;
	return code == PN_ESTOPPED ? code : 0;
}

/* Whether some section still wants a line: none before it has failed. */
static bool is_wanted(const struct pn_build *build, const struct line *line)
{
	size_t i, k;

	for (i = 0; i < build->section_count; i++) {
		const struct pn_matrix_list *list = &build->sections[i]->builds;

		if (pn_build_failure(build, build->sections[i]))
			continue;
		for (k = 0; k < list->count; k++)
			if (!strcmp(list->values[k], line->text))
				return true;
	}
	return false;
}

const char *pn_build_next(struct pn_build *build)
{
	while (build->at < build->count &&
	       !is_wanted(build, &build->lines[build->at]))
		build->at++;
	return build->at < build->count ? build->lines[build->at].text : NULL;
}

int pn_build_run(struct pn_build *build, struct pn_error *err)
{
	return run_line(build, &build->lines[build->at++], err);
}

const struct pn_error *pn_build_failure(const struct pn_build *build,
					const struct pn_matrix_section *section)
{
	const struct line *line;
	size_t i;

	for (i = 0; i < section->builds.count; i++) {
		line = find_line(build, section->builds.values[i]);
		if (line && line->state == BAD)
			return &line->why;
	}
	return NULL;
}

const char *pn_build_output(const struct pn_build *build)
{
	return pn_buf_text(&build->output);
}
