/* git push --porcelain of pn_transport_push. */
#include "near.h"

#include <stdlib.h>
#include <string.h>

#define PUSHED_MAX 64

struct plan {
	struct move moves[PUSHED_MAX];
	const char *words[PUSHED_MAX]; /* the refspecs */
	const char *why[PUSHED_MAX];   /* refused, NULL: not */
	bool same[PUSHED_MAX];
	size_t count, refused;
	bool atomic;
	git_repository *here, *there;
};

static bool is_set(git_repository *repo, const char *name)
{
	git_config *config = NULL;
	int value = 0;

	if (!git_repository_config_snapshot(&config, repo))
		git_config_get_bool(&value, config, name);
	git_config_free(config);
	return value;
}

static int read_words(struct plan *plan, const char *const *argv)
{
	static const char lease[] = "--force-with-lease=";
	static const char *const known[] = {"git",
					    "-c",
					    "remote.origin.mirror=",
					    "push",
					    "--porcelain",
					    "--no-verify",
					    "--no-follow-tags",
					    "--recurse-submodules=no",
					    "--no-progress",
					    "--atomic",
					    lease,
					    NULL};
	const char *leases[PUSHED_MAX], *colon;
	size_t i, lease_count = 0, len;

	if (!near_knows(argv, known))
		return -1;
	for (; strcmp(*argv, "--") != 0; argv++) {
		if (lease_count == PUSHED_MAX)
			return -1;
		if (!strcmp(*argv, "--atomic"))
			plan->atomic = true;
		if (!strncmp(*argv, lease, strlen(lease)))
			leases[lease_count++] = *argv + strlen(lease);
	}
	if (!argv[1] || strcmp(argv[1], "origin") != 0)
		return -1;
	for (argv += 2; *argv; argv++) {
		struct move *move = &plan->moves[plan->count];

		colon = strchr(*argv, ':');
		if (!colon || plan->count == PUSHED_MAX ||
		    (colon != *argv && git_oid_fromstr(&move->to, *argv)))
			return -1;
		move->ref = colon + 1;
		len = strlen(move->ref);
		for (i = 0; i < lease_count; i++)
			if (!strncmp(leases[i], move->ref, len) &&
			    leases[i][len] == ':' &&
			    !git_oid_fromstr(&move->was, leases[i] + len + 1))
				move->leased = true;
		plan->words[plan->count++] = *argv;
	}
	return plan->count && (plan->atomic || plan->count == 1) ? 0 : -1;
}

/* 1: what the server's configuration says of it is git's to say. */
static int judge(struct plan *plan, size_t i)
{
	struct move *move = &plan->moves[i];
	git_oid now = {{0}};
	int code = git_reference_name_to_id(&now, plan->there, move->ref);
	bool out = git_oid_is_zero(&move->to), none = code == GIT_ENOTFOUND;
	bool forward;

	if (code && !none)
		return -1;
	forward = none || (!out && git_graph_descendant_of(
					   plan->here, &move->to, &now) == 1);
	plan->same[i] = git_oid_equal(&now, &move->to);
	if (plan->same[i] && !out)
		return 0;
	if (move->leased && !git_oid_equal(&now, &move->was))
		plan->why[i] = "[rejected] (stale info)";
	else if (!move->leased && !forward)
		plan->why[i] = "[rejected] (fetch first)";
	else if (out ? none || is_set(plan->there, "receive.denydeletes")
		     : !forward && is_set(plan->there,
					  "receive.denynonfastforwards"))
		return -1;
	plan->refused += plan->why[i] != NULL;
	git_oid_cpy(&move->was, &now);
	move->leased = true;
	return 0;
}

static int send(struct plan *plan)
{
	struct move moves[PUSHED_MAX];
	git_oid wants[PUSHED_MAX];
	size_t i, wanted = 0, moved = 0;

	for (i = 0; i < plan->count; i++) {
		if (plan->same[i])
			continue;
		moves[moved++] = plan->moves[i];
		if (!git_oid_is_zero(&plan->moves[i].to))
			git_oid_cpy(&wants[wanted++], &plan->moves[i].to);
	}
	if (wanted && near_copy(NULL, plan->there, plan->here, wants, wanted))
		return -1;
	if (!moved || !near_move(plan->there, moves, moved, NULL))
		return 0;
	for (i = 0; i < plan->count; i++)
		plan->why[i] = "[remote rejected] (failed to update ref)";
	plan->refused = plan->count;
	return 0;
}

static void answer(struct pn_buf *out, const struct plan *plan)
{
	size_t i;

	pn_buf_printf(out, "To origin\n");
	for (i = 0; i < plan->count; i++)
		if (plan->why[i])
			pn_buf_printf(out, "!\t%s\t%s\n", plan->words[i],
				      plan->why[i]);
		else if (plan->refused)
			pn_buf_printf(out,
				      "!\t%s\t[rejected] (atomic push "
				      "failed)\n",
				      plan->words[i]);
		else if (plan->same[i])
			pn_buf_printf(out, "=\t%s\t[up to date]\n",
				      plan->words[i]);
		else
			pn_buf_printf(out, " \t%s\tmoved\n", plan->words[i]);
	if (!plan->refused)
		pn_buf_printf(out, "Done\n");
}

int near_push(struct pn_buf *out, git_repository *repo, const char *const *argv)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	size_t i;
	int code = plan ? read_words(plan, argv) : -1;

	if (code) {
		free(plan);
		return LEFT_TO_GIT;
	}
	plan->here = repo;
	code = near_origin(&plan->there, repo);
	for (i = 0; !code && i < plan->count; i++)
		code = judge(plan, i);
	if (!code && !plan->refused)
		code = send(plan);
	if (!code) {
		answer(out, plan);
		code = plan->refused ? 1 : 0;
	} else {
		code = LEFT_TO_GIT;
	}
	git_repository_free(plan->there);
	free(plan);
	return code;
}
