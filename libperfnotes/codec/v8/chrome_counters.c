/* Counters of a trace. */
#include "codec/v8/chrome_counters.h"

#include "base/alloc.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ARGS_MAX 1024 /* Chrome's own have up to ten */

void pn_chrome_counters_release(struct pn_chrome_counters *c)
{
	pn_counters_release(&c->counters);
	pn_buf_release(&c->keys);
	free(c->args);
}

static bool take_number(struct pn_chrome_counters *c, const char *key,
			struct pn_json *json, enum pn_json_event first)
{
	struct pn_chrome_arg arg = {0};

	if (first != PN_JSON_NUMBER || c->arg_count >= ARGS_MAX ||
	    !pn_number_double(&arg.value, pn_json_text(json),
			      pn_json_len(json)) ||
	    !isfinite(arg.value))
		return false;
	if (!c->arg_count)
		pn_buf_clear(&c->keys);
	arg.key = c->keys.len;
	pn_buf_add(&c->keys, key, strlen(key) + 1);
	c->args = pn_grow(c->args, &c->arg_cap, c->arg_count + 1,
			  sizeof(*c->args));
	c->args[c->arg_count++] = arg;
	return true;
}

int pn_chrome_counters_take(struct pn_chrome_counters *c,
			    struct pn_chrome_cpu *cpu, struct pn_json *json,
			    struct pn_error *err)
{
	struct pn_buf key = {0};
	enum pn_json_event event;
	int code = 0;

	while (!code) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_OBJECT_END)
			break;
		pn_buf_clear(&key);
		pn_buf_add(&key, pn_json_text(json), pn_json_len(json));
		code = pn_json_next(&event, json, err);
		if (!code && !take_number(c, pn_buf_text(&key), json, event))
			code = pn_chrome_cpu_take_arg(cpu, pn_buf_text(&key),
						      json, event, err);
	}
	pn_buf_release(&key);
	return code;
}

/* The id of a string; once no more counters are taken, whether it has one. */
static bool string_of(uint32_t *out, const struct pn_chrome_counters *c,
		      const void *text, size_t len)
{
	struct pn_strtab *strings = &c->counters.p->strings;

	if (pn_counters_full(&c->counters))
		return pn_strtab_find(out, strings, text, len);
	*out = pn_strtab_add(strings, text, len);
	return true;
}

/* "<name>" or "<name>#<id>" */
static bool name_of(uint32_t *out, const struct pn_chrome_counters *c,
		    const struct pn_chrome_counter *of)
{
	struct pn_buf text = {0};
	bool found;

	pn_buf_add_text(&text, of->name);
	if (of->id->len) {
		pn_buf_add_byte(&text, '#');
		pn_buf_add(&text, of->id->data, of->id->len);
	}
	found = string_of(out, c, text.data, text.len);
	pn_buf_release(&text);
	return found;
}

void pn_chrome_counters_add(struct pn_chrome_counters *c,
			    const struct pn_chrome_counter *of)
{
	struct pn_counter counter = {0};
	size_t i;

	if (!c->arg_count || !name_of(&counter.name, c, of) ||
	    !string_of(&counter.process, c, of->process->data,
		       of->process->len))
		return;
	for (i = 0; i < c->arg_count; i++) {
		const char *key = (const char *)c->keys.data + c->args[i].key;

		if (!string_of(&counter.series, c, key, strlen(key)))
			continue;
		counter.plain = !strcmp(key, "value") || !strcmp(key, of->name);
		pn_counters_add(&c->counters,
				pn_counters_at(&c->counters, &counter),
				of->us / 1000, c->args[i].value);
	}
}
