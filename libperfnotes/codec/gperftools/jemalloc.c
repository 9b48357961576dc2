/*
 * jemalloc's heap (heap_v2): the same figures as in gperftools' text, but with
 * the addresses of a stack in the line above them, and by thread besides. It
 * is brought to that shape and read as such.
 * jemalloc(3), "prof.dump"; jeprof(1) reads it.
 */
#include "base/buf.h"
#include "base/reader/lines.h"
#include "codec/rows.h"
#include "codec/scan.h"

#define BEGIN "heap_v2/"
#define ALL "t*:" /* of all threads */

struct state {
	struct pn_buf text;	 /* in the other shape */
	struct pn_buf addresses; /* of the stack whose figures come next */
	struct pn_buf head;
	bool has_head, has_sums, in_map;
};

static void add_scan(struct pn_buf *out, struct pn_scan s)
{
	pn_buf_add(out, s.at, pn_scan_left(&s));
}

/* "t*: 193: 1980699 [905: 5543842]": the first one is of everything. */
static void add_figures(struct state *s, struct pn_scan figures)
{
	pn_scan_trim(&figures);
	if (!s->has_sums) {
		pn_buf_add_text(&s->text, "heap profile: ");
		add_scan(&s->text, figures);
		pn_buf_printf(&s->text, " @ heap_v2/%s\n",
			      pn_buf_text(&s->head));
		s->has_sums = true;
		return;
	}
	add_scan(&s->text, figures);
	pn_buf_printf(&s->text, " @%s\n", pn_buf_text(&s->addresses));
	pn_buf_clear(&s->addresses);
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct state *s = to;
	struct pn_scan line = pn_scan_of(text, len);

	if (!s->has_head) {
		if (!pn_scan_text(&line, BEGIN))
			return pn_error_set(err, PN_EINVAL,
					    "expected '" BEGIN
					    "<rate>' in the first line");
		pn_scan_copy(&s->head, &line);
		s->has_head = true;
		return 0;
	}
	s->in_map |= pn_scan_begins(&line, "MAPPED_LIBRARIES:");
	if (s->in_map) {
		add_scan(&s->text, line);
		pn_buf_add_byte(&s->text, '\n');
		return 0;
	}
	pn_scan_blanks(&line);
	if (pn_scan_text(&line, "@"))
		pn_scan_copy(&s->addresses, &line);
	else if (pn_scan_text(&line, ALL))
		add_figures(s, line);
	return 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state s = {0};
	struct pn_lines lines = {.in = in};
	struct pn_reader *again = NULL;
	int code = pn_lines_each(&lines, &s, take_line, err);

	if (!code && !s.has_sums)
		code = pn_error_set(err, PN_EINVAL,
				    "expected a line '" ALL
				    " n: bytes [n: bytes]'");
	if (!code)
		code = pn_reader_memory(&again, s.text.data, s.text.len,
					pn_reader_name(in), s.text.len, err);
	if (!code)
		code = pn_codec_gperftools_heap.read(out, again, err);
	pn_reader_free(again);
	pn_buf_release(&s.text);
	pn_buf_release(&s.addresses);
	pn_buf_release(&s.head);
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
