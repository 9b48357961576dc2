/* perf script: how its text is recognised, and its row of the table. */
#include "codec/perf_script/perf_script.h"
#include "codec/codec.h"

#include <string.h>

/* What the first lines say. */
struct signs {
	bool comment;	 /* "# captured on" and the like */
	bool head;	 /* a head that names an event or a time */
	bool short_head; /* one without pid and time: "comm event: " */
	bool frame;	 /* below a head, or behind one */
	bool stranger;
};

static bool begins(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(text, with, strlen(with));
}

static void look_at_head(struct signs *s, const char *text, size_t len)
{
	struct pn_perf_head head;

	bool known = pn_perf_head(&head, text, len);

	if (known && !head.has_time && (head.tid < 0 || !head.event.len) &&
	    head.comm.len && text[len - 1] == ' ') {
		s->short_head = s->head = true;
		return;
	}
	if (!known || (!head.has_time && head.tid < 0)) {
		s->stranger = true;
		return;
	}
	s->head |= head.has_time || (head.tid >= 0 && head.event.len);
	s->frame |= head.has_time && head.event.len;
}

/* Addresses are 16 wide: asked for where the head says little. */
static bool is_padded(const char *text, size_t len)
{
	return len > 17 && text[16] != ' ' && text[17] == ' ';
}

static void look_at_line(struct signs *s, const char *text, size_t len)
{
	if (!len)
		return;
	if (*text == '#') {
		s->comment |= begins(text, len, "# captured on") ||
			      begins(text, len, "# event : name = ");
	} else if (*text == '\t') {
		s->stranger |= !pn_perf_is_frame(text, len) ||
			       (s->short_head && !is_padded(text, len));
		s->frame |= s->head;
	} else if (*text != ' ' || !s->head) {
		look_at_head(s, text, len);
	}
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	const char *at = (const char *)bytes, *end = at + len, *lf;
	struct signs s = {0};

	/* times and events end in a colon, frames begin with a tab */
	if (!memchr(bytes, ':', len) && !memchr(bytes, '#', len) &&
	    !memchr(bytes, '\t', len))
		return PN_SNIFF_NO;
	for (; at < end && !s.stranger; at = lf + 1) {
		size_t line;

		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf && len >= PN_SNIFF_BYTES)
			break; /* the sniffed bytes end within this line */
		if (!lf)
			lf = end;
		line = (size_t)(lf - at);
		if (line && at[line - 1] == '\r')
			line--;
		look_at_line(&s, at, line);
	}
	if (s.stranger)
		return PN_SNIFF_NO;
	return s.comment || (s.head && s.frame) ? PN_SNIFF_LIKELY : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_perf_script = {
	.name = "perf-script",
	.summary = "text that perf script prints",
	.languages = "c c++ rust any",
	.made_by = "perf script -i perf.data",
	.sniffed_by = "heads 'comm pid time: period event:' and frames",
	.suffix = ".perf.txt",
	.sniff = sniff,
	.read = pn_perf_script_read,
};
