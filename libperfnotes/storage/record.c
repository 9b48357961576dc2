/* Records: reading an input once, saying what it is in fields and metrics. */
#include "storage/record.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/reader/reader.h"
#include "body/body.h"
#include "model/graph/totals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_KEPT 960 /* of a text that is cut */
#define FIXED_MAX 512 /* of a line, but for fields and metrics */

void pn_record_release(struct pn_record *record)
{
	if (!record)
		return;
	pn_arena_release(&record->arena);
	free(record->fields);
	free(record->metrics);
	if (record->has_profile)
		pn_profile_release(&record->profile);
	pn_buf_release(&record->verbatim);
	pn_buf_release(&record->encoded);
	memset(record, 0, sizeof(*record));
}

static const char *keep(struct pn_record *r, const char *text)
{
	return pn_arena_copy(&r->arena, text, strlen(text));
}

/* The key stays where it is. */
static void add_field(struct pn_record *record, const char *key,
		      const char *value)
{
	if (!*value)
		return;
	record->fields =
		pn_grow(record->fields, &record->field_cap,
			record->field_count + 1, sizeof(*record->fields));
	record->fields[record->field_count].key = key;
	record->fields[record->field_count++].value = keep(record, value);
}

void pn_record_add_field(struct pn_record *record, const char *key,
			 const char *value)
{
	if (*value)
		add_field(record, keep(record, key), value);
}

const char *pn_record_field(const struct pn_record *record, const char *key)
{
	size_t i;

	for (i = 0; i < record->field_count; i++)
		if (!strcmp(record->fields[i].key, key))
			return record->fields[i].value;
	return "";
}

/* The key stays where it is. */
static void set_field(struct pn_record *record, const char *key,
		      const char *value)
{
	size_t i = 0;

	while (i < record->field_count && strcmp(record->fields[i].key, key))
		i++;
	if (i < record->field_count)
		record->fields[i].value = keep(record, value);
	else
		add_field(record, key, value);
}

void pn_record_set_field(struct pn_record *record, const char *key,
			 const char *value)
{
	set_field(record, keep(record, key), value);
}

static struct pn_entry_metric *add_metric(struct pn_record *r, size_t *cap)
{
	struct pn_entry_metric *m;

	r->metrics = pn_grow(r->metrics, cap, r->metric_count + 1,
			     sizeof(*r->metrics));
	m = &r->metrics[r->metric_count++];
	memset(m, 0, sizeof(*m));
	return m;
}

void pn_record_describe(struct pn_record *record, const struct pn_entry *entry)
{
	size_t i, cap = record->metric_count;

	for (i = 0; i < entry->field_count; i++) {
		const struct pn_field *f = &entry->fields[i];

		if (strcmp(f->key, "n") != 0 && strcmp(f->key, "body") != 0 &&
		    strcmp(f->key, "base") != 0)
			pn_record_add_field(record, f->key, f->value);
	}
	for (i = 0; i < entry->metric_count; i++) {
		const struct pn_entry_metric *from = &entry->metrics[i];
		struct pn_entry_metric *m = add_metric(record, &cap);
		size_t bytes = from->value_count * sizeof(*from->values);
		double *values = pn_arena_alloc(&record->arena, bytes);

		*m = *from;
		m->name = keep(record, from->name);
		m->unit = keep(record, from->unit);
		if (bytes)
			memcpy(values, from->values, bytes);
		m->values = from->values ? values : NULL;
	}
}

/* Metrics of the profile itself, else one total per value type. */
static void describe_metrics(struct pn_record *r, const struct pn_profile *p)
{
	struct pn_metric *list;
	size_t i, count, cap = 0;

	list = pn_totals_of(&count, p);
	for (i = 0; i < count; i++)
		pn_entry_metric_copy(add_metric(r, &cap), &r->arena, p,
				     &list[i]);
	pn_totals_free(list, count);
}

static void add_prefixed(struct pn_record *r, const char *prefix,
			 const char *key, const char *value)
{
	size_t first = strlen(prefix), second = strlen(key) + 1;
	char *name = pn_arena_alloc(&r->arena, first + second);

	memcpy(name, prefix, first);
	memcpy(name + first, key, second);
	set_field(r, name, value);
}

void pn_record_set_label(struct pn_record *record, const char *key,
			 const char *value)
{
	add_prefixed(record, "l.", key, value);
}

