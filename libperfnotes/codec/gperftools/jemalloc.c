/*
 * jemalloc's heap (heap_v2): a stack, and below it what each thread has from
 * there, in the figures of gperftools' text. Each thread's are scaled for
 * themselves, as pprof does; "t*", their sum, counts where no thread is told.
 * jemalloc(3), "prof.dump"; jeprof(1) and pprof read it.
 */
#include "base/alloc.h"
#include "codec/gperftools/gperftools.h"
#include "codec/rows.h"
#include "codec/scan.h"

#include <inttypes.h>
#include <stdlib.h>

#define BEGIN "heap_v2/"
#define SHAPE ": n: bytes [n: bytes]'"

struct state {
	struct pn_profile *p;
	struct pn_lines lines;
	struct pn_gperftools_heap heap;
	struct pn_frames frames;
	bool has_sums, in_map;
	/* the stack whose figures come next */
	uint32_t *places, stack;
	size_t place_cap;
	bool in_stack, has_thread, has_all;
	struct pn_gperftools_amounts all; /* of all of its threads */
};

static int bad_line(const struct state *s, struct pn_error *err,
		    const char *what)
{
	return pn_error_set(err, PN_EINVAL, "line %" PRIu64 ": %s",
			    s->lines.number, what);
}

/* `thread` is an id of the strings, 0: all of them. */
static int add_sample(struct state *s, const struct pn_gperftools_amounts *row,
		      uint32_t thread, struct pn_error *err)
{
	union pn_value values[PN_GPERFTOOLS_VALUES];
	struct pn_label labels[2] = {{0}};
	size_t count = 1;

	if (!pn_gperftools_heap_values(values, &labels[0], s->p, &s->heap, row))
		return bad_line(s, err, "bytes of 0 allocations");
	if (thread)
		labels[count++] = (struct pn_label){
			.key = pn_strtab_add_text(&s->p->strings, "thread"),
			.kind = PN_LABEL_STRING,
			.value.s = thread,
		};
	pn_profile_add_sample(s->p, s->stack,
			      pn_profile_add_label_set(s->p, labels, count),
			      values);
	return 0;
}

static int end_stack(struct state *s, struct pn_error *err)
{
	bool is_sum = s->in_stack && s->has_all && !s->has_thread;

	s->in_stack = s->has_all = s->has_thread = false;
	return is_sum ? add_sample(s, &s->all, 0, err) : 0;
}

static int read_stack(struct state *s, const char *text, size_t len,
		      struct pn_error *err)
{
	uint64_t address;
	size_t depth = 0;
	int code = end_stack(s, err);

	if (code)
		return code;
	if (!s->has_sums)
		return bad_line(s, err,
				"expected a line 't*" SHAPE
				" before the first stack");
	s->places = pn_grow(s->places, &s->place_cap, 1, sizeof(*s->places));
	while (pn_gperftools_take_address(&address, &text, &len)) {
		if (depth == PN_MAX_STACK_DEPTH)
			return bad_line(s, err, "more than 1048576 frames");
		s->places = pn_grow(s->places, &s->place_cap, depth + 1,
				    sizeof(*s->places));
		s->places[depth++] =
			pn_gperftools_bare_place(&s->frames, s->p, address);
	}
	pn_gperftools_take_word(&text, &len, "");
	if (len)
		return bad_line(s, err,
				"expected addresses '0x...' behind the '@'");
	s->stack = pn_frames_stack(&s->frames, s->p, s->places, depth);
	s->in_stack = true;
	return 0;
}

/* "t*: 193: 1980699 [905: 5543842]" behind its "t*:". The first one is of
 * everything. */
static int read_sum(struct state *s, const struct pn_gperftools_amounts *row)
{
	if (s->in_stack) {
		s->all = *row;
		s->has_all = true;
	} else if (!s->has_sums) {
		s->has_sums = true;
		s->heap.has_alloc = pn_gperftools_has_alloc(row);
		pn_gperftools_heap_types(s->p, &s->heap);
	}
	return 0;
}

/* "*" or a number, and the figures. Before the first stack a thread has its
 * name behind them. */
static int read_thread(struct state *s, const char *text, size_t len,
		       struct pn_error *err)
{
	struct pn_gperftools_amounts row;
	const char *name = text;
	bool is_all = pn_gperftools_take_word(&text, &len, "*");
	size_t digits;

	while (!is_all && len && *text >= '0' && *text <= '9') {
		text++;
		len--;
	}
	digits = (size_t)(text - name);
	if (!digits || digits > 20 ||
	    !pn_gperftools_take_word(&text, &len, ":") ||
	    !pn_gperftools_take_amounts(&row, &text, &len) ||
	    (len && *text != ' ' && *text != '\t'))
		return bad_line(s, err, "expected 't<thread>" SHAPE);
	if (is_all)
		return read_sum(s, &row);
	if (!s->in_stack)
		return 0;
	s->has_thread = true;
	return add_sample(s, &row, pn_strtab_add(&s->p->strings, name, digits),
			  err);
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct state *s = to;

	pn_gperftools_take_word(&text, &len, "");
	if (s->in_map) {
		pn_gperftools_map_line(s->p, text, len);
		return 0;
	}
	if (pn_gperftools_is_map_head(text, len)) {
		s->in_map = true;
		return end_stack(s, err);
	}
	if (pn_gperftools_take_word(&text, &len, "@"))
		return read_stack(s, text, len, err);
	if (pn_gperftools_take_word(&text, &len, "t"))
		return read_thread(s, text, len, err);
	return 0;
}

static int read_head(struct state *s, struct pn_error *err)
{
	const char *text;
	size_t len;
	int code = pn_lines_next(&text, &len, &s->lines, err);

	if (code)
		return code;
	s->heap.is_sampled = true;
	if (!text || !pn_gperftools_take_word(&text, &len, BEGIN) ||
	    !pn_gperftools_take_int(&s->heap.rate, &text, &len))
		return pn_error_set(err, PN_EINVAL,
				    "expected '" BEGIN
				    "<rate>' in the first line");
	return 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state s = {.p = out, .lines = {.in = in}};
	int code = read_head(&s, err);

	if (!code)
		code = pn_lines_each(&s.lines, &s, take_line, err);
	if (!code)
		code = end_stack(&s, err);
	if (!code && !s.has_sums)
		code = pn_error_set(err, PN_EINVAL,
				    "expected a line 't*" SHAPE);
	if (!code) {
		pn_gperftools_map_end(out);
		out->complete = false;
	} else {
		pn_profile_release(out);
	}
	pn_frames_release(&s.frames);
	free(s.places);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len);

	return pn_scan_begins(&rest, BEGIN) ? PN_SNIFF_SURE : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_jemalloc = {
	.name = "jemalloc",
	.summary = "the heap as jemalloc dumps it",
	.languages = "c c++ rust",
	.made_by = "MALLOC_CONF=prof:true,prof_final:true <program> (jemalloc)",
	.sniffed_by = "'heap_v2/' first",
	.suffix = ".heap",
	.sniff = sniff,
	.read = read_profile,
};
