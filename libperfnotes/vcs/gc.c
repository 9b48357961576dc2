/*
 * Who holds "gc.pid", which builtin/gc.c of git fills with "<pid> <host>" and
 * removes at its end, and what it was told.
 */
#include "vcs/gc.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/number.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#define WAIT_NS (120 * (int64_t)1000000000)
#define STEP_NS 5000000
#define PID_FILE_MAX 512
#define COMMAND_MAX (64 << 10)

/* The process that runs a gc here, 0 when none does. */
static pid_t runner(struct pn_repo *repo)
{
	struct pn_buf path = {0}, text = {0};
	struct utsname host;
	uint64_t pid = 0;
	const char *blank;

	pn_buf_printf(&path, "%s/gc.pid", pn_repo_common_dir(repo));
	if (!pn_file_read(&text, pn_buf_text(&path), PID_FILE_MAX, NULL)) {
		blank = strchr(pn_buf_text(&text), ' ');
		if (!blank || uname(&host) ||
		    strncmp(blank + 1, host.nodename, strlen(host.nodename)) !=
			    0 ||
		    !pn_number_uint(&pid, pn_buf_text(&text),
				    (size_t)(blank - pn_buf_text(&text))) ||
		    pid > INT32_MAX || (kill((pid_t)pid, 0) && errno != EPERM))
			pid = 0;
	}
	pn_buf_release(&path);
	pn_buf_release(&text);
	return (pid_t)pid;
}

/* What cannot be seen is not: then it prunes as it does by default. */
static bool is_told(pid_t pid)
{
	static const char option[] = "--prune=";
	struct pn_buf path = {0}, words = {0};
	const char *at, *end;
	bool told = false;

	pn_buf_printf(&path, "/proc/%ld/cmdline", (long)pid);
	if (!pn_file_read(&words, pn_buf_text(&path), COMMAND_MAX, NULL)) {
		at = pn_buf_text(&words);
		for (end = at + words.len; !told && at < end;
		     at += strlen(at) + 1)
			told = !strncmp(at, option, sizeof(option) - 1);
	}
	pn_buf_release(&path);
	pn_buf_release(&words);
	return told;
}

static bool is_configured(struct pn_repo *repo)
{
	char *value = NULL;
	bool is = !pn_repo_config(&value, repo, "gc.pruneExpire", NULL) &&
		  value && strcmp(value, "never") != 0;

	free(value);
	return is;
}

void pn_gc_wait(struct pn_repo *repo)
{
	static const struct timespec step = {0, STEP_NS};
	int64_t until_ns = pn_time_monotonic_ns() + WAIT_NS;
	pid_t pid = runner(repo);

	if (!pid || (!is_told(pid) && !is_configured(repo)))
		return;
	while (runner(repo) == pid && pn_time_monotonic_ns() < until_ns)
		nanosleep(&step, NULL);
}
