/*
 * The name of a series as people type it. Commands, arguments and workloads
 * may hold '/' and '@': a text is held against what the series has, not parted
 * at its marks.
 */
#include "base/file.h"
#include "model/series.h"

#include <string.h>

/* Behind `word`, when the text begins with it and a mark or the end follows;
 * else NULL. */
static const char *skip(const char *text, const char *word)
{
	size_t len = strlen(word);

	if (!len || strncmp(text, word, len) != 0 ||
	    (text[len] && text[len] != '/' && text[len] != '@'))
		return NULL;
	return text + len;
}

/* "[/<collector>][/<machine>]", "//<machine>"; "/" for no collector */
static const char *skip_collector(const struct pn_series *s, const char *text)
{
	const char *rest;

	if (*text != '/')
		return text;
	if (!*s->collector && (!text[1] || text[1] == '@'))
		return text + 1;
	rest = text[1] == '/' ? text + 1 : skip(text + 1, s->collector);
	if (!rest || *rest != '/')
		return rest;
	return skip(rest + 1, s->machine);
}

/* What follows the job. */
static bool fits_rest(const struct pn_series *s, const char *text)
{
	const char *rest = skip_collector(s, text);

	if (rest && *rest == '@')
		rest = skip(rest + 1, s->workload);
	if (rest && !*rest)
		return true;
	if (*text != '@')
		return false;
	rest = skip(text + 1, s->workload);
	rest = rest ? skip_collector(s, rest) : NULL;
	return rest && !*rest;
}

/* `job` is what the job may be called. */
static bool fits_called(const struct pn_series *s, const char *job,
			const char *text)
{
	size_t len = strlen(job);
	const char *rest = skip(text, job);

	if (rest && fits_rest(s, rest))
		return true;
	if (!len || strncmp(text, job, len) != 0 || text[len] != ' ')
		return false;
	rest = skip(text + len + 1, s->args);
	return rest && fits_rest(s, rest);
}

enum pn_series_fit pn_series_fits_job(const struct pn_series *s,
				      const char *text)
{
	if (*s->job && !strcmp(s->job, text))
		return PN_SERIES_JOB;
	if (strcmp(s->cmd, text) != 0 &&
	    strcmp(pn_file_basename(s->cmd), text) != 0)
		return PN_SERIES_OTHER;
	return *s->job ? PN_SERIES_RUN : PN_SERIES_COMMAND;
}

enum pn_series_fit pn_series_fits(const struct pn_series *s, const char *text)
{
	/* a job may begin so, too, and a program by its path */
	if ((*text == '/' || *text == '@') &&
	    !fits_called(s, *s->job ? s->job : s->cmd, text))
		return fits_rest(s, text) ? PN_SERIES_JOB : PN_SERIES_OTHER;
	if (fits_called(s, s->job, text))
		return PN_SERIES_JOB;
	if (!fits_called(s, s->cmd, text) &&
	    !fits_called(s, pn_file_basename(s->cmd), text))
		return PN_SERIES_OTHER;
	return *s->job ? PN_SERIES_RUN : PN_SERIES_COMMAND;
}
