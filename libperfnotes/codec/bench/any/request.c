/* Options to a hint. */
#include "codec/bench/any/request.h"

#include "codec/bench/any/hint.h"

#include <string.h>

/* "value=<head>" */
static int add_column(struct pn_buf *out, const char *text,
		      struct pn_error *err)
{
	static const char *const words[] = {"name", "value", "unit", "better",
					    "run"};
	const char *sign = strchr(text, '=');
	size_t i, len = sign ? (size_t)(sign - text) : 0;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == len && !strncmp(text, words[i], len))
			return pn_hint_add(out, words[i], sign + 1, err);
	return pn_error_set(err, PN_EINVAL,
			    "--column: expected name=, value=, unit=, better= "
			    "or run= and a head, have '%s'",
			    text);
}

static int check(const struct pn_hint_request *r, struct pn_error *err)
{
	const char *format = r->format ? r->format : "";
	bool csv = !strcmp(format, "csv"), regex = !strcmp(format, "regex");
	bool any = r->pattern || r->unit || r->better || r->column_count;

	if (r->better && strcmp(r->better, "less") != 0 &&
	    strcmp(r->better, "more") != 0)
		return pn_error_set(err, PN_EINVAL,
				    "--better: expected less or more, have "
				    "'%s'",
				    r->better);
	if ((any && !csv && !regex) || (r->pattern && !regex) ||
	    (r->column_count && !csv))
		return pn_error_set(err, PN_EINVAL,
				    "--column is for --format=csv, --pattern "
				    "for --format=regex, --unit and --better "
				    "for both");
	if (r->verbatim && (csv || regex))
		return pn_error_set(err, PN_EINVAL,
				    "--verbatim does not go with --format=%s: "
				    "what its columns are would be lost",
				    format);
	return 0;
}

int pn_hint_of_request(struct pn_buf *out,
		       const struct pn_hint_request *request,
		       struct pn_error *err)
{
	const struct {
		const char *word, *text;
	} all[] = {{"pattern", request->pattern},
		   {"all-unit", request->unit},
		   {"all-better", request->better}};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < sizeof(all) / sizeof(*all); i++)
		if (all[i].text)
			code = pn_hint_add(out, all[i].word, all[i].text, err);
	for (i = 0; !code && i < request->column_count; i++)
		code = add_column(out, request->columns[i], err);
	return code ? code : check(request, err);
}
