/* The last step of the lookup: look for a file, and ask. */
#include "find_profile.h"

#include "base/buf.h"
#include "base/escape.h"
#include "base/folder/find.h"
#include "context.h"
#include "jobs/profiles/formats.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum answer { NO, YES, NO_MORE };

/* "y" takes it, "q" ends the search, as the end of input does. */
static enum answer ask(const char *path)
{
	struct pn_buf shown = {0};
	char line[16] = "";

	pn_escape_terminal(&shown, path, strlen(path));
	fprintf(stderr, "use '%s'? [y/N/q] ", pn_buf_text(&shown));
	fflush(stderr);
	pn_buf_release(&shown);
	if (!fgets(line, sizeof(line), stdin))
		fputc('\n', stderr);
	if (*line == 'y' || *line == 'Y')
		return YES;
	return feof(stdin) || *line == 'q' || *line == 'Q' ? NO_MORE : NO;
}

/* Tags and names in the list of a commit are no files. */
static bool may_be_file(const char *text)
{
	return *text && !strpbrk(text, ":@/") && strcmp(text, "-") != 0;
}

int find_profile(struct pn_found_list *out, const struct pn_lookup *lookup,
		 const char *text, struct pn_error *err)
{
	enum answer answer = NO;
	struct pn_arena arena = {0};
	const char *format;
	size_t i, count;
	char **paths;
	int code = pn_lookup_find(out, lookup, text, err);

	if (!code)
		say_rewritten(lookup, &out->items[out->count - 1].commit);
	if (code != PN_ENOTFOUND || !may_be_file(text) ||
	    !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return code;
	paths = pn_find_files(&count, &arena, ".", text);
	for (i = 0; answer == NO && i < count; i++)
		if (!pn_format_of_file(&format, paths[i], NULL))
			answer = ask(paths[i]);
	if (answer == YES)
		code = pn_lookup_find(out, lookup, paths[i - 1], err);
	pn_arena_release(&arena);
	return code;
}

int find_stored_profile(struct pn_found_list *out,
			const struct pn_lookup *lookup, const char *text,
			struct pn_error *err)
{
	int code = find_profile(out, lookup, text, err);

	if (code == PN_ENOTFOUND || code == PN_ERANGE)
		say_where_profiles_are(lookup);
	return code;
}

int find_one_profile(struct pn_found_list *out, const struct pn_lookup *lookup,
		     const char *text, struct pn_error *err)
{
	int code = find_stored_profile(out, lookup, text, err);

	if (!code && out->count != 1)
		code = pn_error_set(err, PN_EAMBIGUOUS,
				    "'%s' names %zu profiles, need one", text,
				    out->count);
	return code;
}
