/* The keys of a job file: tables, and how values are read. */
#include "jobs/matrix/keys.h"

#include "base/number.h"
#include "base/text/similar.h"
#include "collect/words.h"
#include "jobs/matrix/matrix.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define MAX_SECONDS 1e7 /* four months: more is a mistake */

#define AT(member) offsetof(struct pn_matrix_section, member)
const struct pn_key pn_keys_of_job[] = {
	{"build", PN_KEY_LIST, AT(builds)},
	{"cmd", PN_KEY_LIST, AT(cmds)},
	{"args", PN_KEY_LIST, AT(args)},
	{"workload", PN_KEY_LIST, AT(workloads)},
	{"collector", PN_KEY_LIST, AT(collectors)},
	{"option", PN_KEY_LIST, AT(options)},
	{"machine", PN_KEY_LIST, AT(machines)},
	{"setup", PN_KEY_TEXT, AT(setup)},
	{"prepare", PN_KEY_TEXT, AT(prepare)},
	{"conclude", PN_KEY_TEXT, AT(conclude)},
	{"cleanup", PN_KEY_TEXT, AT(cleanup)},
	{"stdin", PN_KEY_TEXT, AT(input)},
	{"shell", PN_KEY_FLAG, AT(shell)},
	{"ignoreStatus", PN_KEY_FLAG, AT(ignore_status)},
	{"timeout", PN_KEY_SECONDS, AT(timeout_ns)},
	{"buildTimeout", PN_KEY_SECONDS, AT(build_timeout_ns)},
	{"runs", PN_KEY_COUNT, AT(runs), 1},
	{"warmup", PN_KEY_COUNT, AT(warmup), 0},
	{"minRuns", PN_KEY_COUNT, AT(min_runs), 1},
	{"maxRuns", PN_KEY_COUNT, AT(max_runs), 1},
	{"minTime", PN_KEY_SECONDS, AT(min_time_ns)},
	{"maxTime", PN_KEY_SECONDS, AT(max_time_ns)},
	{"precision", PN_KEY_SHARE, AT(precision)},
	{"postprocess", PN_KEY_POST, AT(posts)},
	{0},
};
#undef AT

#define AT(member) offsetof(struct pn_matrix_generator, member)
const struct pn_key pn_keys_of_workload[] = {
	{"type", PN_KEY_TYPE, AT(type)},
	{"min", PN_KEY_INT, AT(min)},
	{"max", PN_KEY_INT, AT(max)},
	{"step", PN_KEY_INT, AT(step)},
	{"seed", PN_KEY_COUNT, AT(seed), 0},
	{"path", PN_KEY_TEXT, AT(path)},
	{"pattern", PN_KEY_TEXT, AT(pattern)},
	{"command", PN_KEY_TEXT, AT(command)},
	{"keys", PN_KEY_TEXT, AT(keys)},
	{0},
};
#undef AT

static int set_seconds(int64_t *out, const char *text, struct pn_error *err)
{
	static const struct {
		const char *suffix;
		double s;
	} units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"", 1}};
	size_t len = strlen(text), i = 0, tail = 0;
	double value = 0;

	for (; i < sizeof(units) / sizeof(*units); i++) {
		tail = strlen(units[i].suffix);
		if (len > tail &&
		    !memcmp(text + len - tail, units[i].suffix, tail))
			break;
	}
	if (i == sizeof(units) / sizeof(*units) ||
	    !pn_number_double(&value, text, len - tail) ||
	    !(value >= 0 && value * units[i].s <= MAX_SECONDS))
		return pn_error_set(err, PN_EINVAL,
				    "bad time '%s', need one as 90, 1.5s, "
				    "250ms, 5m or 2h",
				    text);
	*out = (int64_t)(value * units[i].s * 1e9);
	return 0;
}

static int set_flag(bool *out, const char *text, struct pn_error *err)
{
	static const char *const words[] = {"false", "no",  "off", "0", "",
					    "true",  "yes", "on",  "1"};
	size_t i;

	for (i = 0; text && i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(text, words[i]))
			break;
	if (i == sizeof(words) / sizeof(*words))
		return pn_error_set(err, PN_EINVAL,
				    "bad value '%s', need true or false", text);
	*out = !text || i >= 5;
	return 0;
}

