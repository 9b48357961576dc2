/*
 * Index lines: parsing and writing. Grammar in storage/FORMAT.md.
 *
 * A line is canonical: equal facts give equal bytes, because field order,
 * number format and escapes are fixed by the writer. Its id is the first 16
 * hex digits of the SHA-256 of the line without the id.
 */
#include "model/entry.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "model/entry_again.h"
#include "model/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUES 4096 /* samples of one metric in a foreign line */
#define LINE_ROOM 1023	/* most lines are shorter: one allocation */

struct words {
	const char *at, *end;
};

/* The next run of non-blanks; false at the end. */
static bool next_word(const char **word, size_t *len, struct words *w)
{
	const char *stop;

	while (w->at < w->end && *w->at == ' ')
		w->at++;
	if (w->at == w->end)
		return false;
	stop = memchr(w->at, ' ', (size_t)(w->end - w->at));
	*word = w->at;
	w->at = stop ? stop : w->end;
	*len = (size_t)(w->at - *word);
	return true;
}

/* A percent-encoded text as a NUL-terminated one in the arena. */
static int decode(const char **out, struct pn_arena *arena, const char *text,
		  size_t len, struct pn_error *err)
{
	char *copy = pn_arena_copy(arena, text, len);
	size_t ignored;

	if (memchr(text, '%', len) &&
	    pn_unescape_percent_to(copy, &ignored, copy, len))
		return pn_error_set(err, PN_EINVAL,
				    "bad percent escape in '%.*s'",
				    (int)(len < 60 ? len : 60), text);
	*out = copy;
	return 0;
}

static bool next_part(const char **part, size_t *len, const char **at,
		      const char *end, char separator)
{
	const char *stop;

	if (*at > end)
		return false;
	stop = *at < end ? memchr(*at, separator, (size_t)(end - *at)) : NULL;
	if (!stop)
		stop = end;
	*part = *at;
	*len = (size_t)(stop - *at);
	*at = stop + 1;
	return true;
}

static int parse_numbers(double *out, size_t want, const char *at,
			 const char *end)
{
	const char *part;
	size_t len, n = 0;

	while (next_part(&part, &len, &at, end, ',')) {
		if (n == want)
			return PN_EINVAL;
		if (len == 0)
			out[n++] = NAN;
		else if (!pn_number_double(&out[n++], part, len))
			return PN_EINVAL;
	}
	return n == want ? 0 : PN_EINVAL;
}

static int parse_values(struct pn_entry_metric *m, struct pn_arena *arena,
			const char *at, const char *end)
{
	double *values, s[7];
	const char *p;
	size_t n = 1;

	if (end - at >= 2 && at[0] == 's' && at[1] == ',') {
		if (parse_numbers(s, 7, at + 2, end))
			return PN_EINVAL;
		m->summary = (struct pn_summary){
			m->summary.n, s[0], s[1], s[2], s[3], s[4], s[5], s[6]};
		return 0;
	}
	for (p = at; p < end; p++)
		n += *p == ',';
	if (n > MAX_VALUES || n != m->summary.n)
		return PN_EINVAL;
	values = pn_arena_alloc(arena, n * sizeof(*values));
	if (parse_numbers(values, n, at, end))
		return PN_EINVAL;
	/* one that is unknown: then all figures are */
	if (pn_summary_of(&m->summary, values, n, NULL)) {
		m->summary = (struct pn_summary){n,   NAN, NAN, NAN,
						 NAN, NAN, NAN, NAN};
		return 0;
	}
	m->values = values;
	m->value_count = n;
	return 0;
}

