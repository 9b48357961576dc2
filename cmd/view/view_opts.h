/* What commands that print a view have in common. */
#ifndef CMD_VIEW_VIEW_OPTS_H
#define CMD_VIEW_VIEW_OPTS_H

#include "command.h"
#include "render/view_request.h"
#include "view/filter_opts.h"

/* See pn_view_request_check. EXIT_DONE, or EXIT_USAGE with a message printed.
 */
int view_check(const struct pn_view **view, struct pn_view_request *request,
	       const char *output, const struct command *command);
/* See pn_view_request_prepare; says which filters matched nothing. */
int view_prepare(struct pn_report *out, struct pn_view_input *in,
		 const struct pn_view **view, struct pn_profile *profile,
		 const struct pn_view_request *request, struct pn_error *err);

/* Print to -o's file (NULL: standard output, paged), in the form that its
 * suffix asks for. Returns an exit code, or an error's negative one. */
int view_print(const struct global *global, const struct pn_view *view,
	       const struct pn_view_input *in, const char *command,
	       const char *output, bool json, struct pn_error *err);

#endif
