/*
 * Notes of kaihowl/git-perf, refs/notes/perf-v3: a line
 *
 *	<epoch> D <name> D <time> D <value> [D <key>=<value>]...
 *
 * a value, D the byte 0x1c. The time is in seconds since 1970; no unit is kept.
 * What has the same keys and epoch is one result. As that tool's deserialize
 * of serialization.rs reads them: empty parts do not count, a line with a part
 * that is no number or no pair is none.
 */
#include "codec/past/past.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/number.h"
#include "codec/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR '\x1c'
#define LINE_MAX 65536 /* bytes */
#define PAIRS_MAX 64   /* of a line */
#define LINES_MAX (1u << 20)

/* A value. Texts are in the note. */
struct value {
	struct pn_scan name, pairs[PAIRS_MAX];
	size_t pair_count;
	uint64_t epoch;
	double time_s, value;
};

/* Of a line that is one: its place in `keys`. */
struct kept {
	size_t group;  /* offset of "<epoch> <key>=<value>..." */
	size_t name;   /* offset */
	size_t number; /* of the line */
	double time_s, value;
};

struct note {
	struct pn_buf texts; /* each with a NUL behind it */
	struct kept *list;
	size_t count, cap;
};

/* The next part that is not empty. */
static bool take_part(struct pn_scan *part, struct pn_scan *line)
{
	do {
		const char *end = line->at;

		if (line->at == line->end)
			return false;
		while (end < line->end && *end != SEPARATOR)
			end++;
		*part = (struct pn_scan){line->at, end};
		line->at = end + (end < line->end);
	} while (part->at == part->end);
	return true;
}

static bool take_number(double *out, struct pn_scan *line)
{
	struct pn_scan part;

	return take_part(&part, line) &&
	       pn_number_double(out, part.at, pn_scan_left(&part)) &&
	       isfinite(*out);
}

static bool read_value(struct value *out, struct pn_scan line)
{
	struct pn_scan part;

	out->pair_count = 0;
	if (!take_part(&part, &line) ||
	    !pn_number_uint(&out->epoch, part.at, pn_scan_left(&part)) ||
	    out->epoch > UINT32_MAX || !take_part(&out->name, &line) ||
	    !take_number(&out->time_s, &line) ||
	    !take_number(&out->value, &line) || out->time_s < 0 ||
	    out->time_s > PN_PAST_TIME_MAX_S)
		return false;
	while (take_part(&part, &line)) {
		if (out->pair_count == PAIRS_MAX ||
		    !memchr(part.at, '=', pn_scan_left(&part)))
			return false;
		out->pairs[out->pair_count++] = part;
	}
	return true;
}

static int by_text(const void *a, const void *b)
{
	const struct pn_scan *x = a, *y = b;

	return pn_bytes_order(x->at, pn_scan_left(x), y->at, pn_scan_left(y));
}

static size_t add_text(struct note *note, const struct pn_scan *text)
{
	size_t at = note->texts.len;

	pn_buf_add(&note->texts, text->at, pn_scan_left(text));
	pn_buf_add_byte(&note->texts, '\0');
	return at;
}

/* Keys in order: that tool writes them in any. */
static void keep(struct note *note, struct value *v, size_t number)
{
	struct kept kept = {.time_s = v->time_s,
			    .value = v->value,
			    .number = number,
			    .group = note->texts.len};
	size_t i;

	if (v->pair_count)
		qsort(v->pairs, v->pair_count, sizeof(*v->pairs), by_text);
	pn_buf_printf(&note->texts, "%llu", (unsigned long long)v->epoch);
	for (i = 0; i < v->pair_count; i++) {
		if (i && !by_text(&v->pairs[i - 1], &v->pairs[i]))
			continue;
		pn_buf_add_byte(&note->texts, SEPARATOR);
		pn_buf_add(&note->texts, v->pairs[i].at,
			   pn_scan_left(&v->pairs[i]));
	}
	pn_buf_add_byte(&note->texts, '\0');
	kept.name = add_text(note, &v->name);
	note->list = pn_grow(note->list, &note->cap, note->count + 1,
			     sizeof(*note->list));
	note->list[note->count++] = kept;
}

static int read_lines(size_t *odd, struct note *note, const char *text,
		      size_t len, struct pn_error *err)
{
	struct pn_scan all = pn_scan_of(text, len), line;
	struct value value;
	size_t number = 0;

	while (pn_scan_line(&line, &all)) {
		number++;
		if (line.at == line.end)
			continue;
		if (note->count == LINES_MAX)
			return pn_error_set(err, PN_ELIMIT,
					    "more than %u values", LINES_MAX);
		if (pn_scan_left(&line) <= LINE_MAX &&
		    !memchr(line.at, '\0', pn_scan_left(&line)) &&
		    read_value(&value, line))
			keep(note, &value, number);
		else
			++*odd;
	}
	return 0;
}