/* name;unit;better;n;values: the parts are percent-encoded one by one. */
static int parse_metric(struct pn_entry_metric *out, struct pn_arena *arena,
			const char *text, size_t len, struct pn_error *err)
{
	const char *at = text, *end = text + len, *part[5];
	struct pn_entry_metric m = {0};
	size_t lens[5], i;

	for (i = 0; i < 5; i++)
		if (!next_part(&part[i], &lens[i], &at, end, ';'))
			goto bad;
	if (at <= end || decode(&m.name, arena, part[0], lens[0], err) ||
	    decode(&m.unit, arena, part[1], lens[1], err))
		goto bad;
	if (lens[2] == 4 && !memcmp(part[2], "less", 4))
		m.better = PN_BETTER_LESS;
	else if (lens[2] == 4 && !memcmp(part[2], "more", 4))
		m.better = PN_BETTER_MORE;
	if (!pn_number_uint(&m.summary.n, part[3], lens[3]) ||
	    parse_values(&m, arena, part[4], part[4] + lens[4]))
		goto bad;
	*out = m;
	return 0;
bad:
	return pn_error_set(err, PN_EINVAL,
			    "bad metric '%.*s', expected "
			    "name;unit;less|more|-;n;values",
			    (int)(len < 60 ? len : 60), text);
}

struct word {
	const char *at;
	size_t len;
};

static bool is_metric(const struct word *word)
{
	return word->len >= 2 && word->at[0] == 'm' && word->at[1] == '=';
}

/* The words that are left; *metrics of them are metrics. */
static size_t list_words(struct word out[PN_LINE_FIELDS_MAX], size_t *metrics,
			 struct words *w)
{
	struct word word;
	size_t n = 0;

	for (*metrics = 0; next_word(&word.at, &word.len, w); n++) {
		if (n < PN_LINE_FIELDS_MAX)
			out[n] = word;
		*metrics += is_metric(&word);
	}
	return n;
}

static int parse_field(struct pn_field *out, struct pn_arena *arena,
		       const struct word *word, struct pn_error *err)
{
	const char *sep = memchr(word->at, '=', word->len);
	size_t key_len = sep ? (size_t)(sep - word->at) : 0;

	if (!sep)
		return pn_error_set(err, PN_EINVAL, "'%.*s' is no key=value",
				    (int)(word->len < 60 ? word->len : 60),
				    word->at);
	if (decode(&out->key, arena, word->at, key_len, err) ||
	    decode(&out->value, arena, sep + 1, word->len - key_len - 1, err))
		return PN_EINVAL;
	return 0;
}

/* Listed first, so that both arrays are allocated once. */
static int parse_fields(struct pn_entry *e, struct pn_arena *arena,
			struct words w, struct pn_error *err)
{
	struct word words[PN_LINE_FIELDS_MAX];
	struct pn_entry_metric *metrics;
	struct pn_field *fields;
	size_t count, i, n = 0, m = 0;
	int code = 0;

	count = list_words(words, &m, &w);
	if (count > PN_LINE_FIELDS_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "%zu fields in one line, at most %d are "
				    "read",
				    count, PN_LINE_FIELDS_MAX);
	fields = pn_arena_alloc(arena, (count - m) * sizeof(*fields));
	metrics = pn_arena_alloc(arena, m * sizeof(*metrics));
	m = 0;
	for (i = 0; !code && i < count; i++)
		code = is_metric(&words[i])
			       ? parse_metric(&metrics[m++], arena,
					      words[i].at + 2, words[i].len - 2,
					      err)
			       : parse_field(&fields[n++], arena, &words[i],
					     err);
	e->fields = fields;
	e->field_count = n;
	e->metrics = metrics;
	e->metric_count = m;
	return code;
}

static void compute_id(char out[PN_ENTRY_ID_HEX + 1], const char *line,
		       size_t before, size_t after, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[32];
	size_t i;

	pn_hash_sha256_both(sum, line, before, line + after, len - after);
	for (i = 0; i < PN_ENTRY_ID_HEX / 2; i++) {
		out[2 * i] = digits[sum[i] >> 4];
		out[2 * i + 1] = digits[sum[i] & 15];
	}
	out[PN_ENTRY_ID_HEX] = '\0';
}

static bool parse_id(char out[PN_ENTRY_ID_HEX + 1], const char *text,
		     size_t len)
{
	size_t i;

	if (len != PN_ENTRY_ID_HEX)
		return false;
	for (i = 0; i < len; i++)
		if (pn_hex_digit(text[i]) < 0 ||
		    (text[i] >= 'A' && text[i] <= 'F'))
			return false;
	memcpy(out, text, len);
	out[len] = '\0';
	return true;
}