/* "env" is the fingerprint, e.<key> the facts behind it. */
static void add_environment(struct pn_record *r, const char *key,
			    const char *value)
{
	if (!strcmp(key, "env"))
		pn_record_set_field(r, "env", value);
	else
		add_prefixed(r, "e.", key, value);
}

static void describe_environment(struct pn_record *r,
				 const struct pn_profile *p,
				 const struct pn_record_options *options)
{
	const struct pn_header *h = &p->header;
	size_t i;

	for (i = 0; i < h->environment_count; i++)
		add_environment(r, pn_profile_text(p, h->environment[i].key),
				pn_profile_text(p, h->environment[i].value));
	if (!h->environment_count)
		for (i = 0; i < options->environment_count; i++)
			add_environment(r, options->environment[i].key,
					options->environment[i].value);
	for (i = 0; i < h->label_count; i++)
		add_prefixed(r, "l.", pn_profile_text(p, h->labels[i].key),
			     pn_profile_text(p, h->labels[i].value));
	for (i = 0; i < options->label_count; i++)
		add_prefixed(r, "l.", options->labels[i].key,
			     options->labels[i].value);
}

/* Parameters of a collector stand in the line unless they are long. */
static bool params_fit(const struct pn_profile *p)
{
	return pn_strtab_len(&p->strings, p->header.collector.params) <= 512;
}

static bool texts_fit(const struct pn_profile *p)
{
	const uint32_t texts[] = {p->header.cmd, p->header.args,
				  p->header.workload};
	size_t i;

	for (i = 0; i < 3; i++)
		if (pn_strtab_len(&p->strings, texts[i]) > PN_RECORD_TEXT_MAX)
			return false;
	return true;
}

bool pn_record_needs_body(const struct pn_record *record)
{
	const struct pn_profile *p = &record->profile;
	const struct pn_header *h = &p->header;
	size_t i;

	if (!record->has_profile)
		return record->has_verbatim;
	for (i = 0; i < p->metric_count; i++)
		if (p->metrics[i].value_count > PN_LINE_VALUES_MAX)
			return true;
	return !p->metric_count || p->type_count || p->mapping_count ||
	       p->function_count || p->location_count || p->comment_count ||
	       h->post_count || h->extra_count || h->model_count || p->period ||
	       !params_fit(p) || !texts_fit(p) ||
	       *pn_record_field(record, "metrics");
}

int pn_record_check_size(const struct pn_record *record, size_t len,
			 struct pn_error *err)
{
	uint64_t max =
		record->max_bytes ? record->max_bytes : PN_BODY_MAX_BYTES;

	if (max > PN_BODY_MAX_BYTES)
		max = PN_BODY_MAX_BYTES;
	if (len <= max)
		return 0;
	return pn_error_set(err, PN_ELIMIT,
			    "a body of %zu bytes, at most %" PRIu64 " are kept "
			    "(perf.maxBodySize)",
			    len, max);
}

/*
 * The texts that make a job, as they stand in the line. A long one is cut, by
 * its own length only, so that a job is always called the same; the hash keeps
 * two apart that begin alike.
 */
void pn_record_text(struct pn_buf *out, const char *text)
{
	size_t len = strlen(text), kept = TEXT_KEPT, i;
	unsigned char sum[32];

	if (len <= PN_RECORD_TEXT_MAX) {
		pn_buf_add(out, text, len);
		return;
	}
	while (kept && ((unsigned char)text[kept] & 0xc0) == 0x80)
		kept--; /* not amid a character */
	pn_hash_sha256(sum, text, len);
	pn_buf_add(out, text, kept);
	pn_buf_printf(out, "...(%zu bytes, ", len);
	for (i = 0; i < 8; i++)
		pn_buf_printf(out, "%02x", sum[i]);
	pn_buf_add_byte(out, ')');
}

static void add_text(struct pn_record *r, const char *key, const char *text)
{
	struct pn_buf cut = {0};

	if (!*text)
		return;
	pn_record_text(&cut, text);
	pn_record_add_field(r, key, pn_buf_text(&cut));
	pn_buf_release(&cut);
}

/* What a profile without a command is of: its main mapping, which stands
 * first, unless that is the kernel or no file. */
static void add_program(struct pn_record *r, const struct pn_profile *p)
{
	const char *file;

	if (!p->mapping_count)
		return;
	file = pn_profile_text(p, p->mappings[0].file);
	if (*file != '[')
		add_text(r, "program", pn_file_basename(file));
}

