/*
 * Rows "values @ addresses" and what follows them. Go prints below a row, as
 * comments, the names of the frames that are of interest: it leaves out the
 * allocator at the leaf and runtime.goexit at the root, and so do we then.
 * All addresses are where calls return to, so one is taken off.
 */
#include "codec/gperftools/gperftools.h"

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int pn_gperftools_bad_line(const struct pn_gperftools_text *t,
			   struct pn_error *err, const char *what)
{
	return pn_error_set(err, PN_EINVAL, "line %" PRIu64 ": %s",
			    t->lines.number, what);
}

void pn_gperftools_text_release(struct pn_gperftools_text *t)
{
	pn_frames_release(&t->frames);
	free(t->addresses);
	free(t->symbols);
	free(t->labels);
	free(t->stack);
}

static void skip_blanks(const char **text, size_t *len)
{
	while (*len && (**text == ' ' || **text == '\t')) {
		++*text;
		--*len;
	}
}

bool pn_gperftools_take_int(int64_t *out, const char **text, size_t *len)
{
	size_t n = 0;

	skip_blanks(text, len);
	if (n < *len && (*text)[n] == '-')
		n++;
	while (n < *len && (*text)[n] >= '0' && (*text)[n] <= '9')
		n++;
	if (!pn_number_int(out, *text, n))
		return false;
	*text += n;
	*len -= n;
	return true;
}

bool pn_gperftools_take_word(const char **text, size_t *len, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(text, len);
	if (*len < n || memcmp(*text, word, n) != 0)
		return false;
	*text += n;
	*len -= n;
	return true;
}

bool pn_gperftools_take_address(uint64_t *out, const char **text, size_t *len)
{
	char digits[17], *end;
	size_t n = 0;

	if (!pn_gperftools_take_word(text, len, "0x"))
		return false;
	while (n < *len && n < sizeof(digits) - 1 && (*text)[n] > ' ') {
		digits[n] = (*text)[n];
		n++;
	}
	digits[n] = '\0';
	if (!n || *digits == '-' || *digits == '+')
		return false;
	*out = strtoull(digits, &end, 16);
	*text += n;
	*len -= n;
	return !*end && (!*len || **text == ' ' || **text == '\t');
}

/* How often the address stands there in a row. */
static size_t run_of(const struct pn_gperftools_text *t, size_t from,
		     uint64_t address)
{
	size_t n = 0;

	while (from + n < t->address_count &&
	       t->addresses[from + n] - 1 == address)
		n++;
	return n;
}

static uint32_t place_of(struct pn_gperftools_text *t, uint64_t address,
			 size_t symbol, size_t count)
{
	struct pn_frame place = {.address = address, .mapping = PN_NONE};
	struct pn_frame *inlined = pn_calloc(count + 1, sizeof(*inlined));
	uint32_t location;
	size_t i;

	for (i = 0; i < count; i++)
		inlined[i] = t->symbols[symbol + i].frame;
	location = pn_frames_inlined(&t->frames, t->p, &place, inlined, count);
	free(inlined);
	return location;
}

/* Several names of one address are inlining, unless the stack has the address
 * as often: that is recursion. */
static size_t named_stack(struct pn_gperftools_text *t)
{
	size_t from, to, each, run, at = 0, depth = 0;

	for (from = 0; from < t->symbol_count; from = to) {
		uint64_t address = t->symbols[from].address;

		for (to = from;
		     to < t->symbol_count && t->symbols[to].address == address;
		     to++)
			;
		while (at < t->address_count && t->addresses[at] - 1 != address)
			at++;
		run = run_of(t, at, address);
		at += run;
		each = run && (to - from) % run == 0 ? (to - from) / run : 1;
		for (; from < to; from += each)
			t->stack[depth++] = place_of(t, address, from, each);
	}
	return depth;
}

uint32_t pn_gperftools_bare_place(struct pn_frames *frames,
				  struct pn_profile *p, uint64_t address)
{
	struct pn_frame place = {.address = address - 1, .mapping = PN_NONE};

	return pn_frames_inlined(frames, p, &place, &place, 0);
}

static size_t bare_stack(struct pn_gperftools_text *t)
{
	size_t i;

	for (i = 0; i < t->address_count; i++)
		t->stack[i] = pn_gperftools_bare_place(&t->frames, t->p,
						       t->addresses[i]);
	return t->address_count;
}

/* The row is whole when something else begins. */
static void end_row(struct pn_gperftools_text *t)
{
	size_t depth = t->symbol_count > t->address_count ? t->symbol_count
							  : t->address_count;
	uint32_t set = 0;

	if (!t->has_row)
		return;
	t->has_row = false;
	t->stack =
		pn_grow(t->stack, &t->stack_cap, depth + 1, sizeof(*t->stack));
	depth = t->symbol_count ? named_stack(t) : bare_stack(t);
	if (t->row_label.key) {
		t->labels = pn_grow(t->labels, &t->label_cap,
				    t->label_count + 1, sizeof(*t->labels));
		t->labels[t->label_count++] = t->row_label;
	}
	if (t->label_count)
		set = pn_profile_add_label_set(t->p, t->labels, t->label_count);
	pn_profile_add_sample(
		t->p, pn_frames_stack(&t->frames, t->p, t->stack, depth), set,
		t->values);
	t->row_label.key = 0;
}

static int read_row(struct pn_gperftools_text *t, const char *text, size_t len,
		    struct pn_error *err)
{
	const char *sign = memchr(text, '@', len);
	size_t before = sign ? (size_t)(sign - text) : 0;
	uint64_t address;
	int code;