static bool parse_body(struct pn_entry *e, const char *text, size_t len)
{
	if (len == 1 && *text == '-')
		return true;
	e->has_body = len == PN_OID_HEX && !pn_oid_parse(&e->body, text);
	return e->has_body;
}

static bool parse_oid(struct pn_oid *out, const char *text, size_t len)
{
	return len == PN_OID_HEX && !pn_oid_parse(out, text);
}

/* The eight words that every line begins with. */
static int parse_head(struct pn_entry *e, struct pn_arena *arena,
		      struct words *w, size_t *id_at, const char *line,
		      struct pn_error *err)
{
	static const char *const names[] = {"version", "time", "id",
					    "kind",    "body", "size",
					    "commit",  "tree"};
	const char *word[8];
	size_t len[8], i;
	bool del;

	for (i = 0; i < 8; i++)
		if (!next_word(&word[i], &len[i], w))
			return pn_error_set(err, PN_EINVAL, "no %s", names[i]);
	if (len[0] != 5 || memcmp(word[0], "perf1", 5))
		return pn_error_set(err, PN_EINVAL,
				    "does not begin with 'perf1'");
	e->kind_text = pn_arena_copy(arena, word[3], len[3]);
	del = !strcmp(e->kind_text, "del");
	e->kind = !strcmp(e->kind_text, "profile") ? PN_ENTRY_PROFILE
		  : del				   ? PN_ENTRY_DEL
						   : PN_ENTRY_OTHER;
	if (pn_time_parse(&e->time_ns, word[1], len[1]))
		i = 1;
	else if (!parse_id(e->id, word[2], len[2]))
		i = 2;
	else if (del ? !parse_id(e->target, word[4], len[4])
		     : !parse_body(e, word[4], len[4]))
		i = 4;
	else if (!(len[5] == 1 && *word[5] == '-') &&
		 !pn_number_uint(&e->size, word[5], len[5]))
		i = 5;
	else if (!parse_oid(&e->commit, word[6], len[6]))
		i = 6;
	else if (!parse_oid(&e->tree, word[7], len[7]))
		i = 7;
	if (i < 8)
		return pn_error_set(err, PN_EINVAL, "bad %s '%.*s'", names[i],
				    (int)(len[i] < 60 ? len[i] : 60), word[i]);
	*id_at = (size_t)(word[2] - line);
	return 0;
}

/* *id_at: where the id stands. */
static int parse_words(struct pn_entry *out, size_t *id_at,
		       struct pn_arena *arena, const char *line, size_t len,
		       struct pn_error *err)
{
	struct words w = {line, line + len};
	struct pn_entry e = {0};
	int code;

	if (len >= PN_LINE_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "a line of %zu bytes, at most %d are read",
				    len, PN_LINE_MAX - 1);
	code = parse_head(&e, arena, &w, id_at, line, err);
	if (!code)
		code = parse_fields(&e, arena, w, err);
	if (code)
		return code;
	*out = e;
	return 0;
}

static void keep_line(struct pn_entry *out, const struct pn_entry *e,
		      struct pn_arena *arena, const char *line, size_t len)
{
	*out = *e;
	out->line = pn_arena_copy(arena, line, len);
	out->line_len = len;
}

int pn_entry_parse_again(struct pn_entry *out, struct pn_arena *arena,
			 const char *line, size_t len, struct pn_error *err)
{
	struct pn_entry e;
	size_t id_at = 0;
	int code = parse_words(&e, &id_at, arena, line, len, err);

	if (!code)
		keep_line(out, &e, arena, line, len);
	return code;
}

