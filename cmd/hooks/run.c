/* What git's hooks call: githooks(5) says when, and what git hands over. */
#include "run.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/reader/reader.h"
#include "command.h"
#include "jobs/background.h"
#include "jobs/queue.h"
#include "run/work.h"
#include "vcs/gitdir.h"
#include "vcs/progress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAIRS_MAX (4u << 20) /* bytes that a rebase may tell */

enum mode { MODE_BACKGROUND, MODE_FOREGROUND, MODE_QUEUE, MODE_OWN };

/* Some CI systems set it to what means no. */
static bool is_on(const char *name)
{
	const char *value = getenv(name);

	return value && *value && strcmp(value, "0") != 0 &&
	       strcmp(value, "false") != 0;
}

static enum mode read_mode(const struct pn_gitdir *dir)
{
	static const char *const names[] = {"background", "foreground", "queue",
					    "own"};
	const size_t count = sizeof(names) / sizeof(*names);
	const char *given = getenv("GIT_PERF_HOOK_MODE");
	enum mode mode = MODE_BACKGROUND;
	char *configured = NULL;
	size_t i;

	if (!given)
		pn_gitdir_config(&configured, dir, "perf.hookMode", NULL);
	if (!given)
		given = configured;
	for (i = 0; given && i < count; i++)
		if (!strcmp(given, names[i]))
			break;
	if (given && i < count)
		mode = (enum mode)i;
	else if (given)
		warn("bad perf.hookMode '%s', need background, foreground, "
		     "queue or own",
		     given);
	free(configured);
	return mode;
}

struct items {
	struct pn_queue_item *list;
	size_t count, cap;
};

static struct pn_queue_item *add_item(struct items *items,
				      enum pn_queue_kind kind)
{
	struct pn_queue_item *item;

	items->list = pn_grow(items->list, &items->cap, items->count + 1,
			      sizeof(*items->list));
	item = &items->list[items->count++];
	memset(item, 0, sizeof(*item));
	item->kind = kind;
	item->time_ns = pn_time_now_ns();
	return item;
}

/* "<old id> <new id>[ <more>]" lines, as githooks(5) draws them. */
static void take_pairs(struct items *items, const char *text)
{
	struct pn_oid old, now;
	const char *line, *end;

	for (line = text; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (end - line < 2 * PN_OID_HEX + 1 ||
		    line[PN_OID_HEX] != ' ' || pn_oid_parse(&old, line) ||
		    pn_oid_parse(&now, line + PN_OID_HEX + 1))
			continue;
		add_item(items, PN_QUEUE_REWRITE)->commit = now;
		items->list[items->count - 1].old = old;
	}
}

static void read_pairs(struct items *items)
{
	struct pn_reader *in = NULL;
	struct pn_buf text = {0};

	if (!isatty(STDIN_FILENO) && !pn_reader_open(&in, "-", 0, NULL) &&
	    !pn_reader_rest(&text, in, PAIRS_MAX, NULL))
		take_pairs(items, pn_buf_text(&text));
	pn_reader_free(in);
	pn_buf_release(&text);
}

/* Whether the commit may be, or be built on, what somebody else made and a pull
 * brings. `how` is git's first argument or "". */
static bool is_brought(const struct pn_gitdir *dir, const char *hook,
		       const char *how)
{
	bool in[PN_PROGRESS_KINDS];

	if (!strcmp(hook, "post-merge"))
		return true;
	if (!strcmp(hook, "post-rewrite"))
		return strcmp(how, "amend") != 0;
	pn_progress_read(in, dir->git_dir);
	return in[PN_PROGRESS_REBASE] || in[PN_PROGRESS_AM] ||
	       pn_gitdir_is_merge(dir);
}

/* In the middle of a rebase all is queued, too: the worker waits. */
static int queue_it(size_t *count, const struct pn_gitdir *dir, bool rewritten,
		    bool measure, struct pn_error *err)
{
	struct items items = {0};
	struct pn_queue_item *item;
	int code = 0;

	if (rewritten)
		read_pairs(&items);
	if (measure && !dir->unborn) {
		item = add_item(&items, PN_QUEUE_COMMIT);
		item->commit = dir->commit;
		item->branch = dir->branch;
		item->worktree = dir->worktree;
	}
	if (items.count)
		code = pn_queue_append(dir->common_dir, items.list, items.count,
				       err);
	*count = items.count;
	free(items.list);
	return code;
}

static int run(const char *hook, const char *how, struct pn_error *err)
{
	struct pn_gitdir dir = {0};
	bool measure = true;
	size_t count = 0;
	enum mode mode;
	int code;

	code = pn_gitdir_find(&dir, err);
	if (code)
		return code;
	mode = read_mode(&dir);
	if (mode == MODE_OWN)
		measure = !is_brought(&dir, hook, how);
	code = queue_it(&count, &dir, !strcmp(hook, "post-rewrite"), measure,
			err);
	if (code || !count)
		mode = MODE_QUEUE;
	if (mode == MODE_FOREGROUND && !work_once(dir.common_dir))
		mode = MODE_QUEUE;
	if (mode != MODE_QUEUE && !pn_queue_has_worker(dir.common_dir))
		code = pn_background_start(dir.common_dir, err);
	pn_gitdir_release(&dir);
	return code;
}

int run_hook(int argc, char **argv)
{
	static const char *const known[] = {"post-commit", "post-merge",
					    "post-rewrite", NULL};
	struct pn_error err = {0};
	size_t i = 0;

	while (argc && known[i] && strcmp(known[i], argv[0]))
		i++;
	if (!argc || !known[i]) {
		warn("'%s' is no hook of git perf, need post-commit, "
		     "post-merge or post-rewrite",
		     argc ? argv[0] : "");
		return EXIT_DONE;
	}
	if (is_on("GIT_PERF_RUNNING") || is_on("CI"))
		return EXIT_DONE;
	/* "post-merge 1": a squash, which makes no commit */
	if (!strcmp(argv[0], "post-merge") && argc > 1 && !strcmp(argv[1], "1"))
		return EXIT_DONE;
	if (run(argv[0], argc > 1 ? argv[1] : "", &err))
		warn("git perf did not queue this commit: %s", err.message);
	return EXIT_DONE;
}
