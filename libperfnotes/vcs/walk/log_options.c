/*
 * Options of git log that change its output, git-log(1): a walk reads the
 * output itself. Options that choose or order commits pass. git takes long
 * options abbreviated, so an abbreviation of a refused one is refused.
 */
#include "vcs/walk/log_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char *const refused_long[] = {"--format",
					   "--pretty",
					   "--oneline",
					   "--graph",
					   "--patch",
					   "--patch-with-raw",
					   "--patch-with-stat",
					   "--stat",
					   "--stat-width",
					   "--stat-count",
					   "--stat-name-width",
					   "--stat-graph-width",
					   "--numstat",
					   "--shortstat",
					   "--dirstat",
					   "--dirstat-by-file",
					   "--cumulative",
					   "--compact-summary",
					   "--summary",
					   "--raw",
					   "--name-only",
					   "--name-status",
					   "--check",
					   "--unified",
					   "--cc",
					   "--diff-merges",
					   "--remerge-diff",
					   "--dd",
					   "--binary",
					   "--output",
					   "--line-prefix",
					   "--log-size",
					   "--show-signature",
					   "--show-linear-break",
					   "--encoding",
					   "--color",
					   "--color-words",
					   "--word-diff",
					   "--exit-code",

					   "--help",
					   "--stdin",
					   "--null",
					   NULL};

/* -p, -u, -U<n>, -c and -m: a patch; -L: with a patch; -X: dirstat. */
static const char refused_short[] = "puUcmLXzh";

static bool is_refused_long(const char *arg)
{
	size_t len = strcspn(arg, "=");
	size_t i;

	for (i = 0; refused_long[i]; i++)
		if (len > 2 && strlen(refused_long[i]) >= len &&
		    !strncmp(arg, refused_long[i], len))
			return true;
	return false;
}

int pn_log_options_check(const char *const *args, struct pn_error *err)
{
	for (; *args && strcmp(*args, "--"); args++) {
		const char *arg = *args;
		bool refused;

		if (arg[0] != '-' || !arg[1])
			continue;
		refused = arg[1] == '-' ? is_refused_long(arg)
					: strchr(refused_short, arg[1]) != NULL;
		if (refused)
			return pn_error_set(
				err, PN_EINVAL,
				"'%s' changes what git log prints; only "
				"options that choose or order commits fit here",
				arg);
	}
	return 0;
}
