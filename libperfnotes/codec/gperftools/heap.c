/*
 * The heap as text: gperftools' HEAPPROFILE and growth, Go's debug=1. Where
 * only some allocations were sampled, each stands for as many as its chance
 * to be hit was small: 1 - exp(-size / rate).
 */
#include "codec/codec.h"
#include "codec/gperftools/gperftools.h"

#include <math.h>
#include <string.h>

#define BEGIN "heap profile:"

bool pn_gperftools_take_amounts(struct pn_gperftools_amounts *out,
				const char **text, size_t *len)
{
	memset(out, 0, sizeof(*out));
	if (!pn_gperftools_take_int(&out->use, text, len) ||
	    !pn_gperftools_take_word(text, len, ":") ||
	    !pn_gperftools_take_int(&out->use_bytes, text, len))
		return false;
	if (!pn_gperftools_take_word(text, len, "["))
		return true;
	return pn_gperftools_take_int(&out->all, text, len) &&
	       pn_gperftools_take_word(text, len, ":") &&
	       pn_gperftools_take_int(&out->all_bytes, text, len) &&
	       pn_gperftools_take_word(text, len, "]");
}

/* "heap_v2/524288", "heap/1048576": Go says twice its rate there. */
static bool take_kind(struct pn_gperftools_heap *h, const char **text,
		      size_t *len)
{
	h->rate = 1;
	if (pn_gperftools_take_word(text, len, "heapprofile"))
		return true;
	h->has_one = pn_gperftools_take_word(text, len, "growthz") ||
		     pn_gperftools_take_word(text, len, "fragmentationz");
	if (h->has_one)
		return true;
	h->is_sampled = true;
	if (pn_gperftools_take_word(text, len, "heap_v2") ||
	    pn_gperftools_take_word(text, len, "heapz_v2")) {
		h->rate = 0;
		return !pn_gperftools_take_word(text, len, "/") ||
		       pn_gperftools_take_int(&h->rate, text, len);
	}
	if (!pn_gperftools_take_word(text, len, "heap"))
		return false;
	h->rate = 0;
	if (pn_gperftools_take_word(text, len, "/") &&
	    !pn_gperftools_take_int(&h->rate, text, len))
		return false;
	h->rate /= 2;
	return true;
}

bool pn_gperftools_has_alloc(const struct pn_gperftools_amounts *sums)
{
	return (sums->all && sums->all != sums->use) ||
	       (sums->all_bytes && sums->all_bytes != sums->use_bytes);
}

static int read_head(struct pn_gperftools_text *t, struct pn_gperftools_heap *h,
		     struct pn_error *err)
{
	struct pn_gperftools_amounts sums;
	const char *text;
	size_t len;
	int code = pn_lines_next(&text, &len, &t->lines, err);

	if (code)
		return code;
	if (!text || !pn_gperftools_take_word(&text, &len, BEGIN) ||
	    !pn_gperftools_take_amounts(&sums, &text, &len) ||
	    !pn_gperftools_take_word(&text, &len, "@") ||
	    !take_kind(h, &text, &len))
		return pn_gperftools_bad_line(
			t, err,
			"expected 'heap profile: n: bytes [n: bytes] @ kind', "
			"where kind is heap_v2/N, heap/N, heapprofile or "
			"growthz");
	h->has_alloc = !h->has_one && pn_gperftools_has_alloc(&sums);
	return 0;
}

void pn_gperftools_heap_types(struct pn_profile *p,
			      const struct pn_gperftools_heap *h)
{
	size_t i;

	if (h->has_alloc) {
		pn_profile_add_type(p, "alloc_objects", "count");
		pn_profile_add_type(p, "alloc_space", "bytes");
		pn_profile_add_type(p, "inuse_objects", "count");
		pn_profile_add_type(p, "inuse_space", "bytes");
	} else {
		pn_profile_add_type(p, "objects", "count");
		pn_profile_add_type(p, "space", "bytes");
	}
	for (i = 0; i < p->type_count; i++)
		p->types[i].better = PN_BETTER_LESS;
	p->period = h->rate;
	p->period_type.type = pn_strtab_add_text(&p->strings, "space");
	p->period_type.unit = pn_strtab_add_text(&p->strings, "bytes");
}

static int64_t whole(double value)
{
	if (value >= 9223372036854775807.0)
		return INT64_MAX;
	return value > -9223372036854775807.0 ? (int64_t)value : -INT64_MAX;
}

void pn_gperftools_unsample(union pn_value *out, int64_t rate)
{
	double count = (double)out[0].i, bytes = (double)out[1].i, scale;

	if (!out[0].i || !out[1].i) {
		out[0].i = out[1].i = 0;
	} else if (rate > 1) {
		scale = 1 / (1 - exp(-(bytes / count) / (double)rate));
		out[0].i = whole(count * scale);
		out[1].i = whole(bytes * scale);
	}
}

/* Two columns, scaled; false when there are bytes of nothing. */
static bool set_amounts(union pn_value *out, struct pn_label *size,
			const struct pn_gperftools_heap *h, int64_t count,
			int64_t bytes)
{
	if (!count && bytes)
		return false;
	out[0].i = count;
	out[1].i = bytes;
	if (!count)
		return true;
	size->value.i =
		bytes == INT64_MIN && count == -1 ? INT64_MAX : bytes / count;
	if (h->is_sampled)
		pn_gperftools_unsample(out, h->rate);
	return true;
}

bool pn_gperftools_heap_values(union pn_value *out, struct pn_label *size,
			       struct pn_profile *p,
			       const struct pn_gperftools_heap *h,
			       const struct pn_gperftools_amounts *row)
{
	*size = (struct pn_label){
		.key = pn_strtab_add_text(&p->strings, "bytes"),
		.kind = PN_LABEL_INT,
	};
	if (h->has_alloc) {
		if (!set_amounts(out, size, h, row->all, row->all_bytes))
			return false;
		out += 2;
	}
	return set_amounts(out, size, h, row->use, row->use_bytes);
}

static int read_row(struct pn_gperftools_text *t, const char *text, size_t len,
		    struct pn_error *err)
{
	struct pn_gperftools_amounts row;

	if (!pn_gperftools_take_amounts(&row, &text, &len) ||
	    pn_gperftools_take_word(&text, &len, ":"))
		return pn_gperftools_bad_line(
			t, err, "expected 'n: bytes [n: bytes] @ addresses'");
	if (!pn_gperftools_heap_values(t->values, &t->row_label, t->p, t->head,
				       &row))
		return pn_gperftools_bad_line(t, err, "bytes of 0 allocations");
	return 0;
}

static int read_heap(struct pn_profile *out, struct pn_reader *in,
		     struct pn_error *err)
{
	struct pn_gperftools_heap h = {0};
	struct pn_gperftools_text t = {.p = out, .row = read_row, .head = &h};
	int code;

	t.lines.in = in;
	code = read_head(&t, &h, err);
	if (!code) {
		pn_gperftools_heap_types(out, &h);
		code = pn_gperftools_rows(&t, err);
	}
	pn_gperftools_text_release(&t);
	if (code)
		pn_profile_release(out);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return len >= sizeof(BEGIN) - 1 &&
			       !memcmp(bytes, BEGIN, sizeof(BEGIN) - 1)
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_gperftools_heap = {
	.name = "gperftools-heap",
	.summary = "the heap as text, of gperftools and of Go (debug=1)",
	.languages = "c c++ go",
	.made_by = "HEAPPROFILE=<file> with -ltcmalloc (gperftools)",
	.sniffed_by = "'heap profile:' first",
	.suffix = ".heap",
	.sniff = sniff,
	.read = read_heap,
};
