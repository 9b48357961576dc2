/* [metric "<name>"] and [detector "<name>"] of the job file. */
#include "jobs/judge/gates.h"

#include "base/buf.h"
#include "base/number.h"
#include "jobs/judge/pattern.h"
#include "jobs/matrix/matrix.h"
#include "model/unit.h"

#include <float.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* 0.05, 5%. */
static int set_share(double *out, const char *text, struct pn_error *err)
{
	size_t len = strlen(text);
	bool percent = len && text[len - 1] == '%';
	double value;

	if (!pn_number_double(&value, text, len - percent) || !(value >= 0) ||
	    value > 1e6)
		return pn_error_set(err, PN_EINVAL,
				    "bad share '%s', need one as 0.05 or 5%%",
				    text);
	*out = percent ? value / 100 : value;
	return 0;
}

/* 10, 5ms, 256 kB. */
static int set_amount(double *out, const char **out_unit, const char *text,
		      struct pn_error *err)
{
	size_t len = strspn(text, "0123456789.");
	const char *unit = text + len + strspn(text + len, " "), *base = NULL;
	bool known =
		pn_unit_comparable(unit, "s") || pn_unit_comparable(unit, "B");
	double value;

	if (!len || !pn_number_double(&value, text, len) || (*unit && !known))
		return pn_error_set(err, PN_EINVAL,
				    "bad amount '%s', need one in the metric's "
				    "unit, or as 5ms or 256kB",
				    text);
	if (known) {
		base = pn_unit_base(unit);
		value = pn_unit_scale(&unit, value, unit, base);
	}
	*out = value;
	*out_unit = base;
	return 0;
}

int pn_gates_effect(double *out, const char *text, struct pn_error *err)
{
	int code = set_share(out, text, err);

	if (!code && !(*out > 0))
		*out = DBL_MIN; /* any change */
	return code;
}

static int set_better(enum pn_better *out, const char *text,
		      struct pn_error *err)
{
	if (!strcasecmp(text, "less"))
		*out = PN_BETTER_LESS;
	else if (!strcasecmp(text, "more"))
		*out = PN_BETTER_MORE;
	else
		return pn_error_set(err, PN_EINVAL,
				    "bad value '%s', need less or more", text);
	return 0;
}

static bool is_word(const char *text, const char *const *words)
{
	size_t i;

	for (i = 0; words[i]; i++)
		if (!strcasecmp(text, words[i]))
			return true;
	return false;
}

/* Whether it fails the check, or from which size on. */
static int set_gate(struct pn_course_rule *out, const char *text,
		    struct pn_error *err)
{
	static const char *const yes[] = {"true", "yes", "on", NULL};
	static const char *const no[] = {"false", "no", "off", NULL};
	int code = 0;

	out->required = true;
	out->gate = 0;
	if (is_word(text, no)) {
		out->required = false;
		out->gate = INFINITY;
	} else if (!is_word(text, yes)) {
		code = set_share(&out->gate, text, err);
	}
	if (code)
		pn_error_set(err, code,
			     "bad value '%s', need true, false, or a share as "
			     "0.05 or 5%%",
			     text);
	return code;
}

static int set_key(struct pn_gate *gate, const char *key, const char *value,
		   struct pn_error *err)
{
	if (!value)
		return pn_error_set(err, PN_EINVAL, "needs a value");
	if (!strcasecmp(key, "better"))
		return set_better(&gate->better, value, err);
	if (!strcasecmp(key, "mineffect"))
		return pn_gates_effect(&gate->rule.min_effect, value, err);
	if (!strcasecmp(key, "mindelta"))
		return set_amount(&gate->rule.min_delta,
				  &gate->rule.min_delta_unit, value, err);
	if (!strcasecmp(key, "gate"))
		return set_gate(&gate->rule, value, err);
	return pn_error_set(err, PN_EINVAL,
			    "no such key, there are better, minEffect, "
			    "minDelta, gate");
}