int pn_entry_parse(struct pn_entry *out, struct pn_arena *arena,
		   const char *line, size_t len, struct pn_error *err)
{
	char id[PN_ENTRY_ID_HEX + 1];
	struct pn_entry e;
	size_t id_at = 0;
	int code = parse_words(&e, &id_at, arena, line, len, err);

	if (code)
		return code;
	compute_id(id, line, id_at, id_at + PN_ENTRY_ID_HEX + 1, len);
	if (strcmp(id, e.id) != 0)
		return pn_error_set(err, PN_EINVAL,
				    "id %s does not fit the line, which "
				    "gives %s",
				    e.id, id);
	keep_line(out, &e, arena, line, len);
	return 0;
}

bool pn_entry_link_parse(struct pn_entry_link *out, const char *line,
			 size_t len)
{
	struct words w = {line, line + len};
	struct pn_entry_link link = {0};
	char id[PN_ENTRY_ID_HEX + 1];
	const char *word[5], *field;
	size_t lens[5], i, at, n;

	for (i = 0; i < 5; i++)
		if (!next_word(&word[i], &lens[i], &w))
			return false;
	if (len >= PN_LINE_MAX || lens[0] != 5 || memcmp(word[0], "perf1", 5) ||
	    lens[2] != PN_ENTRY_ID_HEX ||
	    (lens[3] == 3 && !memcmp(word[3], "del", 3)) ||
	    !parse_oid(&link.body, word[4], lens[4]))
		return false;
	at = (size_t)(word[2] - line);
	compute_id(id, line, at, at + PN_ENTRY_ID_HEX + 1, len);
	if (memcmp(id, word[2], PN_ENTRY_ID_HEX) != 0)
		return false;
	/* the first key that is "body", or may be, with escapes in it */
	while (next_word(&field, &n, &w)) {
		if (*field != '%' && (*field != 'b' || n < 5 ||
				      (memcmp(field, "body=", 5) != 0 &&
				       !memchr(field, '%', n))))
			continue;
		link.verbatim = n == 13 && !memcmp(field, "body=verbatim", n);
		break;
	}
	*out = link;
	return true;
}

const char *pn_entry_field(const struct pn_entry *entry, const char *key)
{
	size_t i;

	/* the first letter spares most calls, of which a log has many */
	for (i = 0; i < entry->field_count; i++)
		if (*entry->fields[i].key == *key &&
		    !strcmp(entry->fields[i].key, key))
			return entry->fields[i].value;
	return "";
}

const char *pn_entry_bared(const struct pn_entry *entry)
{
	const char *id;

	if (entry->kind != PN_ENTRY_OTHER ||
	    strcmp(entry->kind_text, PN_ENTRY_KIND_FIGURES) != 0)
		return NULL;
	id = pn_entry_field(entry, "record");
	return strlen(id) == PN_ENTRY_ID_HEX ? id : NULL;
}

bool pn_entry_has_figures(const struct pn_entry *entry)
{
	return entry->kind == PN_ENTRY_PROFILE && entry->metric_count &&
	       strcmp(pn_entry_field(entry, "metrics"), "body") != 0;
}

static const char *keep(struct pn_arena *arena, const char *text)
{
	return pn_arena_copy(arena, text, strlen(text));
}

void pn_entry_metric_copy(struct pn_entry_metric *out, struct pn_arena *arena,
			  const struct pn_profile *profile,
			  const struct pn_metric *metric)
{
	size_t bytes = metric->value_count * sizeof(*metric->values);
	double *values = pn_arena_alloc(arena, bytes);

	memset(out, 0, sizeof(*out));
	out->name = keep(arena, pn_profile_text(profile, metric->name));
	out->unit = keep(arena, pn_profile_text(profile, metric->unit));
	out->better = metric->better;
	if (bytes) {
		memcpy(values, metric->values, bytes);
		out->values = values;
		out->value_count = metric->value_count;
	}
	out->summary = metric->summary;
}

static void add_number(struct pn_buf *out, double value)
{
	char text[PN_NUMBER_TEXT];

	if (!isnan(value))
		pn_buf_add(out, text, pn_number_write(text, value, false));
}