static int set_type(enum pn_matrix_type *out, const char *text,
		    struct pn_error *err)
{
	static const char *const types[] = {"integer", "string", "text",
					    "files", "command"};
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(text, types[i])) {
			*out = (enum pn_matrix_type)(PN_MATRIX_INTEGER + i);
			return 0;
		}
	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		pn_buf_printf(&names, "%s%s", i ? ", " : "", types[i]);
	pn_similar_say(&names, text, strlen(text));
	pn_error_set(err, PN_EINVAL, "no type '%s', there are %s", text,
		     pn_buf_text(&names));
	pn_buf_release(&names);
	return PN_EINVAL;
}

static int add_value(struct pn_matrix_list *list, struct pn_arena *arena,
		     const char *text, struct pn_error *err)
{
	const char **values;
	size_t room = 8;

	if (list->count >= PN_MATRIX_MAX_VALUES)
		return pn_error_set(err, PN_ELIMIT, "more than %d values",
				    PN_MATRIX_MAX_VALUES);
	while (room < list->count)
		room *= 2;
	if (!list->count || room == list->count) {
		room = list->count ? room * 2 : room;
		values = pn_arena_alloc(arena, room * sizeof(*values));
		if (list->count)
			memcpy(values, list->values,
			       list->count * sizeof(*values));
		list->values = values;
	}
	list->values[list->count++] = text;
	return 0;
}

/* A name and its options, in words. */
static int add_post(struct pn_matrix_posts *posts, struct pn_arena *arena,
		    const char *text, struct pn_error *err)
{
	size_t n = posts->texts.count;
	struct pn_post *items = pn_arena_alloc(arena, (n + 1) * sizeof(*items));
	const char *const *words = NULL;
	int code = pn_words_split(&words, arena, text, err);

	if (!code)
		code = pn_post_parse(&items[n], arena, words, err);
	if (!code)
		code = add_value(&posts->texts, arena, text, err);
	if (code)
		return code;
	if (n)
		memcpy(items, posts->items, n * sizeof(*items));
	posts->items = items;
	return 0;
}

static int set_number(void *to, const struct pn_key *key, const char *text,
		      struct pn_error *err)
{
	size_t len = strlen(text);
	uint64_t count;
	int64_t whole;
	double share;

	if (key->kind == PN_KEY_COUNT) {
		if (!pn_number_uint(&count, text, len) || count < key->least)
			return pn_error_set(err, PN_EINVAL,
					    "bad number '%s', need a whole one "
					    "of at least %llu",
					    text,
					    (unsigned long long)key->least);
		*(uint64_t *)to = count;
	} else if (key->kind == PN_KEY_INT) {
		if (!pn_number_int(&whole, text, len))
			return pn_error_set(err, PN_EINVAL,
					    "bad number '%s', need a whole one",
					    text);
		*(int64_t *)to = whole;
	} else {
		if (!pn_number_double(&share, text, len) || !(share >= 0))
			return pn_error_set(err, PN_EINVAL,
					    "bad share '%s', need a number "
					    "like 0.01",
					    text);
		*(double *)to = share;
	}
	return 0;
}

static int unknown_key(const struct pn_key *keys, const char *name,
		       struct pn_error *err)
{
	struct pn_buf names = {0};

	for (; keys->name; keys++)
		pn_buf_printf(&names, "%s%s", names.len ? ", " : "",
			      keys->name);
	pn_similar_say(&names, name, strlen(name));
	pn_error_set(err, PN_EINVAL, "no such key, there are %s",
		     pn_buf_text(&names));
	pn_buf_release(&names);
	return PN_EINVAL;
}

int pn_key_set(void *to, struct pn_arena *arena, const struct pn_key *keys,
	       const char *name, const char *value, struct pn_error *err)
{
	const struct pn_key *key = keys;
	void *at;

	while (key->name && strcasecmp(key->name, name) != 0)
		key++;
	if (!key->name)
		return unknown_key(keys, name, err);
	at = (char *)to + key->offset;
	if (key->kind == PN_KEY_FLAG)
		return set_flag(at, value, err);
	if (!value || !*value)
		return pn_error_set(err, PN_EINVAL, "needs a value");
	switch (key->kind) {
	case PN_KEY_LIST:
		return add_value(at, arena, value, err);
	case PN_KEY_POST:
		return add_post(at, arena, value, err);
	case PN_KEY_TEXT:
		*(const char **)at = value;
		return 0;
	case PN_KEY_SECONDS:
		return set_seconds(at, value, err);
	case PN_KEY_TYPE:
		return set_type(at, value, err);
	default:
		return set_number(at, key, value, err);
	}
}