/* One of several profiles of a run. */
static void add_thread(struct pn_record *r, const struct pn_profile *p)
{
	const struct pn_thread *thread = p->events.threads;
	struct pn_buf text = {0};

	if (p->events.thread_count != 1 || p->events.count ||
	    thread->process == PN_NONE)
		return;
	pn_buf_printf(
		&text, "%s:%s",
		pn_profile_text(p, p->events.processes[thread->process].id),
		pn_profile_text(p, thread->id));
	add_text(r, PN_THREAD_FIELD, pn_buf_text(&text));
	pn_buf_release(&text);
}

static void describe_header(struct pn_record *r, const struct pn_profile *p)
{
	const struct pn_header *h = &p->header;
	struct pn_buf posts = {0};
	char number[32];
	size_t i;

	pn_record_add_field(r, "kind", pn_totals_kind(p));
	add_text(r, "cmd", pn_profile_text(p, h->cmd));
	if (!h->cmd)
		add_program(r, p);
	add_text(r, "args", pn_profile_text(p, h->args));
	add_text(r, "workload", pn_profile_text(p, h->workload));
	pn_record_add_field(r, "collector",
			    pn_profile_text(p, h->collector.name));
	for (i = 0; i < h->post_count; i++) {
		if (i)
			pn_buf_add_byte(&posts, ' ');
		pn_buf_add_text(&posts, pn_profile_text(p, h->posts[i].name));
	}
	pn_record_add_field(r, "posts", pn_buf_text(&posts));
	pn_buf_release(&posts);
	if (params_fit(p))
		pn_record_add_field(r, "params",
				    pn_profile_text(p, h->collector.params));
	if (p->duration_ns > 0) {
		snprintf(number, sizeof(number), "%" PRId64, p->duration_ns);
		pn_record_add_field(r, "duration", number);
	}
	if (h->exit_status > 0) {
		snprintf(number, sizeof(number), "%" PRId64, h->exit_status);
		pn_record_add_field(r, "exit", number);
	}
	if (h->dirty)
		pn_record_add_field(r, "dirty", "1");
	add_thread(r, p);
}

/* Most lines are so short that there is no need to write them to know it: each
 * byte takes three at most. */
static bool fits_surely(const struct pn_record *r)
{
	size_t bytes = FIXED_MAX, i;

	for (i = 0; i < r->field_count; i++)
		bytes += 3 * (strlen(r->fields[i].key) +
			      strlen(r->fields[i].value)) +
			 2;
	for (i = 0; i < r->metric_count; i++) {
		const struct pn_entry_metric *m = &r->metrics[i];

		bytes += 3 * (strlen(m->name) + strlen(m->unit)) +
			 PN_NUMBER_TEXT * (m->value_count + 8) + 16;
	}
	return bytes <= PN_LINE_MAX &&
	       r->field_count + r->metric_count + 3 <= PN_LINE_FIELDS_MAX;
}

/* A line has 16 kB at most: metrics that would not fit stay in the body. */
static void fit_line(struct pn_record *r, struct pn_profile *p)
{
	struct pn_entry entry = {.kind = PN_ENTRY_PROFILE,
				 .kind_text = "profile",
				 .has_body = true,
				 .size = UINT64_MAX};
	struct pn_buf line = {0};
	char nonce[32];
	size_t i, fields = r->field_count;
	bool fits;

	if (fits_surely(r))
		return;
	snprintf(nonce, sizeof(nonce), "%030d", 0);
	for (i = 0; i < 3; i++) /* n, body, base have 80 bytes */
		pn_record_add_field(r, "", nonce);
	entry.fields = r->fields;
	entry.field_count = r->field_count;
	entry.metrics = r->metrics;
	entry.metric_count = r->metric_count;
	fits = !pn_entry_write(&line, &entry, NULL);
	pn_buf_release(&line);
	r->field_count = fields;
	if (fits)
		return;
	for (i = p->metric_count ? r->metric_count : 0; i < r->metric_count;
	     i++)
		pn_profile_add_metric(p, r->metrics[i].name, r->metrics[i].unit,
				      r->metrics[i].better,
				      r->metrics[i].values,
				      r->metrics[i].value_count)
			->summary = r->metrics[i].summary;
	pn_record_add_field(r, "metrics", "body");
	r->metric_count = 0;
}

