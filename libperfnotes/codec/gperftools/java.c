/*
 * Java's heap and locks as text: settings "key = value", rows "amount count @
 * frames", and what the frames are. Each allocation that was sampled stands
 * for as many as its chance to be hit was small (heap.c), one in 512 KiB.
 * pprof's legacy profiles.
 */
#include "codec/gperftools/java.h"

#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/gperftools/gperftools.h"

#include <stdlib.h>
#include <string.h>

#define HEAP "--- heapz 1 ---"
#define LOCKS "--- contentionz 1 ---"
#define FORMAT "format = java"
#define HEAP_RATE 524288

struct row {
	int64_t count, amount;
	size_t first, frames; /* of `numbers` */
};

struct decoder {
	struct pn_profile *p;
	struct pn_gperftools_text text; /* its lines, for messages */
	bool is_heap;
	uint32_t resolution; /* a string, 0 so far */
	struct row *rows;
	size_t row_count, row_cap;
	uint64_t *numbers;
	size_t number_count, number_cap;
	struct pn_java_names names;
};

static bool is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

static int read_number(int64_t *out, struct decoder *d, const char *text,
		       size_t len, struct pn_error *err)
{
	if (pn_gperftools_take_int(out, &text, &len) && !len && *out >= 0)
		return 0;
	return pn_gperftools_bad_line(
		&d->text, err, "expected a number of 0 or more behind '='");
}

static int read_setting(struct decoder *d, const char *key, size_t key_len,
			const char *text, size_t len, struct pn_error *err)
{
	int64_t ms = 0;
	int code;

	if (is_word(key, key_len, "format") && is_word(text, len, "java"))
		return 0;
	if (is_word(key, key_len, "resolution") && len) {
		d->resolution = pn_strtab_add(&d->p->strings, text, len);
		return 0;
	}
	if (!d->is_heap && is_word(key, key_len, "sampling period"))
		return read_number(&d->p->period, d, text, len, err);
	if (!d->is_heap && is_word(key, key_len, "ms since reset")) {
		code = read_number(&ms, d, text, len, err);
		if (!code && ms <= INT64_MAX / 1000000)
			d->p->duration_ns = ms * 1000000;
		return code;
	}
	return pn_gperftools_bad_line(
		&d->text, err,
		"expected 'format = java', 'resolution = <unit>', 'sampling "
		"period = <n>' or 'ms since reset = <n>'");
}

/* Splits at the "=", without the blanks around it. */
static int take_setting(struct decoder *d, const char *text, size_t len,
			const char *sign, struct pn_error *err)
{
	size_t key = (size_t)(sign - text), rest = len - key - 1;
	const char *value = sign + 1;

	while (key && text[key - 1] == ' ')
		key--;
	while (rest && *value == ' ') {
		value++;
		rest--;
	}
	while (rest && value[rest - 1] == ' ')
		rest--;
	return read_setting(d, text, key, value, rest, err);
}

static void add_type(struct decoder *d, const char *type, uint32_t unit)
{
	uint32_t at = pn_profile_add_type(d->p, type, "");

	d->p->types[at].unit = unit;
	d->p->types[at].better = PN_BETTER_LESS;
}

static int add_types(struct decoder *d, struct pn_error *err)
{
	uint32_t count = pn_strtab_add_text(&d->p->strings, "count");

	if (!d->resolution)
		return pn_gperftools_bad_line(
			&d->text, err,
			"expected 'resolution = <unit>' before the rows");
	add_type(d, d->is_heap ? "inuse_objects" : "contentions", count);
	add_type(d, d->is_heap ? "inuse_space" : "delay", d->resolution);
	if (!d->is_heap)
		d->p->period_type = d->p->types[0];
	return 0;
}

static int read_row(struct decoder *d, const char *text, size_t len,
		    struct pn_error *err)
{
	struct row *row;

	if (!d->p->type_count) {
		int code = add_types(d, err);

		if (code)
			return code;
	}
	d->rows = pn_grow(d->rows, &d->row_cap, d->row_count + 1, sizeof(*row));
	row = &d->rows[d->row_count];
	row->first = d->number_count;
	if (!pn_gperftools_take_int(&row->amount, &text, &len) ||
	    !pn_gperftools_take_int(&row->count, &text, &len) ||
	    row->amount < 0 || row->count < d->is_heap ||
	    !pn_gperftools_take_word(&text, &len, "@"))
		return pn_gperftools_bad_line(
			&d->text, err, "expected 'amount count @ frames'");
	d->numbers = pn_grow(d->numbers, &d->number_cap, d->number_count + 1,
			     sizeof(*d->numbers));
	while (pn_gperftools_take_address(&d->numbers[d->number_count], &text,
					  &len)) {
		d->number_count++;
		if (d->number_count - row->first > PN_MAX_STACK_DEPTH)
			return pn_gperftools_bad_line(
				&d->text, err, "more than 1048576 frames");
		d->numbers = pn_grow(d->numbers, &d->number_cap,
				     d->number_count + 1, sizeof(*d->numbers));
	}
	row->frames = d->number_count - row->first;
	d->row_count++;
	return 0;
}

