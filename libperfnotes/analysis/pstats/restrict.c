/* Restrictions of pstats, and the lines in which it tells of them. */
#include "analysis/pstats/steps.h"

#include "base/number.h"
#include "base/text/regex.h"

#include <inttypes.h>
#include <string.h>

/* A text as Python's repr has it; what is not ASCII stays. */
static void add_repr(struct pn_buf *out, const char *text)
{
	char quote = strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';

	pn_buf_add_byte(out, (unsigned char)quote);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		const char *short_form = strchr("\nn\tt\rr", c);

		if (c == '\\' || c == (unsigned char)quote)
			pn_buf_printf(out, "\\%c", c);
		else if (c < ' ' && short_form)
			pn_buf_printf(out, "\\%c", short_form[1]);
		else if (c < ' ' || c == 0x7f)
			pn_buf_printf(out, "\\x%02x", c);
		else
			pn_buf_add_byte(out, c);
	}
	pn_buf_add_byte(out, (unsigned char)quote);
}

struct restriction {
	const char *text;
	struct pn_regex *regex; /* NULL: `most` */
	size_t most;
	struct pn_buf repr;
};

/* A number that is no count of fewer functions and no share restricts to
 * nothing. False: it is an expression, and a wrong one. */
static bool read_restriction(struct restriction *out, const char *text,
			     size_t count)
{
	char number[PN_NUMBER_TEXT];
	struct pn_error err;
	int64_t whole;
	double share;
	size_t len = strlen(text);

	*out = (struct restriction){.text = text, .most = count};
	if (pn_number_int(&whole, text, len)) {
		if (whole >= 0 && (uint64_t)whole < count)
			out->most = (size_t)whole;
		pn_buf_printf(&out->repr, "%" PRId64, whole);
		return true;
	}
	if (pn_number_double(&share, text, len)) {
		if (share >= 0 && share < 1)
			out->most = (size_t)((double)count * share + .5);
		pn_buf_add(&out->repr, number,
			   pn_number_write(number, share, true));
		return true;
	}
	add_repr(&out->repr, text);
	return !pn_regex_new(&out->regex, text, &err);
}

static void apply(struct pn_pstats *stats, const struct restriction *r)
{
	size_t i, n = 0, had = stats->shown_count;

	for (i = 0; i < had; i++) {
		const struct pn_pstats_function *f =
			&stats->functions[stats->shown[i]];

		if (r->regex ? pn_regex_match(r->regex, f->text, f->text_len)
			     : i < r->most)
			stats->shown[n++] = stats->shown[i];
	}
	stats->shown_count = n;
	if (n != had)
		pn_buf_printf(&stats->reduced,
			      "   List reduced from %zu to %zu due to "
			      "restriction <%s>\n",
			      had, n, pn_buf_text(&r->repr));
}

void pn_pstats_restrict(struct pn_pstats *stats,
			const struct pn_pstats_list *restrict_to)
{
	size_t i;

	for (i = 0; i < restrict_to->count; i++) {
		struct restriction r;

		if (read_restriction(&r, restrict_to->values[i],
				     stats->shown_count))
			apply(stats, &r);
		else
			pn_buf_printf(&stats->reduced,
				      "   <Invalid regular expression %s>\n",
				      pn_buf_text(&r.repr));
		pn_regex_free(r.regex);
		pn_buf_release(&r.repr);
	}
}
