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
	pn_strtab_release(&c->keys);
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
	arg.key = pn_strtab_add_text(&c->keys, key);
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

/* "<name>", "<name>#<id>" and, unless it says no more, " <key>". */
static uint32_t name_of(struct pn_chrome_counters *c,
			const struct pn_chrome_counter *of, const char *key)
{
	struct pn_buf text = {0};
	uint32_t id;

	pn_buf_add_text(&text, of->name);
	if (of->id->len) {
		pn_buf_add_byte(&text, '#');
		pn_buf_add(&text, of->id->data, of->id->len);
	}
	if (c->arg_count > 1 ||
	    (strcmp(key, "value") != 0 && strcmp(key, of->name) != 0))
		pn_buf_printf(&text, " %s", key);
	id = pn_strtab_add(&c->counters.p->strings, text.data, text.len);
	pn_buf_release(&text);
	return id;
}

void pn_chrome_counters_add(struct pn_chrome_counters *c,
			    const struct pn_chrome_counter *of)
{
	struct pn_strtab *strings = &c->counters.p->strings;
	uint32_t process =
		pn_strtab_add(strings, of->process->data, of->process->len);
	size_t i, at;

	for (i = 0; i < c->arg_count; i++) {
		uint32_t name = name_of(
			c, of, pn_strtab_text(&c->keys, c->args[i].key));

		at = pn_counters_at(&c->counters, process, name, 0);
		pn_counters_add(&c->counters, at, of->us / 1000,
				c->args[i].value);
	}
}