static int find(struct pn_gate **out, struct pn_gates *gates, const char *name,
		size_t len, struct pn_error *err)
{
	size_t i;

	if (!gates->items)
		gates->items = pn_arena_array(&gates->arena, PN_GATES_MAX,
					      sizeof(*gates->items));
	for (i = 0; i < gates->count; i++)
		if (strlen(gates->items[i].name) == len &&
		    !memcmp(gates->items[i].name, name, len))
			break;
	if (i == PN_GATES_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %d such sections", PN_GATES_MAX);
	if (i == gates->count)
		gates->items[gates->count++] = (struct pn_gate){
			.name = pn_arena_copy(&gates->arena, name, len),
			.rule = PN_COURSE_RULE_NONE};
	*out = &gates->items[i];
	return 0;
}

static int take_metric(struct pn_gates *gates, const char *name, size_t len,
		       const char *key, const char *value, struct pn_error *err)
{
	struct pn_gate *gate = NULL;
	int code = pn_pattern_check(name, len, err);

	if (!code)
		code = find(&gate, gates, name, len, err);
	return code ? code : set_key(gate, key, value, err);
}

/* "metric.<name>.<key>", "detector.<name>.<key>"; names may have dots. */
static int take(struct pn_gates *gates, const char *full, const char *value,
		struct pn_error *err)
{
	const char *first = strchr(full, '.'), *last = strrchr(full, '.');
	size_t len = first ? (size_t)(first - full) : 0;
	bool metric = len == 6 && !memcmp(full, "metric", 6);
	bool detector = len == 8 && !memcmp(full, "detector", 8);
	int code;

	if (!metric && !detector)
		return 0;
	if (first == last)
		code = pn_error_set(err, PN_EINVAL,
				    "needs a name: [%.*s \"<name>\"]", (int)len,
				    full);
	else if (metric)
		code = take_metric(gates, first + 1, (size_t)(last - first - 1),
				   last + 1, value, err);
	else
		code = pn_detector_rules_take(
			&gates->detectors, &gates->arena, first + 1,
			(size_t)(last - first - 1), last + 1, value, err);
	return code ? pn_error_context(err, "%s", full) : 0;
}

int pn_gates_parse(struct pn_gates *out, const char *list, size_t len,
		   struct pn_error *err)
{
	const char *at = list, *end = list + len, *stop, *line;
	struct pn_buf key = {0};
	int code = 0;

	for (; !code && at < end; at = stop + 1) {
		stop = memchr(at, '\0', (size_t)(end - at));
		if (!stop)
			break;
		line = memchr(at, '\n', (size_t)(stop - at));
		pn_buf_clear(&key);
		pn_buf_add(&key, at, (size_t)((line ? line : stop) - at));
		code = take(out, pn_buf_text(&key), line ? line + 1 : NULL,
			    err);
	}
	pn_buf_release(&key);
	return code;
}

int pn_gates_bytes(struct pn_buf *out, struct pn_repo *repo,
		   struct pn_error *err)
{
	const char *top = pn_repo_work_dir(repo);
	struct pn_buf path = {0};
	int code;

	if (!top)
		return 0;
	pn_buf_printf(&path, "%s/%s", top, PN_MATRIX_FILE);
	code = pn_matrix_read(out, pn_buf_text(&path), false, err);
	pn_buf_release(&path);
	return code == PN_ENOTFOUND ? 0 : code;
}

static int read_usual(struct pn_gates *out, struct pn_repo *repo,
		      struct pn_error *err)
{
	char *text = NULL;
	int code = pn_repo_config(&text, repo, PN_GATES_EFFECT, err);

	if (!code && text && pn_gates_effect(&out->usual, text, err))
		code = pn_error_context(err, PN_GATES_EFFECT);
	free(text);
	return code;
}

int pn_gates_read(struct pn_gates *out, struct pn_repo *repo,
		  struct pn_error *err)
{
	struct pn_buf bytes = {0}, list = {0};
	int code = pn_gates_bytes(&bytes, repo, err);

	if (!code && bytes.len)
		code = pn_repo_parse_config(&list, repo, bytes.data, bytes.len,
					    err);
	if (!code && list.len)
		code = pn_gates_parse(out, pn_buf_text(&list), list.len, err);
	if (code)
		pn_error_context(err, "'%s'", PN_MATRIX_FILE);
	pn_buf_release(&bytes);
	pn_buf_release(&list);
	return code ? code : read_usual(out, repo, err);
}

void pn_gates_release(struct pn_gates *gates)
{
	pn_arena_release(&gates->arena);
	memset(gates, 0, sizeof(*gates));
}

bool pn_gates_name(const struct pn_gates *gates, const char *metric)
{
	size_t i;

	for (i = 0; i < gates->count; i++)
		if (!fnmatch(gates->items[i].name, metric, 0))
			return true;
	return false;
}

static void apply(const struct pn_gate *gate, struct pn_course *course)
{
	const struct pn_course_rule *rule = &gate->rule;

	if (gate->better != PN_BETTER_UNKNOWN)
		course->key.better = gate->better;
	if (!isnan(rule->min_effect))
		course->rule.min_effect = rule->min_effect;
	if (!isnan(rule->min_delta)) {
		course->rule.min_delta = rule->min_delta;
		course->rule.min_delta_unit = rule->min_delta_unit;
	}
	if (!isnan(rule->gate)) {
		course->rule.gate = rule->gate;
		course->rule.required = rule->required;
	}
}

void pn_gates_apply(const struct pn_gates *gates, struct pn_courses *courses)
{
	struct pn_course_rule *rule;
	size_t i, k;

	for (k = 0; k < courses->count; k++) {
		rule = &courses->items[k].rule;
		if (gates->usual > 0)
			rule->min_effect = gates->usual;
		for (i = 0; i < gates->count; i++)
			if (!fnmatch(gates->items[i].name,
				     courses->items[k].key.metric, 0))
				apply(&gates->items[i], &courses->items[k]);
		if (gates->asked > 0) {
			rule->min_effect = gates->asked;
			rule->min_delta = NAN;
		}
	}
}
