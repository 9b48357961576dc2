/*
 * Go's other profiles as text (debug=1), and gperftools' of locks: how often
 * and how long somebody waited, or how many goroutines or threads stand where.
 */
#include "codec/codec.h"
#include "codec/gperftools/gperftools.h"
#include "codec/gperftools/java.h"

#include <string.h>

#define TOTAL " profile: total "

struct waits {
	int64_t hz, period;
};

static int64_t scaled(double value)
{
	return value < 9223372036854775807.0 ? (int64_t)value : INT64_MAX;
}

/* "1170760994 18 @ ...": cycles, and how often. */
static int read_wait(struct pn_gperftools_text *t, const char *text, size_t len,
		     struct pn_error *err)
{
	const struct waits *w = t->head;
	int64_t cycles, count;

	if (!pn_gperftools_take_int(&cycles, &text, &len) || cycles < 0 ||
	    !pn_gperftools_take_int(&count, &text, &len) || count < 0)
		return pn_gperftools_bad_line(
			t, err, "expected 'cycles count @ addresses'");
	t->values[0].i = count;
	t->values[1].i = cycles;
	if (w->period <= 0)
		return 0;
	if (w->hz > 0)
		t->values[1].i = scaled((double)cycles * (double)w->period /
					((double)w->hz / 1e9));
	if (__builtin_mul_overflow(count, w->period, &t->values[0].i))
		t->values[0].i = INT64_MAX;
	return 0;
}

static int read_count(struct pn_gperftools_text *t, const char *text,
		      size_t len, struct pn_error *err)
{
	if (!pn_gperftools_take_int(&t->values[0].i, &text, &len) ||
	    t->values[0].i < 0)
		return pn_gperftools_bad_line(t, err,
					      "expected 'count @ addresses'");
	return 0;
}

/* "key = value" before the rows. */
static int read_setting(struct pn_gperftools_text *t, const char *text,
			size_t len, struct pn_error *err)
{
	struct waits *w = t->head;
	const char *sign = memchr(text, '=', len);
	size_t key = (size_t)(sign - text);
	int64_t value;

	text = sign + 1;
	len -= key + 1;
	if (!pn_gperftools_take_int(&value, &text, &len) || value < 0)
		return pn_gperftools_bad_line(
			t, err, "expected a number of 0 or more behind '='");
	text = sign - key;
	if (pn_gperftools_take_word(&text, &key, "cycles/second")) {
		w->hz = value;
	} else if (pn_gperftools_take_word(&text, &key, "sampling period")) {
		w->period = t->p->period = value;
	} else if (pn_gperftools_take_word(&text, &key, "ms since reset") &&
		   value <= INT64_MAX / 1000000) {
		t->p->duration_ns = value * 1000000;
	}
	return 0;
}

static void add_type(struct pn_profile *p, const char *type, size_t len,
		     const char *unit)
{
	uint32_t at = pn_profile_add_type(p, "", unit);

	p->types[at].type = pn_strtab_add(&p->strings, type, len);
	p->types[at].better = PN_BETTER_LESS;
}

/* The word before " profile: total 12"; 0: there is none. */
static size_t counted(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len &&
	       ((text[n] >= 'a' && text[n] <= 'z') ||
		(text[n] >= 'A' && text[n] <= 'Z') ||
		(text[n] >= '0' && text[n] <= '9') || text[n] == '_'))
		n++;
	return len - n > sizeof(TOTAL) - 1 &&
			       !memcmp(text + n, TOTAL, sizeof(TOTAL) - 1)
		       ? n
		       : 0;
}

static bool is_waits(const char *text, size_t len)
{
	return pn_gperftools_take_word(&text, &len, "--- mutex:") ||
	       pn_gperftools_take_word(&text, &len, "--- contention");
}

static int read_head(struct pn_gperftools_text *t, struct waits *w,
		     struct pn_error *err)
{
	const char *text;
	size_t len;
	int code = pn_lines_next(&text, &len, &t->lines, err);

	if (code)
		return code;
	if (text && is_waits(text, len)) {
		add_type(t->p, "contentions", 11, "count");
		add_type(t->p, "delay", 5, "nanoseconds");
		t->row = read_wait;
		t->setting = read_setting;
	} else if (text && counted(text, len)) {
		add_type(t->p, text, counted(text, len), "count");
		t->row = read_count;
	} else {
		return pn_gperftools_bad_line(
			t, err,
			"expected '--- contention', '--- mutex' or "
			"'<what> profile: total <n>'");
	}
	w->period = t->p->period = 1;
	t->p->period_type = t->p->types[0];
	return 0;
}

static int read_text(struct pn_profile *out, struct pn_reader *in,
		     struct pn_error *err)
{
	struct waits w = {0};
	struct pn_gperftools_text t = {.p = out, .head = &w};
	int code;

	t.lines.in = in;
	code = read_head(&t, &w, err);
	if (!code)
		code = pn_gperftools_rows(&t, err);
	pn_gperftools_text_release(&t);
	if (code)
		pn_profile_release(out);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	const char *text = (const char *)bytes;

	if (pn_java_is_text(text, len))
		return PN_SNIFF_NO;
	return is_waits(text, len) || counted(text, len) ? PN_SNIFF_SURE
							 : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_go_text = {
	.name = "go-text",
	.summary = "Go's locks, goroutines, threads as text (debug=1)",
	.languages = "go",
	.made_by = "/debug/pprof/mutex?debug=1 of net/http/pprof",
	.sniffed_by = "'--- contention', '--- mutex', '<what> profile: total'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_text,
};
