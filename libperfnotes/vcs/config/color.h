/* What git's configuration says of colours: color.ui and color.perf, and
 * color.perf.<slot> as git-config(1) describes colours; and of the pager. */
#ifndef PN_CONFIG_COLOR_H
#define PN_CONFIG_COLOR_H

#include <stdbool.h>
#include <stddef.h>

#define PN_COLOR_MAX                                                           \
	75 /* bytes of a sequence with its NUL: git's own limit                \
	    */

struct pn_repo; /* vcs/repo.h */

struct pn_color {
	const char *slot;
	char text[PN_COLOR_MAX]; /* an escape sequence */
};

/* Whether output is to be coloured, which goes to a terminal or not, or (by
 * color.pager) to a pager. */
bool pn_color_is_wanted(bool terminal, bool paged);

/* Whether output is coloured even where nobody looks: color.perf, or color.ui
 * where that is not set, is "always". Without a repository git is asked. */
bool pn_color_is_always(struct pn_repo *repo);

#define PN_COLORS 5 /* commit, head, better, worse, dim */

/* In this order: as they are configured, else as git's own are, ids as in git
 * log, additions and removals as in git diff. */
void pn_colors_read(struct pn_color out[PN_COLORS]);

/* git's choice, from GIT_PAGER, core.pager, PAGER and its own default: a line
 * for the shell; NULL when there is to be none. The caller frees. */
char *pn_pager_choose(void);

#endif
