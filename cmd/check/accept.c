/* git perf accept: a change is known and wanted, or is no longer. */
#include "jobs/judge/accept.h"
#include "command.h"
#include "context.h"

struct options {
	const char *reason, *job, *metric;
	bool revoke;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(reason), 'm', "message", "<reason>", "why it is wanted"},
	{OPT_TEXT(job), 0, "job", "<name>",
	 "only of series of this job, <job>[/<collector>][@<workload>]"},
	{OPT_TEXT(metric), 0, "metric", "<name>", "only of this metric"},
	{OPT_FLAG(revoke), 0, "revoke", NULL, "take back what was accepted"},
	{0},
};

static int accept_named(struct pn_accept_request *request, bool revoke,
			struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], id[PN_ENTRY_ID_HEX + 1];
	struct pn_oid commit;
	size_t count = 0;
	int code = revoke ? pn_accept_revoke(&commit, &count, request, err)
			  : pn_accept_store(&commit, id, request, err);

	if (code)
		return code;
	pn_oid_hex(hex, &commit);
	if (revoke)
		say("revoked %zu at %.10s", count, hex);
	else
		say("accepted %s at %.10s", id, hex);
	return EXIT_DONE;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct pn_accept_request request = {.reason = NULL};
	struct context context = {0};
	struct options o = {0};
	struct pn_error err;
	int code;

	(void)global;
	argc = opts_parse(&cmd_accept, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1)
		return usage(&cmd_accept, "need one commit or range");
	if (o.revoke && o.reason)
		return usage(&cmd_accept, "--revoke takes no reason");
	if (!o.revoke && (!o.reason || !*o.reason))
		return usage(&cmd_accept, "need a reason: -m <reason>");
	code = open_context(&context, NULL, true, &err);
	request = (struct pn_accept_request){context.repo, context.notes,
					     argv[0],	   o.reason,
					     o.job,	   o.metric};
	if (!code)
		code = accept_named(&request, o.revoke, &err);
	close_context(&context);
	return code < 0 ? fail(&err) : code;
}

const struct command cmd_accept = {
	.name = "accept",
	.summary = "record that a change is known and wanted",
	.synopsis = "accept -m <reason> [<options>] (<rev> | <range>)\n"
		    "accept --revoke [<options>] (<rev> | <range>)",
	.opts = opts,
	.run = run,
};
