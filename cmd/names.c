/* What completion asks for besides options: names of profiles, series, jobs. */
#include "jobs/profiles/names.h"

#include "command.h"
#include "context.h"

int list_names(const struct command *command, const char *typed, bool jobs)
{
	const struct global global = {0};
	struct context context = {0};
	struct pn_buf names = {0};
	struct pn_error err;
	int code = open_context(&context, NULL, true, &err);

	if (!code && jobs)
		code = pn_names_jobs(&names, &context.lookup, &err);
	else if (!code)
		code = pn_names_list(&names, &context.lookup, typed,
				     command == &cmd_add, &err);
	code = write_output(&global, NULL, &names, code, &err);
	pn_buf_release(&names);
	close_context(&context);
	return code;
}
