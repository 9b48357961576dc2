/* git perf rm: profiles out of a commit's list, or pending ones deleted. */
#include "base/alloc.h"
#include "base/file.h"
#include "command.h"
#include "context.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const char *commit;
};

static const struct opt opts[] = {
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit whose list is meant (HEAD)"},
	{0},
};

/* A name may be given twice, and ranges overlap. */
static bool seen(const struct pn_found_list *found, size_t i)
{
	const struct pn_found *a = &found->items[i];
	size_t k;

	for (k = 0; k < i; k++) {
		const struct pn_found *b = &found->items[k];

		if (!a->entry == !b->entry &&
		    !strcmp(a->entry ? a->entry->id : a->path,
			    b->entry ? b->entry->id : b->path))
			return true;
	}
	return false;
}

static int check_kinds(const struct pn_found_list *found, struct pn_error *err)
{
	const struct pn_oid *commit = NULL;
	size_t i;

	for (i = 0; i < found->count; i++) {
		const struct pn_found *f = &found->items[i];

		if (f->kind == PN_FOUND_FILE)
			return pn_error_set(err, PN_EREFUSED,
					    "'%s' is a file of yours, neither "
					    "stored nor pending: use rm",
					    f->path);
		if (f->kind == PN_FOUND_SERIES && f->records->count > 1)
			return pn_error_set(err, PN_EREFUSED,
					    "'%s' is %zu profiles: remove "
					    "them by their ids, %s is one",
					    f->name, f->records->count,
					    f->entry->id);
		if (!f->entry)
			continue;
		if (!commit)
			commit = &f->commit;
		if (!pn_oid_equal(&f->commit, commit))
			return pn_error_set(err, PN_EREFUSED,
					    "profiles of two commits: remove "
					    "them one commit at a time");
	}
	return 0;
}

/* The list first: it is one step, done or not done. */
static int remove_all(const struct context *context,
		      const struct pn_found_list *found, size_t *stored,
		      size_t *pending, struct pn_error *err)
{
	const char **ids = pn_calloc(found->count, sizeof(*ids));
	const struct pn_oid *commit = NULL;
	size_t i;
	int code = 0;

	*stored = *pending = 0;
	for (i = 0; i < found->count; i++)
		if (found->items[i].entry && !seen(found, i)) {
			ids[(*stored)++] = found->items[i].entry->id;
			commit = &found->items[i].commit;
		}
	if (commit)
		code = pn_store_remove(context->repo, commit, ids, *stored,
				       err);
	for (i = 0; !code && i < found->count; i++) {
		if (found->items[i].kind != PN_FOUND_PENDING || seen(found, i))
			continue;
		if (unlink(found->items[i].path))
			code = pn_error_system(err, "cannot remove '%s'",
					       found->items[i].path);
		else
			(*pending)++;
	}
	free(ids);
	return code;
}

static const struct pn_found *first_of(const struct pn_found_list *found,
				       bool stored)
{
	size_t i = 0;

	while (!found->items[i].entry == stored)
		i++;
	return &found->items[i];
}

/* One is named: its tag may have done. */
static void report(const struct pn_found_list *found, size_t stored,
		   size_t pending)
{
	const struct pn_found *f;
	char hex[PN_OID_HEX + 1];

	if (stored) {
		f = first_of(found, true);
		pn_oid_hex(hex, &f->commit);
		if (stored == 1)
			say("removed %s from %.10s", f->entry->id, hex);
		else
			say("removed %zu profiles from %.10s", stored, hex);
	}
	if (pending == 1)
		say("deleted pending %s",
		    pn_file_basename(first_of(found, false)->path));
	else if (pending)
		say("deleted %zu pending profiles", pending);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct context context = {0};
	struct pn_found_list found = {0};
	struct pn_error err = {0};
	size_t stored, pending;
	int i, code;

	(void)global;
	argc = opts_parse(&cmd_rm, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (!argc)
		return usage(&cmd_rm, "need a profile to remove");
	code = open_context(&context, o.commit, true, &err);
	context.lookup.whole_names = true;
	for (i = 0; !code && i < argc; i++)
		code = pn_lookup_find(&found, &context.lookup, argv[i], &err);
	if (!code)
		code = check_kinds(&found, &err);
	if (!code)
		code = remove_all(&context, &found, &stored, &pending, &err);
	if (!code)
		report(&found, stored, pending);
	pn_found_list_release(&found);
	close_context(&context);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_rm = {
	.name = "rm",
	.summary = "take profiles out of a commit's list, or delete pending "
		   "ones",
	.synopsis = "rm [-m <rev>] <profile>...",
	.opts = opts,
	.run = run,
};