static void describe(struct pn_record *r, struct pn_profile *p,
		     const char *format, const char *name,
		     const struct pn_record_options *options)
{
	char time[PN_TIME_TEXT];

	pn_record_add_field(r, "name", name);
	if (p->time_ns > 0) {
		pn_time_write(time, p->time_ns);
		pn_record_add_field(r, "t", time);
	}
	pn_record_add_field(r, "format", format);
	describe_header(r, p);
	describe_environment(r, p, options);
	describe_metrics(r, p);
	fit_line(r, p);
}

int pn_record_from_profile(struct pn_record *out, struct pn_profile *profile,
			   const struct pn_record_options *options,
			   struct pn_error *err)
{
	struct pn_record r = {0};
	const char *name = options->name;

	if (pn_profile_check(profile, err))
		return pn_error_context(err, "cannot keep the profile");
	if (!name)
		name = pn_profile_text(profile, profile->header.name);
	describe(&r, profile, "git-perf", name, options);
	r.profile = *profile;
	r.has_profile = true;
	r.max_bytes = options->max_bytes;
	pn_profile_init(profile);
	*out = r;
	return 0;
}

static const char *display_name(const char *path)
{
	return strcmp(path, "-") ? pn_file_basename(path) : "stdin";
}

/* The profile's own word on where it was measured leaves it: the index line
 * says where it belongs. */
static int take_origin(struct pn_oid *origin, struct pn_profile *p,
		       struct pn_error *err)
{
	const char *text = pn_profile_text(p, p->header.origin);

	memset(origin, 0, sizeof(*origin));
	if (!*text)
		return 0;
	if (strlen(text) != PN_OID_HEX || pn_oid_parse(origin, text))
		return pn_error_set(err, PN_EINVAL,
				    "origin '%.60s' is no commit id of 40 hex "
				    "digits",
				    text);
	p->header.origin = 0;
	return 0;
}

static int read_bytes(struct pn_profile *out, const struct pn_buf *bytes,
		      const char *path, const struct pn_codec *codec,
		      const char *hint, struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code = pn_reader_memory(&in, bytes->data, bytes->len, path, 0, err);

	if (!code) {
		pn_reader_set_hint(in, hint);
		code = pn_codec_read(out, codec, NULL, in, err);
	}
	pn_reader_free(in);
	return code;
}

/* All of `in` as a record. */
static int read_all(struct pn_record *out, struct pn_oid *origin,
		    struct pn_reader *in, const char *path,
		    const struct pn_record_options *options,
		    struct pn_error *err)
{
	uint64_t max =
		options->max_bytes ? options->max_bytes : PN_BODY_MAX_BYTES;
	const struct pn_codec *codec = options->codec;
	struct pn_buf bytes = {0};
	struct pn_record r = {0};
	struct pn_oid from;
	int code = 0;

	/* what nobody knows need not be read to its end */
	if (!codec)
		code = pn_codec_sniff(&codec, in, err);
	if (!code)
		code = pn_reader_rest(&bytes, in, max, err);
	pn_profile_init(&r.profile);
	r.has_profile = true;
	r.max_bytes = options->max_bytes;
	if (!code)
		code = read_bytes(&r.profile, &bytes, path, codec,
				  options->hint, err);
	if (!code && (code = take_origin(&from, &r.profile, err)))
		pn_error_context(err, "cannot read '%s'", path);
	if (code)
		goto out;
	describe(&r, &r.profile, codec->name,
		 options->name ? options->name : display_name(path), options);
	if (options->verbatim || !r.profile.complete ||
	    pn_body_estimate(&r.profile) > PN_RECORD_MAX_COLUMNS) {
		r.verbatim = bytes;
		r.has_verbatim = true;
		memset(&bytes, 0, sizeof(bytes));
		pn_profile_release(&r.profile);
		r.has_profile = false;
	}
	*out = r;
	memset(&r, 0, sizeof(r));
	*origin = from;
out:
	pn_record_release(&r);
	pn_buf_release(&bytes);
	return code;
}

int pn_record_read(struct pn_record *out, struct pn_oid *origin,
		   const char *path, const struct pn_record_options *options,
		   struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code = pn_reader_open(&in, path, options->max_bytes, err);

	if (!code)
		code = read_all(out, origin, in, path, options, err);
	pn_reader_free(in);
	return code;
}

int pn_record_read_memory(struct pn_record *out, struct pn_oid *origin,
			  const void *bytes, size_t len, const char *path,
			  const struct pn_record_options *options,
			  struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code = pn_reader_memory(&in, bytes, len, path, 0, err);

	if (!code)
		code = read_all(out, origin, in, path, options, err);
	pn_reader_free(in);
	return code;
}
