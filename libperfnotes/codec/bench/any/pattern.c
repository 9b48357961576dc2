/*
 * Results in any text, by a regular expression with named groups: each match
 * in a line is a value. "name" and "value", or one of them; "unit" and
 * "better" where the text has them.
 */
#include "base/alloc.h"
#include "base/text/regex.h"
#include "codec/bench/any/hint.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"

#include <stdlib.h>
#include <string.h>

enum group { NAME, VALUE, UNIT, BETTER, GROUPS };

static const char *const group_names[GROUPS] = {"name", "value", "unit",
						"better"};

struct state {
	struct pn_regex *regex;
	size_t groups[GROUPS]; /* 0: it has none */
	struct pn_scan all_unit, all_better;
	struct pn_buf pattern, name, unit;
};

/* What a group matched, or nothing. */
static struct pn_scan part(const struct state *s,
			   const struct pn_regex_match *m, enum group group,
			   const char *text)
{
	size_t at = s->groups[group];

	if (!at || at >= PN_REGEX_GROUPS || m->begin[at] == SIZE_MAX ||
	    m->end[at] < m->begin[at])
		return (struct pn_scan){text, text};
	return (struct pn_scan){text + m->begin[at], text + m->end[at]};
}

static int take_match(struct pn_bench *bench, struct state *s,
		      const struct pn_regex_match *m, const char *text,
		      struct pn_error *err)
{
	struct pn_scan name = part(s, m, NAME, text);
	struct pn_scan value = part(s, m, VALUE, text), rest = value;
	struct pn_scan unit = part(s, m, UNIT, text);
	struct pn_scan word = part(s, m, BETTER, text);
	const char *unit_text;
	enum pn_better better;
	double number;

	if (!pn_scan_number(&number, &rest) || pn_scan_left(&rest))
		return pn_error_set(err, PN_EINVAL,
				    "the group 'value' matched '%.*s', which "
				    "is no number",
				    (int)(pn_scan_left(&value) < 60
						  ? pn_scan_left(&value)
						  : 60),
				    value.at);
	if (!pn_scan_left(&unit))
		unit = s->all_unit;
	if (!pn_scan_left(&word))
		word = s->all_better;
	unit_text = pn_scan_copy(&s->unit, &unit);
	if (!pn_hint_better(&better, &word))
		better = pn_bench_better(unit_text);
	pn_scan_copy(&s->name, &name);
	return pn_bench_add(bench,
			    s->name.len ? pn_buf_text(&s->name) : "value",
			    unit_text, better, number, err);
}

static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *s = user;
	struct pn_regex_match m;
	size_t len = pn_scan_left(line), from = 0;
	int code = 0;

	while (!code && from <= len &&
	       pn_regex_search(&m, s->regex, line->at, len, from)) {
		code = take_match(bench, s, &m, line->at, err);
		/* \K may end a match in front of where it began */
		from = m.end[0] > m.begin[0] && m.end[0] > from ? m.end[0]
								: from + 1;
	}
	return code;
}

static int open_state(struct state *s, const char *hint, struct pn_error *err)
{
	const char *at = NULL;
	struct pn_scan text;
	size_t i;
	int code;

	if (!pn_hint_next(&text, &at, hint, "pattern"))
		return pn_error_set(err, PN_EINVAL,
				    "the format regex needs --pattern='...' of "
				    "git perf add");
	code = pn_regex_new(&s->regex, pn_scan_copy(&s->pattern, &text), err);
	for (i = 0; !code && i < GROUPS; i++)
		s->groups[i] = pn_regex_group(s->regex, group_names[i]);
	if (!code && !s->groups[VALUE])
		code = pn_error_set(err, PN_EINVAL,
				    "the pattern '%.200s' has no group "
				    "(?<value>...)",
				    pn_buf_text(&s->pattern));
	at = NULL;
	(void)pn_hint_next(&s->all_unit, &at, hint, "all-unit");
	at = NULL;
	(void)pn_hint_next(&s->all_better, &at, hint, "all-better");
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state s = {.all_unit = pn_scan_of("", 0),
			  .all_better = pn_scan_of("", 0)};
	int code = open_state(&s, pn_reader_hint(in), err);

	if (!code)
		code = pn_bench_read_lines(out, in, &s, take_line,
					   "a line that the pattern matches",
					   err);
	/* what was asked for is all there, and the pattern is gone later */
	out->complete = true;
	pn_regex_free(s.regex);
	pn_buf_release(&s.pattern);
	pn_buf_release(&s.name);
	pn_buf_release(&s.unit);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	(void)bytes;
	(void)len;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_pattern = {
	.name = "regex",
	.summary = "any text, by a pattern",
	.languages = "any",
	.made_by = "any tool: git perf add --format=regex --pattern=<regex>",
	.sniffed_by = "not recognised: --format=regex",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