static void write_metric(struct pn_buf *out, const struct pn_entry_metric *m)
{
	static const char *const better[] = {"-", "less", "more"};
	const struct pn_summary *all = &m->summary;
	const double s[7] = {all->min, all->q1,	  all->median, all->q3,
			     all->max, all->mean, all->sd};
	char n[PN_NUMBER_UINT_TEXT];
	size_t i;

	pn_buf_add_text(out, " m=");
	pn_escape_percent(out, m->name, strlen(m->name));
	pn_buf_add_byte(out, ';');
	pn_escape_percent(out, m->unit, strlen(m->unit));
	pn_buf_add_byte(out, ';');
	pn_buf_add_text(out, better[m->better]);
	pn_buf_add_byte(out, ';');
	pn_number_write_uint(n, all->n);
	pn_buf_add_text(out, n);
	pn_buf_add_byte(out, ';');
	if (m->value_count && m->value_count <= PN_LINE_VALUES_MAX) {
		for (i = 0; i < m->value_count; i++) {
			if (i)
				pn_buf_add_byte(out, ',');
			add_number(out, m->values[i]);
		}
		return;
	}
	pn_buf_add_byte(out, 's');
	for (i = 0; i < 7; i++) {
		pn_buf_add_byte(out, ',');
		add_number(out, s[i]);
	}
}

static void add_word(struct pn_buf *out, const char *text)
{
	pn_buf_add_byte(out, ' ');
	pn_buf_add_text(out, text);
}

static void add_oid(struct pn_buf *out, const struct pn_oid *oid)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, oid);
	add_word(out, hex);
}

static void write_head(struct pn_buf *out, const struct pn_entry *e)
{
	char size[PN_NUMBER_UINT_TEXT];

	pn_buf_add_text(out, e->kind == PN_ENTRY_DEL ? "del" : e->kind_text);
	if (e->kind == PN_ENTRY_DEL) {
		add_word(out, e->target);
		add_word(out, "-");
	} else if (e->has_body) {
		add_oid(out, &e->body);
		pn_number_write_uint(size, e->size);
		add_word(out, size);
	} else {
		pn_buf_add_text(out, " - 0");
	}
	add_oid(out, &e->commit);
	add_oid(out, &e->tree);
}

int pn_entry_write(struct pn_buf *out, struct pn_entry *entry,
		   struct pn_error *err)
{
	char time[PN_TIME_TEXT];
	struct pn_buf line = {0};
	size_t i, id_at;

	pn_time_write(time, entry->time_ns);
	pn_buf_reserve(&line, LINE_ROOM);
	pn_buf_add_text(&line, "perf1 ");
	pn_buf_add_text(&line, time);
	pn_buf_add_byte(&line, ' ');
	id_at = line.len;
	write_head(&line, entry);
	for (i = 0; i < entry->field_count; i++) {
		const struct pn_field *f = &entry->fields[i];

		pn_buf_add_byte(&line, ' ');
		pn_escape_percent(&line, f->key, strlen(f->key));
		pn_buf_add_byte(&line, '=');
		pn_escape_percent(&line, f->value, strlen(f->value));
	}
	for (i = 0; i < entry->metric_count; i++)
		write_metric(&line, &entry->metrics[i]);
	i = entry->field_count + entry->metric_count;
	if (line.len + PN_ENTRY_ID_HEX + 2 > PN_LINE_MAX ||
	    i > PN_LINE_FIELDS_MAX) {
		pn_error_set(err, PN_ELIMIT,
			     "an index line of %zu bytes and %zu fields, at "
			     "most %d and %d are kept: use shorter labels or "
			     "fewer",
			     line.len, i, PN_LINE_MAX, PN_LINE_FIELDS_MAX);
		pn_buf_release(&line);
		return PN_ELIMIT;
	}
	compute_id(entry->id, pn_buf_text(&line), id_at, id_at, line.len);
	pn_buf_add(out, line.data, id_at);
	pn_buf_add(out, entry->id, PN_ENTRY_ID_HEX);
	pn_buf_add_byte(out, ' ');
	pn_buf_add(out, line.data + id_at, line.len - id_at);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&line);
	return 0;
}
