/*
 * callgrind: lines "key: value". Events become value types. Xdebug's say
 * their unit, "Time_(10ns)"; what one counts in tens is multiplied, so that
 * units are units.
 */
#include "codec/callgrind/callgrind.h"

#include "base/alloc.h"
#include "base/number.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FORMULAS_MAX 64
#define THREADS_MAX 4096 /* each part looks for its own among them */
#define COMMENTS_MAX 64	 /* callgrind writes eight */

void pn_callgrind_header_init(struct pn_callgrind_header *h)
{
	memset(h, 0, sizeof(*h));
	h->has_line = true;
}

void pn_callgrind_header_release(struct pn_callgrind_header *h)
{
	size_t i;

	for (i = 0; i < h->formula_count; i++) {
		free(h->formulas[i].name);
		free(h->formulas[i].formula);
	}
	free(h->formulas);
	memset(h, 0, sizeof(*h));
}

static int bad(struct pn_error *err, uint64_t line, const char *what,
	       struct pn_span word)
{
	return pn_error_set(err, PN_EINVAL, "line %" PRIu64 ": %s '%.*s'", line,
			    what, (int)(word.len < 200 ? word.len : 200),
			    word.at);
}

static void add_comment(struct pn_profile *p, const char *key,
			struct pn_span value)
{
	struct pn_buf text = {0};

	if (!value.len || p->comment_count >= COMMENTS_MAX)
		return;
	pn_buf_printf(&text, "%s: ", key);
	pn_buf_add(&text, value.at, value.len);
	pn_profile_add_comment(p, text.data, text.len);
	pn_buf_release(&text);
}

static void set_command(struct pn_profile *p, struct pn_span value)
{
	struct pn_span word;

	if (!pn_span_word(&word, &value))
		return;
	value = pn_span_trim(value);
	p->header.cmd = pn_strtab_add(&p->strings, word.at, word.len);
	p->header.args = pn_strtab_add(&p->strings, value.at, value.len);
}

static int set_positions(struct pn_callgrind_header *h, struct pn_span value,
			 uint64_t line, struct pn_error *err)
{
	struct pn_span word;

	h->has_instr = h->has_bb = h->has_line = false;
	while (pn_span_word(&word, &value)) {
		if (pn_span_is(word, "instr") || pn_span_is(word, "addr"))
			h->has_instr = true;
		else if (pn_span_is(word, "bb"))
			h->has_bb = true;
		else if (pn_span_is(word, "line"))
			h->has_line = true;
		else
			return bad(err, line, "expected 'instr' or 'line', not",
				   word);
	}
	return 0;
}

/* "Time_(10ns)", and "cpu(nanoseconds)" of pprof: the name, and the unit with
 * what it counts in. */
static void split_unit(struct pn_span *name, struct pn_span *unit,
		       int64_t *scale)
{
	size_t at = 0, digits = 0;

	*scale = 1;
	unit->at = "count";
	unit->len = 5;
	if (name->len < 4 || name->at[name->len - 1] != ')')
		return;
	while (at < name->len && name->at[at] != '(')
		at++;
	if (at < 2 || at + 2 >= name->len)
		return;
	unit->at = name->at + at + 1;
	unit->len = name->len - at - 2;
	name->len = name->at[at - 1] == '_' ? at - 1 : at;
	while (digits < unit->len && unit->at[digits] >= '0' &&
	       unit->at[digits] <= '9')
		digits++;
	if (digits && digits < unit->len && digits < 10 &&
	    pn_number_int(scale, unit->at, digits) && *scale) {
		unit->at += digits;
		unit->len -= digits;
	} else {
		*scale = 1;
	}
	if (unit->len == 3 && !memcmp(unit->at, "\xc2\xb5s", 3)) {
		unit->at = "us";
		unit->len = 2;
	}
}

static void add_type(struct pn_callgrind_header *h, struct pn_profile *p,
		     struct pn_span word)
{
	struct pn_callgrind_event *event = &h->events[h->count++];
	struct pn_span name = word, unit;
	struct pn_buf text = {0};
	uint32_t type;

	event->name = pn_strtab_add(&p->strings, word.at, word.len);
	split_unit(&name, &unit, &event->scale);
	pn_buf_add(&text, name.at, name.len);
	pn_buf_add_byte(&text, '\0');
	pn_buf_add(&text, unit.at, unit.len);
	type = pn_profile_add_type(p, (const char *)text.data,
				   (const char *)text.data + name.len + 1);
	p->types[type].better = PN_BETTER_LESS;
	pn_buf_release(&text);
}

