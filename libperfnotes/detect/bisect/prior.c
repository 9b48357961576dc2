/* What speaks for a commit before it is run. */
#include "detect/bisect/prior.h"

#include <string.h>

static const char *const endings[] = {
	".md", ".adoc", ".asciidoc", ".rst", ".org", ".pod",
	".1",  ".3",	".5",	     ".7",   ".tex",
};

static const char *const names[] = {
	"README",	  "LICENSE",	"LICENCE", "COPYING",
	"CHANGELOG",	  "AUTHORS",	"NEWS",	   ".mailmap",
	".gitattributes", ".gitignore", "THANKS",
};

static const char *const folders[] = {"doc/", "docs/", "Documentation/"};

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len > n && !strcmp(text + len - n, end);
}

bool pn_prior_is_document(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i]);

		if (!strncmp(name, names[i], len) &&
		    (!name[len] || !strcmp(name + len, ".txt")))
			return true;
	}
	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (ends_with(name, endings[i]))
			return true;
	return false;
}

bool pn_prior_is_file(const char *path, const char *file)
{
	size_t len = strlen(path), n = strlen(file);

	if (!len || !n)
		return false;
	if (len == n)
		return !memcmp(path, file, n);
	if (len < n)
		return !strcmp(file + n - len, path) &&
		       file[n - len - 1] == '/';
	return !strcmp(path + len - n, file) && path[len - n - 1] == '/';
}
