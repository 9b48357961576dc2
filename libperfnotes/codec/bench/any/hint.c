/* A hint is small, and is looked through from its beginning. */
#include "codec/bench/any/hint.h"

#include <string.h>
#include <strings.h>

int pn_hint_add(struct pn_buf *hint, const char *word, const char *text,
		struct pn_error *err)
{
	if (strchr(text, '\n'))
		return pn_error_set(err, PN_EINVAL,
				    "the %s has a line end in it", word);
	pn_buf_printf(hint, "%s\t%s\n", word, text);
	return 0;
}

bool pn_hint_next(struct pn_scan *out, const char **at, const char *hint,
		  const char *word)
{
	struct pn_scan rest, line;

	if (!*at)
		*at = hint;
	if (!*at)
		return false;
	rest = pn_scan_of(*at, strlen(*at));
	while (pn_scan_line(&line, &rest)) {
		*at = rest.at;
		if (pn_scan_text(&line, word) && pn_scan_text(&line, "\t")) {
			*out = line;
			return true;
		}
	}
	return false;
}

bool pn_hint_better(enum pn_better *out, const struct pn_scan *text)
{
	static const struct {
		const char *word;
		enum pn_better better;
	} words[] = {
		{"less", PN_BETTER_LESS},    {"more", PN_BETTER_MORE},
		{"smaller", PN_BETTER_LESS}, {"bigger", PN_BETTER_MORE},
		{"lower", PN_BETTER_LESS},   {"higher", PN_BETTER_MORE},
	};
	size_t i, len = pn_scan_left(text);

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].word) == len &&
		    !strncasecmp(words[i].word, text->at, len)) {
			*out = words[i].better;
			return true;
		}
	return false;
}
