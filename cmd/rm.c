/* git perf rm: profiles out of a commit's list, or pending ones deleted. */
#include "base/file.h"
#include "command.h"
#include "context.h"
#include "jobs/profiles/remove.h"

struct options {
	const char *commit;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit whose list is meant (HEAD)"},
	{0},
};

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
