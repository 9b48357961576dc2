/* What completion asks for besides options: names of profiles and series, and
 * values that depend on what is stored or typed. */
#include "jobs/profiles/names/names.h"
#include "command.h"
#include "context.h"

#include <string.h>

static int print_names(struct pn_buf *names, int code, struct pn_error *err)
{
	const struct global global = {0};

	code = write_output(&global, NULL, names, code, err);
	pn_buf_release(names);
	return code;
}

int list_names(const struct command *command, const char *typed)
{
	struct context context = {0};
	struct pn_buf names = {0};
	struct pn_error err;
	int code = open_context(&context, NULL, true, &err);

	if (!code)
		code = pn_names_list(&names, &context.lookup, typed,
				     command == &cmd_add, &err);
	code = print_names(&names, code, &err);
	close_context(&context);
	return code;
}

int list_values(const struct command *command, const char *option, int count,
		char **words)
{
	enum pn_names_part part = pn_names_part_of(option);
	struct context context = {0};
	struct pn_buf names = {0};
	struct pn_error err;
	int code = 0;

	if (part)
		code = open_context(&context, NULL, true, &err);
	if (part && !code)
		code = pn_names_parts(&names, &context.lookup, part, &err);
	option += strspn(option, "-");
	if (!strcmp(option, "O") || !strcmp(option, "option"))
		pn_names_keys(&names, command == &cmd_model,
			      (const char *const *)words, count);
	code = print_names(&names, code, &err);
	close_context(&context);
	return code;
}
