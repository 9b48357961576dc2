/* The table of answers, and which options are for which of them. */
#define PN_OPTION_STRUCT struct pn_answer_ask
#include "render/answers/answer.h"

#include "base/number.h"
#include "base/opts/table.h"

#include <string.h>

const struct pn_opt pn_answer_opts[] = {
	{PN_OPTION_FLAG(json), 0, "json", NULL, "as JSON"},
	{PN_OPTION_FLAG(series), 0, "stdin-series", NULL,
	 "a series or pair on each line or two, an answer to each on a line"},
	{PN_OPTION_FLAG(counts), 0, "counts", NULL,
	 "numbers are counts, which do not vary by themselves"},
	{PN_OPTION_TEXT(tolerance_text), 0, "tolerance", "<share>",
	 "a duel ends when no change is larger (2%)"},
	{PN_OPTION_TEXT(margin_text), 0, "margin", "<share>",
	 "slower or faster is by more than this (0)"},
	{PN_OPTION_INT(max_pairs), 0, "max-pairs", "<n>",
	 "a duel has no more pairs (100)", .min = 1},
	{0},
};

extern const struct pn_answer pn_answer_history, pn_answer_pair,
	pn_answer_functions, pn_answer_duel;

static const struct pn_answer *const answers[] = {
	&pn_answer_history,
	&pn_answer_pair,
	&pn_answer_functions,
	&pn_answer_duel,
	NULL,
};

static const struct pn_answer *find(const char *name)
{
	for (size_t i = 0; name && answers[i]; i++)
		if (!strcmp(answers[i]->name, name))
			return answers[i];
	return NULL;
}

/* What is not for this one, NULL when all is. */
static const char *find_misplaced(const struct pn_answer *answer,
				  const struct pn_answer_ask *ask)
{
	if (ask->series && !answer->has_series)
		return "stdin-series";
	if (ask->counts && !answer->has_counts)
		return "counts";
	if (answer->is_duel)
		return NULL;
	return ask->tolerance_text ? "tolerance"
	       : ask->margin_text  ? "margin"
	       : ask->max_pairs	   ? "max-pairs"
				   : NULL;
}

/* Below 0 without a text. */
static int read_share(double *out, const char *text, const char *example,
		      struct pn_error *err)
{
	*out = -1;
	if (!text || pn_number_share(out, text))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "'%s' is no share; need one such as %s", text,
			    example);
}

int pn_answer_find(const struct pn_answer **out, const char *name,
		   struct pn_answer_ask *ask, struct pn_error *err)
{
	const char *misplaced;
	int code;

	*out = find(name);
	if (!*out)
		return pn_error_set(err, PN_EINVAL,
				    "need one of history, pair, functions, "
				    "duel");
	misplaced = find_misplaced(*out, ask);
	if (misplaced)
		return pn_error_set(err, PN_EINVAL, "--%s is not for '%s'",
				    misplaced, (*out)->name);
	code = read_share(&ask->tolerance, ask->tolerance_text, "0.02 or 2%",
			  err);
	return code ? code
		    : read_share(&ask->margin, ask->margin_text, "0.01 or 1%",
				 err);
}

int pn_answer_all(struct pn_buf *out, const struct pn_answer *answer,
		  struct pn_reader *in, const struct pn_answer_ask *ask,
		  struct pn_error *err)
{
	struct pn_lines lines = {.in = in};
	bool have = true;
	int code = 0;

	while (!code && have) {
		code = answer->run(out, &have, &lines, ask, err);
		have = have && ask->series;
	}
	return code;
}
