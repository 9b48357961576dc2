/* What hooks put into the queue. */
#include "jobs/hooks/queue.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/reader/reader.h"
#include "jobs/queue/queue.h"
#include "vcs/progress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAIRS_MAX (4u << 20) /* bytes that a rebase may tell */

int pn_hook_mode_read(enum pn_hook_mode *out, const struct pn_gitdir *dir,
		      struct pn_error *err)
{
	static const char *const names[] = {"background", "foreground", "queue",
					    "own"};
	const size_t count = sizeof(names) / sizeof(*names);
	const char *given = getenv("GIT_PERF_HOOK_MODE");
	char *configured = NULL;
	size_t i;
	int code = 0;

	*out = PN_HOOK_BACKGROUND;
	if (!given)
		pn_gitdir_config(&configured, dir, "perf.hookMode", NULL);
	if (!given)
		given = configured;
	for (i = 0; given && i < count; i++)
		if (!strcmp(given, names[i]))
			break;
	if (given && i < count)
		*out = (enum pn_hook_mode)i;
	else if (given)
		code = pn_error_set(err, PN_EINVAL,
				    "bad perf.hookMode '%s', need background, "
				    "foreground, queue or own",
				    given);
	free(configured);
	return code;
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

int pn_hook_queue(size_t *count, const struct pn_gitdir *dir, const char *hook,
		  const char *how, enum pn_hook_mode mode, struct pn_error *err)
{
	bool measure = mode != PN_HOOK_OWN || !is_brought(dir, hook, how);
	struct items items = {0};
	struct pn_queue_item *item;
	int code = 0;

	if (!strcmp(hook, "post-rewrite"))
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
