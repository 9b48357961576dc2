/* callgrind's and cachegrind's files: how they are recognised, and their rows
 * of the table. */
#include "codec/callgrind/callgrind.h"
#include "codec/codec.h"

#include <string.h>

/* What the lines of a file's beginning say. */
struct signs {
	bool comment;  /* "# callgrind format" */
	bool version;  /* keys that cachegrind does not write */
	bool key;      /* any other key */
	bool events;   /* followed by ... */
	bool body;     /* ... a line "fl=", "fn=", "ob=" or costs */
	bool calls;    /* a line that is about a call */
	bool stranger; /* a line that neither has */
};

static const char *const later_keys[] = {"version", "creator",	 "pid",
					 "thread",  "positions", "part",
					 "event",   NULL};
static const char *const known_keys[] = {"cmd", "desc", "summary", "totals",
					 NULL};

static bool is_one_of(struct pn_span key, const char *const *list)
{
	for (; *list; list++)
		if (pn_span_is(key, *list))
			return true;
	return false;
}

static bool is_cost(struct pn_span text)
{
	size_t i;

	for (i = 0; i < text.len; i++)
		if (!strchr("0123456789abcdefx+-*. ", text.at[i]))
			return false;
	return strchr("0123456789+-*", *text.at) != NULL;
}

static void look_at_key(struct signs *s, struct pn_span key)
{
	if (pn_span_is(key, "events"))
		s->events = true;
	else if (is_one_of(key, later_keys))
		s->version = true;
	else if (is_one_of(key, known_keys))
		s->key = true;
	else
		s->stranger |= !s->version && !s->key;
}

static void look_at_name(struct signs *s, struct pn_span key)
{
	if (key.len == 2 && (pn_span_is(key, "fl") || pn_span_is(key, "fn") ||
			     pn_span_is(key, "ob") || pn_span_is(key, "fi") ||
			     pn_span_is(key, "fe")))
		s->body |= s->events;
	else if (pn_span_is(key, "calls") || pn_span_is(key, "cfn"))
		s->calls |= s->body;
	else
		s->stranger |= !s->body;
	s->stranger |= !s->events;
}

static void look_at_line(struct signs *s, struct pn_span text)
{
	struct pn_span key = {text.at, 0};

	if (!text.len)
		return;
	if (*text.at == '#') {
		s->comment |= pn_span_is(text, "# callgrind format");
		return;
	}
	while (key.len < text.len && key.at[key.len] >= 'a' &&
	       key.at[key.len] <= 'z')
		key.len++;
	if (key.len && key.len < text.len && key.at[key.len] == ':')
		look_at_key(s, key);
	else if (key.len && key.len < text.len && key.at[key.len] == '=')
		look_at_name(s, key);
	else if (!s->events || !is_cost(text))
		s->stranger = true;
}

static struct signs look(const unsigned char *bytes, size_t len)
{
	struct signs s = {0};
	const char *at = (const char *)bytes, *end = at + len, *lf;

	for (; at < end && !s.stranger; at = lf + 1) {
		struct pn_span text = {at, 0};

		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf && len >= PN_SNIFF_BYTES)
			break; /* cut */
		if (!lf)
			lf = end;
		text.len = (size_t)(lf - at);
		if (text.len && text.at[text.len - 1] == '\r')
			text.len--;
		look_at_line(&s, pn_span_trim(text));
	}
	return s;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct signs s = look(bytes, len);

	if (s.comment)
		return PN_SNIFF_SURE;
	if (s.stranger || !s.events || !(s.body || s.version))
		return PN_SNIFF_NO;
	return s.version || s.calls || !s.key ? PN_SNIFF_LIKELY
					      : PN_SNIFF_MAYBE;
}

static enum pn_sniff sniff_flat(const unsigned char *bytes, size_t len)
{
	struct signs s = look(bytes, len);

	return !s.comment && !s.stranger && !s.version && !s.calls && s.key &&
			       s.events && s.body
		       ? PN_SNIFF_LIKELY
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_callgrind = {
	.name = "callgrind",
	.summary = "callgrind's or Xdebug's call graph, for KCachegrind",
	.languages = "c c++ rust php",
	.made_by = "valgrind --tool=callgrind; Xdebug with xdebug.mode=profile",
	.sniffed_by = "'# callgrind format', or 'version:' and 'events:'",
	.suffix = ".callgrind",
	.sniff = sniff,
	.read = pn_callgrind_read,
	.write = pn_callgrind_write,
	.costs = PN_CODEC_COSTS_GRAPH,
	.other_totals = pn_callgrind_other_totals,
	.other_names = pn_callgrind_other_names,
	.replaced = "control characters and outer blanks",
	.by = "blanks or nothing",
};

const struct pn_codec pn_codec_cachegrind = {
	.name = "cachegrind",
	.summary = "cachegrind's costs by line",
	.languages = "c c++ rust",
	.made_by = "valgrind --tool=cachegrind",
	.sniffed_by = "'cmd:' and 'events:', then 'fl=' and no calls",
	.suffix = ".cachegrind",
	.sniff = sniff_flat,
	.read = pn_callgrind_read_flat,
};
