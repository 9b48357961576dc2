/* git perf add: profiles into a commit's list, which come by name or by lines
 * of standard input. */
#include "command.h"
#include "context.h"
#include "find_profile.h"
#include "jobs/profiles/adding.h"
#include "render/log/moved.h"

/* What one run of add works with. */
struct call {
	struct context context;
	struct pn_adding adding;
	const struct pn_add_ask *ask;
};

/* Of a range the newest comes last, so that it is the newest of the list. */
static int add_named(struct call *call, const char *text, struct pn_error *err)
{
	struct pn_found_list found = {0};
	size_t i;
	int code;

	call->context.lookup.skip_stored = true;
	code = find_profile(&found, &call->context.lookup, text, err);
	for (i = found.count; !code && i > 0; i--)
		code = pn_stage_file(
			&call->adding.stage, &call->context.lookup.commit,
			found.items[i - 1].path, found.items[i - 1].name,
			found.items[i - 1].kind == PN_FOUND_PENDING, err);
	pn_found_list_release(&found);
	return code;
}

static void conclude(const struct call *call)
{
	const struct pn_stage *stage = &call->adding.stage;
	struct pn_added added = {stage->count, stage->dirty_count, NULL, NULL};
	struct pn_buf text = {0}, faults = {0};
	char hex[PN_OID_HEX + 1];

	pn_adding_tidy(&faults, &call->adding);
	warn_lines(&faults);
	pn_oid_hex(hex, &call->context.lookup.commit);
	added.id = stage->last_id;
	added.commit = call->ask->from_stdin ? NULL : hex;
	pn_added_text(&text, &added);
	say_lines(&text);
}

static int add_all(struct call *call, int argc, char **argv,
		   struct pn_error *err)
{
	int i, code = 0;

	for (i = 0; !code && i < argc; i++)
		code = add_named(call, argv[i], err);
	if (!code && call->ask->from_stdin)
		code = pn_stage_stream(&call->adding.stage, stdin, err);
	if (!code)
		code = pn_batch_commit(call->adding.stage.batch, err);
	return code;
}

/* Nothing is added unless it is named: what could be, and how. */
static int list_pending(void)
{
	struct pn_pending_list pending = {0};
	struct context context = {0};
	struct pn_error err;
	struct pn_buf lines = {0};
	int code = open_context(&context, NULL, true, &err);

	if (!code)
		code = pn_pending_list(&pending, context.repo, &err);
	if (!code)
		pn_adding_hint(&lines, &pending);
	say_lines(&lines);
	pn_pending_list_release(&pending);
	close_context(&context);
	return code ? fail(&err) : EXIT_USAGE;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct pn_add_ask ask = {.environment = true};
	struct call call = {.ask = &ask};
	struct pn_error err = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_add, &ask, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (ask.from_stdin && (argc || ask.commit))
		return usage(&cmd_add,
			     "--stdin names commits and profiles by itself");
	if (!argc && !ask.from_stdin) {
		usage(&cmd_add, "need a profile to add");
		pn_opts_release(pn_add_opts, &ask);
		return list_pending();
	}
	if (pn_adding_read(&call.adding, &ask, &err)) {
		pn_adding_release(&call.adding);
		pn_opts_release(pn_add_opts, &ask);
		return usage(&cmd_add, "%s", err.message);
	}
	code = open_context(&call.context, ask.commit, true, &err);
	if (!code)
		code = pn_adding_open(&call.adding, &ask, &call.context.lookup,
				      &err);
	if (!code)
		code = add_all(&call, argc, argv, &err);
	if (!code)
		conclude(&call);
	pn_adding_release(&call.adding);
	close_context(&call.context);
	pn_opts_release(pn_add_opts, &ask);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_add = {
	.name = "add",
	.summary = "store profiles and list them in a commit's note",
	.synopsis = "add [<options>] <profile>...\n"
		    "add [<options>] --stdin",
	.opts = pn_add_opts,
	.run = run,
};
