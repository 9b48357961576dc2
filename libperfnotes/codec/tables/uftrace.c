/*
 * What `uftrace report` prints: calls of each function, what they took in all
 * and without those that they called; uftrace-report(1). The line of '=' says
 * which columns there are and where, and options choose others.
 */
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/scan.h"
#include "codec/tables/named.h"

#include <math.h>
#include <string.h>

#define COLUMNS_MAX 16

enum column { OTHER, TOTAL, SELF, CALLS, FUNCTION };

struct decoder {
	struct pn_named named;
	char head[256]; /* the line before the one of '=' */
	size_t head_len;
	enum column columns[COLUMNS_MAX];
	size_t begin[COLUMNS_MAX], end[COLUMNS_MAX];
	size_t count; /* 0: no table yet */
};

/* The text of one column. */
static struct pn_scan cell(const char *line, size_t len, size_t begin,
			   size_t end)
{
	struct pn_scan s;

	if (end > len)
		end = len;
	if (begin > end)
		begin = end;
	s = pn_scan_of(line + begin, end - begin);
	pn_scan_trim(&s);
	return s;
}

static bool is_rule(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (text[i] != '=' && text[i] != ' ')
			return false;
	return len > 4 && memchr(text, '=', len);
}

static enum column column_of(struct pn_scan head)
{
	static const struct {
		const char *name;
		enum column column;
	} names[] = {{"Total time", TOTAL},
		     {"Self time", SELF},
		     {"Calls", CALLS},
		     {"Function", FUNCTION}};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (pn_scan_is(&head, names[i].name))
			return names[i].column;
	return OTHER;
}

/* The columns under a line of heads; false when there is no function. */
static bool take_rule(struct decoder *d, const char *text, size_t len)
{
	bool found = false;
	size_t i = 0, n = 0;

	while (i < len && n < COLUMNS_MAX) {
		while (i < len && text[i] == ' ')
			i++;
		d->begin[n] = i;
		while (i < len && text[i] == '=')
			i++;
		d->end[n] = i;
		d->columns[n] = column_of(
			cell(d->head, d->head_len, d->begin[n], d->end[n]));
		found |= d->columns[n] == FUNCTION;
		n++;
	}
	if (n)
		d->end[n - 1] = SIZE_MAX; /* a name may be longer */
	d->count = found ? n : 0;
	return found;
}

/* "1.542 us" in nanoseconds. */
static bool time_of(int64_t *out, struct pn_scan s)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1},	 {"us", 1e3}, {"ms", 1e6},
		     {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
	double value;
	size_t i;

	if (!pn_scan_number(&value, &s))
		return false;
	pn_scan_trim(&s);
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (pn_scan_is(&s, units[i].name) && value >= 0 &&
		    value * units[i].ns < 9e18) {
			*out = (int64_t)round(value * units[i].ns);
			return true;
		}
	return false;
}

static int take_row(struct decoder *d, const char *text, size_t len,
		    struct pn_error *err)
{
	struct pn_profile *p = d->named.p;
	struct pn_scan name = {0}, s;
	int64_t total = 0, self = 0;
	double calls = -1;
	uint32_t node;
	size_t i;

	for (i = 0; i < d->count; i++) {
		s = cell(text, len, d->begin[i], d->end[i]);
		if (d->columns[i] == FUNCTION)
			name = s;
		else if (d->columns[i] == TOTAL	  ? !time_of(&total, s)
			 : d->columns[i] == SELF  ? !time_of(&self, s)
			 : d->columns[i] == CALLS ? !pn_scan_number(&calls, &s)
						  : false)
			return pn_error_set(err, PN_EINVAL,
					    "expected a time with its unit, or "
					    "a number of calls");
	}
	if (!pn_scan_left(&name) || !(calls < 0x1p53))
		return pn_error_set(err, PN_EINVAL, "expected a function");
	node = pn_named_node(&d->named, name.at, pn_scan_left(&name), name.at,
			     pn_scan_left(&name));
	if (calls >= 0)
		p->graph.nodes[node].calls = (int64_t)calls;
	p->graph.self[node].i = self;
	p->graph.total[node].i = total;
	return 0;
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;

	if (is_rule(text, len)) {
		take_rule(d, text, len);
		return 0;
	}
	d->head_len = len < sizeof(d->head) ? len : sizeof(d->head);
	memcpy(d->head, text, d->head_len);
	if (!d->count || !len || *text == '#')
		return 0;
	return take_row(d, text, len, err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.named = {.p = out}};

	return pn_named_read(&d.named, in, &d, take_line,
			     "a table 'Total time  Self time  Calls  Function'",
			     err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;
	bool head = false;

	if (!pn_scan_has(&rest, "Function"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest)) {
		if (head && is_rule(line.at, pn_scan_left(&line)))
			return PN_SNIFF_SURE;
		head = pn_scan_has(&line, "Function") &&
		       (pn_scan_has(&line, "Total time") ||
			pn_scan_has(&line, "Self time"));
	}
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_uftrace = {
	.name = "uftrace",
	.summary = "what uftrace report prints: calls, times",
	.languages = "c c++ rust python",
	.made_by = "uftrace record <program>; uftrace report",
	.sniffed_by = "'Total time ... Function' and a line of '='",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
