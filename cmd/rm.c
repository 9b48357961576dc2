/* git perf rm: profiles out of a commit's list, or pending ones deleted. */
#include "command.h"
#include "context.h"
#include "jobs/profiles/remove.h"
#include "render/log/moved.h"

struct options {
	const char *commit;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit whose list is meant (HEAD)"},
	{0},
};

/* One is named: its tag may have done. */
static void report(const struct pn_found_list *found, size_t stored,
		   size_t pending)
{
	struct pn_removed removed = {.stored = stored, .pending = pending};
	char hex[PN_OID_HEX + 1] = "";
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < found->count; i++) {
		const struct pn_found *f = &found->items[i];

		if (!f->entry) {
			removed.path = f->path;
			continue;
		}
		pn_oid_hex(hex, &f->commit);
		removed.id = f->entry->id;
	}
	removed.commit = hex;
	pn_removed_text(&text, &removed);
	say_lines(&text);
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
		code = pn_remove_found(&stored, &pending, context.repo, &found,
				       &err);
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
