/* The words of --flame. */
#include "render/flame/style.h"

#include "base/text/similar.h"

#include <stddef.h>
#include <string.h>

static const char *const words[] = {"icicle", "reverse", "time",  "old",
				    "name",   "module",	 "change"};

#define WORDS (sizeof(words) / sizeof(*words))

void pn_flame_style_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		pn_buf_printf(out, "%s%s", i ? between : "", words[i]);
}

static void set(struct pn_flame_style *style, size_t word)
{
	switch (word) {
	case 0:
		style->icicle = true;
		break;
	case 1:
		style->reversed = true;
		break;
	case 2:
		style->by_time = true;
		break;
	case 3:
		style->old_width = true;
		break;
	default:
		style->color =
			PN_FLAME_BY_NAME + (enum pn_flame_color)(word - 4);
	}
}

int pn_flame_style_parse(struct pn_flame_style *out, const char *text,
			 struct pn_error *err)
{
	struct pn_flame_style style = {.icicle = false};
	struct pn_buf names = {0};
	size_t i, len;

	for (; *text; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		for (i = 0; i < WORDS; i++)
			if (strlen(words[i]) == len &&
			    !memcmp(words[i], text, len))
				break;
		if (i < WORDS) {
			set(&style, i);
			continue;
		}
		pn_flame_style_names(&names, ", ");
		pn_similar_say(&names, text, len);
		pn_error_set(err, PN_ENOTFOUND,
			     "no way '%.*s' to draw a flame graph: there are "
			     "%s",
			     (int)(len < 40 ? len : 40), text,
			     pn_buf_text(&names));
		pn_buf_release(&names);
		return PN_ENOTFOUND;
	}
	*out = style;
	return 0;
}
