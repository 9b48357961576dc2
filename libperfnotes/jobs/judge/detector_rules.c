/* [detector "<name>"] of the job file. */
#include "jobs/judge/detector_rules.h"

#include "base/text/similar.h"
#include "jobs/judge/pattern.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

static int find(struct pn_detector_rule **out, struct pn_detector_rules *rules,
		struct pn_arena *arena, const char *name, size_t len,
		struct pn_error *err)
{
	const char *text = pn_arena_copy(arena, name, len);
	const struct pn_detector *detector = pn_detector_find(text);
	struct pn_buf names = {0};
	size_t i;

	if (!detector) {
		pn_detector_names(&names, ", ");
		pn_similar_say(&names, text, len);
		pn_error_set(err, PN_EINVAL, "no such detector, there are %s",
			     pn_buf_text(&names));
		pn_buf_release(&names);
		return PN_EINVAL;
	}
	if (!rules->items)
		rules->items = pn_arena_array(arena, PN_DETECTOR_RULES_MAX,
					      sizeof(*rules->items));
	for (i = 0; i < rules->count; i++)
		if (rules->items[i].detector == detector)
			break;
	if (i == PN_DETECTOR_RULES_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %d such sections",
				    PN_DETECTOR_RULES_MAX);
	if (i == rules->count)
		rules->items[rules->count++] =
			(struct pn_detector_rule){.detector = detector};
	*out = &rules->items[i];
	return 0;
}

static int add(struct pn_detector_patterns *patterns, struct pn_arena *arena,
	       const char *value, struct pn_error *err)
{
	int code = pn_pattern_check(value, strlen(value), err);

	if (!code && patterns->count == PN_DETECTOR_PATTERNS_MAX)
		code = pn_error_set(err, PN_ELIMIT, "more than %d patterns",
				    PN_DETECTOR_PATTERNS_MAX);
	if (code)
		return code;
	if (!patterns->items)
		patterns->items =
			pn_arena_array(arena, PN_DETECTOR_PATTERNS_MAX,
				       sizeof(*patterns->items));
	patterns->items[patterns->count++] =
		pn_arena_copy(arena, value, strlen(value));
	return 0;
}

int pn_detector_rules_take(struct pn_detector_rules *rules,
			   struct pn_arena *arena, const char *name, size_t len,
			   const char *key, const char *value,
			   struct pn_error *err)
{
	struct pn_detector_rule *rule = NULL;
	int code = find(&rule, rules, arena, name, len, err);

	if (code)
		return code;
	if (!value)
		return pn_error_set(err, PN_EINVAL, "needs a value");
	if (!strcasecmp(key, "job"))
		return add(&rule->jobs, arena, value, err);
	if (!strcasecmp(key, "collector"))
		return add(&rule->collectors, arena, value, err);
	return pn_error_set(err, PN_EINVAL,
			    "no such key, there are job, collector");
}

static bool fits(const struct pn_detector_patterns *patterns, const char *text)
{
	size_t i;

	for (i = 0; i < patterns->count; i++)
		if (!fnmatch(patterns->items[i], text, 0))
			return true;
	return !patterns->count;
}

bool pn_detector_rule_fits(const struct pn_detector_rule *rule,
			   const struct pn_series *series)
{
	/* what was run by hand is called by its program */
	return fits(&rule->jobs, *series->job ? series->job : series->cmd) &&
	       fits(&rule->collectors, series->collector);
}

void pn_detector_rules_names(struct pn_buf *out, const char *between)
{
	pn_detector_names(out, between);
	pn_buf_add_text(out, between);
	pn_buf_add_text(out, PN_DETECTOR_RULES);
}