	end_row(t);
	if (!sign && t->setting && !t->p->sample_count &&
	    memchr(text, '=', len))
		return t->setting(t, text, len, err);
	if (!sign)
		return pn_gperftools_bad_line(t, err,
					      "expected 'values @ addresses'");
	t->address_count = t->symbol_count = t->label_count = 0;
	code = t->row(t, text, before, err);
	if (code)
		return code;
	text = sign + 1;
	len -= before + 1;
	while (pn_gperftools_take_address(&address, &text, &len)) {
		if (t->address_count == PN_MAX_STACK_DEPTH)
			return pn_gperftools_bad_line(
				t, err, "more than 1048576 frames");
		t->addresses =
			pn_grow(t->addresses, &t->address_cap,
				t->address_count + 1, sizeof(*t->addresses));
		t->addresses[t->address_count++] = address;
	}
	skip_blanks(&text, &len);
	if (len)
		return pn_gperftools_bad_line(
			t, err, "expected addresses '0x...' behind the '@'");
	t->has_row = true;
	return 0;
}

/* "main.build+0xfb<tabs>/home/x/main.go:31", or the name alone. */
static void read_symbol(struct pn_gperftools_text *t, uint64_t address,
			const char *text, size_t len)
{
	struct pn_gperftools_symbol *symbol;
	const char *tab, *file;
	size_t name, left, at;

	skip_blanks(&text, &len);
	tab = memchr(text, '\t', len);
	name = tab ? (size_t)(tab - text) : len;
	file = text + name;
	left = len - name;
	skip_blanks(&file, &left);
	if (!name || t->symbol_count == PN_MAX_STACK_DEPTH)
		return;
	t->symbols = pn_grow(t->symbols, &t->symbol_cap, t->symbol_count + 1,
			     sizeof(*t->symbols));
	symbol = &t->symbols[t->symbol_count++];
	memset(symbol, 0, sizeof(*symbol));
	symbol->address = address;
	symbol->frame.mapping = PN_NONE;
	for (at = left; at && file[at - 1] != ':'; at--)
		;
	if (at > 1 && pn_number_int(&symbol->frame.line, file + at, left - at))
		left = at - 1;
	symbol->frame.file = pn_strtab_add(&t->p->strings, file, left);
	for (at = name; at > 3 && memcmp(text + at - 3, "+0x", 3) != 0; at--)
		;
	symbol->frame.name =
		pn_strtab_add(&t->p->strings, text, at > 3 ? at - 3 : name);
}

static void add_label(struct pn_gperftools_text *t, uint32_t key,
		      uint32_t value)
{
	struct pn_label label = {
		.key = key, .kind = PN_LABEL_STRING, .value.s = value};

	if (t->label_count + 1 >= PN_MAX_LABELS)
		return;
	t->labels = pn_grow(t->labels, &t->label_cap, t->label_count + 1,
			    sizeof(*t->labels));
	t->labels[t->label_count++] = label;
}

static int read_members(struct pn_gperftools_text *t, struct pn_json *json,
			struct pn_error *err)
{
	enum pn_json_event event;
	uint32_t key;
	int code = pn_json_expect(json, PN_JSON_OBJECT, err);

	while (!code) {
		code = pn_json_next(&event, json, err);
		if (code || event != PN_JSON_KEY)
			break;
		key = pn_strtab_add(&t->p->strings, pn_json_text(json),
				    pn_json_len(json));
		code = pn_json_expect(json, PN_JSON_STRING, err);
		if (!code)
			add_label(t, key,
				  pn_strtab_add(&t->p->strings,
						pn_json_text(json),
						pn_json_len(json)));
	}
	return code;
}

/* {"kind":"json", "worker":"1"} */
static int read_labels(struct pn_gperftools_text *t, const char *text,
		       size_t len, struct pn_error *err)
{
	struct pn_reader *in = NULL;
	struct pn_json *json;
	int code = pn_reader_memory(&in, text, len, "labels", 0, err);

	if (code)
		return code;
	json = pn_json_new(in);
	if (read_members(t, json, err))
		code = pn_gperftools_bad_line(
			t, err, "expected labels as a JSON object of strings");
	pn_json_free(json);
	pn_reader_free(in);
	return code;
}

static int read_comment(struct pn_gperftools_text *t, const char *text,
			size_t len, struct pn_error *err)
{
	uint64_t address;

	if (!t->has_row)
		return 0;
	if (pn_gperftools_take_address(&address, &text, &len))
		read_symbol(t, address, text, len);
	else if (pn_gperftools_take_word(&text, &len, "labels:"))
		return read_labels(t, text, len, err);
	return 0;
}

bool pn_gperftools_is_map_head(const char *text, size_t len)
{
	return pn_gperftools_take_word(&text, &len, "MAPPED_LIBRARIES:") ||
	       pn_gperftools_take_word(&text, &len, "--- Memory map: ---");
}

int pn_gperftools_rows(struct pn_gperftools_text *t, struct pn_error *err)
{
	bool in_map = false, in_rows = true;
	const char *text;
	size_t len;
	int code = 0;

	while (!code) {
		code = pn_lines_next(&text, &len, &t->lines, err);
		if (code || !text)
			break;
		skip_blanks(&text, &len);
		if (!len)
			continue;
		if (in_map) {
			pn_gperftools_map_line(t->p, text, len);
		} else if (pn_gperftools_is_map_head(text, len)) {
			in_map = true;
		} else if (in_rows && *text == '#') {
			code = read_comment(t, text + 1, len - 1, err);
		} else if (in_rows && len >= 3 && !memcmp(text, "---", 3)) {
			in_rows = false; /* a part that we do not know */
		} else if (in_rows) {
			code = read_row(t, text, len, err);
		}
	}
	if (code)
		return code;
	end_row(t);
	pn_gperftools_map_end(t->p);
	t->p->complete = false;
	return 0;
}