static bool column_named(size_t *out, const struct pn_callgrind_header *h,
			 const struct pn_profile *p, struct pn_span name)
{
	uint32_t id;

	if (!pn_strtab_find(&id, &p->strings, name.at, name.len))
		return false;
	for (*out = 0; *out < h->count; ++*out)
		if (h->events[*out].name == id)
			return true;
	return false;
}

/* "Ir", "10 Bm", "10*Bm" or "10 * Bm". */
static bool read_term(struct pn_callgrind_event *event,
		      const struct pn_callgrind_header *h,
		      const struct pn_profile *p, struct pn_span text)
{
	size_t digits = 0;
	int64_t factor = 1;

	text = pn_span_trim(text);
	while (digits < text.len && text.at[digits] >= '0' &&
	       text.at[digits] <= '9')
		digits++;
	if (digits && !pn_number_int(&factor, text.at, digits))
		return false;
	text.at += digits;
	text.len -= digits;
	text = pn_span_trim(text);
	if (digits && text.len && *text.at == '*') {
		text.at++;
		text.len--;
		text = pn_span_trim(text);
	}
	if (!text.len || event->term_count == PN_CALLGRIND_TERMS ||
	    !column_named(&event->terms[event->term_count].column, h, p, text))
		return false;
	event->terms[event->term_count++].factor = factor;
	return true;
}

static bool read_formula(struct pn_callgrind_event *event,
			 const struct pn_callgrind_header *h,
			 const struct pn_profile *p, const char *formula)
{
	const char *plus;

	for (;; formula = plus + 1) {
		struct pn_span term = {formula, strcspn(formula, "+")};

		plus = formula + term.len;
		if (!read_term(event, h, p, term))
			return false;
		if (!*plus)
			return true;
	}
}

/* Events that follow from others, unless they are recorded as well. One of
 * unknown events, which the format allows, is left out. */
static void add_derived(struct pn_callgrind_header *h, struct pn_profile *p)
{
	size_t i, column;

	for (i = 0; i < h->formula_count; i++) {
		struct pn_callgrind_event event = {0};
		struct pn_span name = {h->formulas[i].name,
				       strlen(h->formulas[i].name)};

		if (h->count == PN_MAX_VALUE_TYPES ||
		    column_named(&column, h, p, name))
			continue;
		if (!read_formula(&event, h, p, h->formulas[i].formula))
			continue;
		add_type(h, p, name);
		event.name = h->events[h->count - 1].name;
		event.scale = h->events[h->count - 1].scale;
		h->events[h->count - 1] = event;
	}
}

static int same_events(struct pn_callgrind_header *h, struct pn_profile *p,
		       struct pn_span value, uint64_t line,
		       struct pn_error *err)
{
	struct pn_span word;
	size_t i = 0, column;
	bool same = true;

	for (; pn_span_word(&word, &value); i++)
		same &= column_named(&column, h, p, word) && column == i;
	if (same && i == h->recorded)
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "line %" PRIu64 ": a part with other events, "
			    "expected those of line %" PRIu64,
			    line, h->events_line);
}

static int set_events(struct pn_callgrind_header *h, struct pn_profile *p,
		      struct pn_span value, uint64_t line, struct pn_error *err)
{
	struct pn_span word;
	size_t column;

	if (h->has_events)
		return same_events(h, p, value, line, err);
	while (pn_span_word(&word, &value)) {
		if (h->count == PN_MAX_VALUE_TYPES)
			return pn_error_set(err, PN_ELIMIT,
					    "line %" PRIu64
					    ": more than %d events",
					    line, PN_MAX_VALUE_TYPES);
		if (memchr(word.at, '\0', word.len))
			return bad(err, line, "a NUL byte in", word);
		if (column_named(&column, h, p, word))
			return bad(err, line, "two events are called", word);
		add_type(h, p, word);
	}
	if (!h->count)
		return pn_error_set(
			err, PN_EINVAL,
			"line %" PRIu64 ": expected names of events", line);
	h->recorded = h->count;
	h->has_events = true;
	h->events_line = line;
	p->default_type = p->types[0].type;
	add_derived(h, p);
	return 0;
}

static char *text_of(struct pn_span span)
{
	span = pn_span_trim(span);
	return pn_strndup(span.at, span.len);
}