static int64_t times(int64_t value, int64_t factor)
{
	return __builtin_mul_overflow(value, factor, &value) ? INT64_MAX
							     : value;
}

static uint32_t fill_values(struct decoder *d, const struct row *row,
			    union pn_value *out)
{
	struct pn_label label = {.kind = PN_LABEL_INT};

	out[0].i = row->count;
	out[1].i = row->amount;
	if (!d->is_heap) {
		out[0].i = times(row->count, d->p->period ? d->p->period : 1);
		out[1].i = times(row->amount, d->p->period ? d->p->period : 1);
		return 0;
	}
	pn_gperftools_unsample(out, HEAP_RATE);
	label.key = pn_strtab_add_text(&d->p->strings, "bytes");
	label.value.i = row->amount / row->count;
	return pn_profile_add_label_set(d->p, &label, 1);
}

static void add_samples(struct decoder *d)
{
	struct pn_frames frames = {0};
	uint32_t *stack = pn_calloc(d->number_count + 1, sizeof(*stack));
	union pn_value values[2];
	uint32_t set;
	size_t i, f;

	pn_java_names_sort(&d->names);
	for (i = 0; i < d->number_count; i++) {
		struct pn_frame frame =
			pn_java_names_find(&d->names, d->numbers[i]);

		stack[i] = pn_frames_inlined(&frames, d->p, &frame, &frame,
					     frame.name ? 1 : 0);
	}
	for (i = 0; i < d->row_count; i++) {
		const struct row *row = &d->rows[i];

		set = fill_values(d, row, values);
		f = pn_frames_stack(&frames, d->p, stack + row->first,
				    row->frames);
		pn_profile_add_sample(d->p, (uint32_t)f, set, values);
	}
	free(stack);
	pn_frames_release(&frames);
}

/* Rows begin with a digit, names with "0x", settings with a letter. */
static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	const char *sign;

	while (len && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	if (!len)
		return 0;
	if (len > 1 && text[0] == '0' && text[1] == 'x') {
		pn_java_names_line(&d->names, d->p, text, len);
		return 0;
	}
	sign = memchr(text, '=', len);
	if (sign && !d->row_count)
		return take_setting(d, text, len, sign, err);
	return read_row(d, text, len, err);
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	struct pn_lines *lines = &d->text.lines;
	const char *text;
	size_t len;
	int code = pn_lines_next(&text, &len, lines, err);

	if (code)
		return code;
	d->is_heap = text && is_word(text, len, HEAP);
	if (!text || (!d->is_heap && !is_word(text, len, LOCKS)))
		return pn_gperftools_bad_line(
			&d->text, err, "expected '" HEAP "' or '" LOCKS "'");
	code = pn_lines_each(lines, d, take_line, err);
	if (!code && !d->p->type_count)
		code = add_types(d, err);
	if (!code)
		add_samples(d);
	d->p->complete = false;
	return code;
}

static int read_java(struct pn_profile *out, struct pn_reader *in,
		     struct pn_error *err)
{
	struct decoder d = {.p = out};
	int code;

	d.text.lines.in = in;
	code = read_all(&d, err);
	free(d.rows);
	free(d.numbers);
	pn_java_names_release(&d.names);
	if (code)
		pn_profile_release(out);
	return code;
}

bool pn_java_is_text(const char *text, size_t len)
{
	return (pn_gperftools_take_word(&text, &len, HEAP "\n") ||
		pn_gperftools_take_word(&text, &len, LOCKS "\n")) &&
	       pn_gperftools_take_word(&text, &len, FORMAT);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_java_is_text((const char *)bytes, len) ? PN_SNIFF_SURE
							 : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_java_text = {
	.name = "java-text",
	.summary = "heap and locks of Java as text, of pprof's older agents",
	.languages = "java",
	.made_by = "heap, contention and CPU of old Java agents",
	.sniffed_by = "'" HEAP "' or '" LOCKS "', then '" FORMAT "'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_java,
};
