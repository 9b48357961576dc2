/*
 * Writing Python's profile dumps, in the types that every Python 3 reads and
 * without references. Where calls are unknown (samples) they are 0: pstats
 * leaves the time a call blank then.
 */
#include "codec/pstats/pstats.h"
#include "model/graph/callgraph.h"
#include "model/graph/calltable.h"
#include "model/unnamed.h"

#include <string.h>

struct encoder {
	struct pn_buf *out;
	const struct pn_profile *p; /* has the graph */
	struct pn_calltable table;
};

static void add_little(struct pn_buf *out, uint64_t value, size_t n)
{
	while (n--) {
		pn_buf_add_byte(out, (unsigned char)value);
		value >>= 8;
	}
}

static void add_int(struct pn_buf *out, int64_t value)
{
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	int32_t digits = 0;
	uint64_t left;

	if (value >= INT32_MIN && value <= INT32_MAX) {
		pn_buf_add_byte(out, 'i');
		add_little(out, (uint64_t)value, 4);
		return;
	}
	for (left = rest; left; left >>= 15)
		digits++;
	pn_buf_add_byte(out, 'l');
	add_little(out, (uint64_t)(value < 0 ? -digits : digits), 4);
	for (left = rest; left; left >>= 15)
		add_little(out, left & 0x7fff, 2);
}

static void add_double(struct pn_buf *out, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	pn_buf_add_byte(out, 'g');
	add_little(out, bits, 8);
}

/* Bytes of the UTF-8 sequence here, as CPython's decoder with surrogatepass
 * takes it; 0 when it is none. */
static size_t sequence(const unsigned char *at, size_t left)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t value;
	size_t i, n;

	if (*at < 0x80)
		return 1;
	n = *at >= 0xf0 && *at < 0xf8	? 4
	    : *at >= 0xe0 && *at < 0xf0 ? 3
	    : *at >= 0xc0 && *at < 0xe0 ? 2
					: 0;
	if (!n || n > left)
		return 0;
	value = *at & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (at[i] & 0x3fu);
	}
	if (value >= 0xdc80 && value <= 0xdcff)
		return 0; /* it would be read as a byte */
	return value >= least[n] && value <= 0x10ffff ? n : 0;
}

/* Bytes that are no UTF-8 become the surrogates that Python itself uses for
 * them (PEP 383). */
static void add_string(struct encoder *e, uint32_t id, uint32_t number)
{
	const unsigned char *text =
		(const unsigned char *)pn_profile_text(e->p, id);
	size_t len = pn_strtab_len(&e->p->strings, id), i, n, size_at;
	size_t begin;

	pn_buf_add_byte(e->out, 'u');
	size_at = e->out->len;
	add_little(e->out, 0, 4);
	begin = e->out->len;
	for (i = 0; i < len; i += n ? n : 1) {
		n = sequence(text + i, len - i);
		if (n) {
			pn_buf_add(e->out, text + i, n);
		} else {
			pn_buf_add_byte(e->out, 0xed);
			pn_buf_add_byte(e->out, 0xb0 | (text[i] >> 6 & 3));
			pn_buf_add_byte(e->out, 0x80 | (text[i] & 0x3f));
		}
	}
	if (number)
		pn_buf_printf(e->out, "#%u", number + 1);
	n = e->out->len - begin;
	for (i = 0; i < 4; i++)
		e->out->data[size_at + i] = (unsigned char)(n >> 8 * i);
}

static void add_tuple(struct encoder *e, unsigned int items)
{
	pn_buf_add_byte(e->out, '(');
	add_little(e->out, items, 4);
}

static void add_function(struct encoder *e, const struct pn_calltable_row *row)
{
	add_tuple(e, 3);
	add_string(e, row->file, 0);
	add_int(e->out, row->line);
	add_string(e, row->name, row->number);
}

static void add_caller(struct encoder *e, const struct pn_calltable_caller *c)
{
	add_function(e, &e->table.rows[c->row]);
	if (!c->timed) {
		add_int(e->out, c->calls);
		return;
	}
	add_tuple(e, 4);
	add_int(e->out, c->calls);
	add_int(e->out, c->primitive);
	add_double(e->out, c->self_s);
	add_double(e->out, c->total_s);
}

static void add_entry(struct encoder *e, const struct pn_calltable_row *row)
{
	size_t i;

	add_function(e, row);
	add_tuple(e, 5);
	add_int(e->out, row->primitive);
	add_int(e->out, row->calls);
	add_double(e->out, row->self_s);
	add_double(e->out, row->total_s);
	pn_buf_add_byte(e->out, '{');
	for (i = 0; i < row->caller_count; i++)
		add_caller(e, &e->table.callers[row->caller_first + i]);
	pn_buf_add_byte(e->out, '0');
}

static int write_graph(struct encoder *e, struct pn_error *err)
{
	size_t i, count = 0;
	int code = pn_calltable_init(&e->table, e->p, SIZE_MAX, err);

	if (code)
		return pn_error_set(err, code,
				    "format pstats needs values in a unit of "
				    "time");
	for (i = 0; i < e->table.row_count; i++)
		count += e->table.rows[i].listed;
	/* an empty dict is no dump, to Python neither */
	if (!count)
		code = pn_error_set(err, PN_EINVAL,
				    "format pstats needs functions, the "
				    "profile has none");
	if (count)
		pn_buf_add_byte(e->out, '{');
	for (i = 0; i < e->table.row_count; i++)
		if (e->table.rows[i].listed)
			add_entry(e, &e->table.rows[i]);
	if (count)
		pn_buf_add_byte(e->out, '0');
	pn_calltable_release(&e->table);
	return code;
}

static int write_named(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	struct encoder e = {.out = out, .p = profile};
	struct pn_profile graph;
	int code;

	if (!profile->sample_count || profile->graph.node_count)
		return write_graph(&e, err);
	pn_callgraph_of(&graph, profile);
	e.p = &graph;
	code = write_graph(&e, err);
	pn_profile_release(&graph);
	return code;
}

int pn_pstats_write(struct pn_buf *out, const struct pn_profile *profile,
		    struct pn_error *err)
{
	return pn_unnamed_write(out, profile, write_named, err);
}