/* "NAME [= FORMULA] [: long name]" */
static void keep_formula(struct pn_callgrind_header *h, struct pn_span value)
{
	struct pn_span name, formula;
	const char *equals, *colon;

	if (!value.len || h->has_events || h->formula_count == FORMULAS_MAX)
		return;
	colon = memchr(value.at, ':', value.len);
	if (colon)
		value.len = (size_t)(colon - value.at);
	equals = value.len ? memchr(value.at, '=', value.len) : NULL;
	if (!equals)
		return;
	name.at = value.at;
	name.len = (size_t)(equals - value.at);
	formula.at = equals + 1;
	formula.len = value.len - name.len - 1;
	h->formulas = pn_realloc_array(h->formulas, h->formula_count + 1,
				       sizeof(*h->formulas));
	h->formulas[h->formula_count].name = text_of(name);
	h->formulas[h->formula_count++].formula = text_of(formula);
}

int pn_callgrind_header_line(struct pn_callgrind_header *h,
			     struct pn_profile *p, struct pn_span key,
			     struct pn_span value, uint64_t line,
			     struct pn_error *err)
{
	int64_t version;

	value = pn_span_trim(value);
	if (pn_span_is(key, "version")) {
		if (!pn_number_int(&version, value.at, value.len) ||
		    version != 1)
			return bad(err, line, "expected version 1, not", value);
	} else if (pn_span_is(key, "events")) {
		return set_events(h, p, value, line, err);
	} else if (pn_span_is(key, "positions")) {
		return set_positions(h, value, line, err);
	} else if (pn_span_is(key, "event")) {
		keep_formula(h, value);
	} else if (pn_span_is(key, "thread")) {
		h->thread = pn_strtab_add(&p->strings, value.at, value.len);
	} else if (pn_span_is(key, "pid")) {
		/* another one each time: kept where it says whose threads */
		h->pid = pn_strtab_add(&p->strings, value.at, value.len);
		p->complete = false;
	} else if (h->is_later_part) {
		return 0; /* said once */
	} else if (pn_span_is(key, "cmd")) {
		set_command(p, value);
	} else if (pn_span_is(key, "creator")) {
		add_comment(p, "creator", value);
	} else if (pn_span_is(key, "desc")) {
		add_comment(p, "desc", value);
	} else if (pn_span_is(key, "part") && !pn_span_is(value, "1")) {
		add_comment(p, "part", value);
	} else {
		p->complete = false;
	}
	return 0;
}

static uint32_t find_process(struct pn_profile *p, uint32_t id)
{
	const struct pn_events *e = &p->events;
	uint32_t i;

	for (i = 0; i < e->process_count; i++)
		if (e->processes[i].id == id)
			return i;
	return pn_events_add_process(p, id, 0);
}

static uint32_t find_thread(struct pn_profile *p, uint32_t process, uint32_t id)
{
	const struct pn_events *e = &p->events;
	uint32_t i;

	for (i = 0; i < e->thread_count; i++)
		if (e->threads[i].id == id && e->threads[i].process == process)
			return i;
	return pn_events_add_thread(p, process, id, 0);
}

void pn_callgrind_end_thread(struct pn_callgrind_header *h,
			     struct pn_profile *p, int64_t cost)
{
	uint32_t thread, process = PN_NONE;

	if (h->thread && p->events.thread_count < THREADS_MAX &&
	    p->events.process_count < THREADS_MAX) {
		if (h->pid)
			process = find_process(p, h->pid);
		thread = find_thread(p, process, h->thread);
		p->events.threads[thread].cost +=
			(double)cost * (double)h->events[0].scale;
	} else {
		p->complete &= !h->thread;
	}
	h->thread = 0;
}

static bool derive(int64_t *out, const struct pn_callgrind_event *event,
		   const int64_t *raw)
{
	int64_t product;
	size_t i;

	*out = 0;
	for (i = 0; i < event->term_count; i++)
		if (__builtin_mul_overflow(event->terms[i].factor,
					   raw[event->terms[i].column],
					   &product) ||
		    __builtin_add_overflow(*out, product, out))
			return false;
	return true;
}

bool pn_callgrind_values(int64_t *out, const struct pn_callgrind_header *h,
			 const int64_t *costs)
{
	int64_t raw[PN_MAX_VALUE_TYPES], value = 0;
	size_t i;

	for (i = 0; i < h->count; i++) {
		if (i < h->recorded)
			value = costs[i];
		else if (!derive(&value, &h->events[i], raw))
			return false;
		raw[i] = value;
		if (__builtin_mul_overflow(raw[i], h->events[i].scale, &out[i]))
			return false;
	}
	return true;
}