/* A pair of the workload; a blank that is its own has a backslash before it. */
static void add_word(struct pn_buf *out, const char *text, size_t len)
{
	size_t i;

	if (out->len)
		pn_buf_add_byte(out, ' ');
	for (i = 0; i < len; i++) {
		if (text[i] == ' ' || text[i] == '\\')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out, (unsigned char)text[i]);
	}
}

/* "os=linux rust=beta", and a label of each. */
static void describe(struct pn_profile *p, const char *group)
{
	const char *at = group + strcspn(group, "\x1c");
	struct pn_buf workload = {0}, pair = {0};
	uint64_t epoch = 0;
	char *value;

	pn_number_uint(&epoch, group, (size_t)(at - group));
	p->header.cmd = pn_strtab_add_text(&p->strings, "perf-v3");
	p->header.name = p->header.cmd;
	while (*at) {
		size_t n = strcspn(++at, "\x1c");

		add_word(&workload, at, n);
		pn_buf_clear(&pair);
		pn_buf_add(&pair, at, n);
		value = strchr((char *)pn_buf_text(&pair), '=');
		*value++ = '\0';
		if (*pn_buf_text(&pair))
			pn_profile_set_label(p, pn_buf_text(&pair), value);
		at += n;
	}
	p->header.workload =
		pn_strtab_add_text(&p->strings, pn_buf_text(&workload));
	if (epoch) {
		pn_buf_clear(&pair);
		pn_buf_add(&pair, group, strcspn(group, "\x1c"));
		pn_profile_set_label(p, "epoch", pn_buf_text(&pair));
	}
	pn_buf_release(&workload);
	pn_buf_release(&pair);
}

/* The values of a name, which lie side by side. */
static size_t add_metric(struct pn_profile *p, const struct note *note,
			 const struct kept *list, size_t count)
{
	const char *name = pn_buf_text(&note->texts) + list->name;
	double *values = pn_malloc(count * sizeof(*values));
	size_t n = 0;

	while (n < count &&
	       !strcmp(pn_buf_text(&note->texts) + list[n].name, name)) {
		values[n] = list[n].value;
		n++;
	}
	pn_profile_add_metric(p, name, "", PN_BETTER_UNKNOWN, values, n);
	free(values);
	return n;
}

static int give(const struct note *note, const struct pn_past_taker *taker,
		const char *commit, const struct kept *list, size_t count,
		struct pn_error *err)
{
	const char *group = pn_buf_text(&note->texts) + list->group;
	struct pn_past_result result = {.commit = commit, .source = group};
	struct pn_profile p;
	double newest = 0;
	size_t i;
	int code;

	pn_profile_init(&p);
	describe(&p, group);
	for (i = 0; i < count; i++)
		if (list[i].time_s > newest)
			newest = list[i].time_s;
	p.time_ns = (int64_t)(newest * 1e9);
	for (i = 0; i < count;)
		i += add_metric(&p, note, list + i, count - i);
	result.profile = &p;
	code = taker->take(taker->to, &result, err);
	pn_profile_release(&p);
	return code;
}

/* qsort has no place for the texts: they are reached by the first offset. */
struct order {
	const char *texts;
	struct kept kept;
};

/* By group, name, time; equal ones as they stand in the note. */
static int by_group(const void *a, const void *b)
{
	const struct order *x = a, *y = b;
	int order = strcmp(x->texts + x->kept.group, y->texts + y->kept.group);

	if (!order)
		order = strcmp(x->texts + x->kept.name,
			       y->texts + y->kept.name);
	if (!order)
		order = (x->kept.time_s > y->kept.time_s) -
			(x->kept.time_s < y->kept.time_s);
	return order ? order
		     : (x->kept.number > y->kept.number) -
			       (x->kept.number < y->kept.number);
}

static void sort(struct note *note)
{
	struct order *order = pn_malloc((note->count + 1) * sizeof(*order));
	size_t i;

	for (i = 0; i < note->count; i++)
		order[i] = (struct order){pn_buf_text(&note->texts),
					  note->list[i]};
	if (note->count)
		qsort(order, note->count, sizeof(*order), by_group);
	for (i = 0; i < note->count; i++)
		note->list[i] = order[i].kept;
	free(order);
}

int pn_past_perf_v3(size_t *odd, const struct pn_past_taker *taker,
		    const char *commit, const char *text, size_t len,
		    struct pn_error *err)
{
	struct note note = {{0}};
	size_t i, n;
	int code;

	*odd = 0;
	code = read_lines(odd, &note, text, len, err);
	if (!code)
		sort(&note);
	for (i = 0; !code && i < note.count; i += n) {
		const char *texts = pn_buf_text(&note.texts);

		for (n = 1; i + n < note.count; n++)
			if (strcmp(texts + note.list[i].group,
				   texts + note.list[i + n].group) != 0)
				break;
		code = give(&note, taker, commit, note.list + i, n, err);
	}
	pn_buf_release(&note.texts);
	free(note.list);
	return code;
}
