/* Texts as services of CI read them. */
#include "render/judged/ci_text.h"

#include "base/escape.h"
#include "render/html/html.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

void pn_ci_xml(struct pn_buf *out, const char *text)
{
	pn_html_text(out, text, strlen(text));
}

void pn_ci_attribute(struct pn_buf *out, const char *name,
		     const struct pn_buf *text)
{
	pn_buf_printf(out, " %s=\"", name);
	pn_ci_xml(out, pn_buf_text(text));
	pn_buf_add_byte(out, '"');
}

static bool is_plain(unsigned char c)
{
	return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z') || strchr(" ,/+-%()=.", c);
}

/* "www.x.y" and "x://y" are links where nothing marks them as such: GitHub
 * Flavored Markdown, 6.9. */
static bool is_link(const char *text)
{
	for (; *text; text++)
		if (!strncasecmp(text, "www.", 4) || !strncmp(text, "://", 3))
			return true;
	return false;
}

/* What is looked for in the page, where a number is the character again. */
static bool is_reference(const unsigned char *at)
{
	return *at == '@' || (*at == '#' && at[1] >= '0' && at[1] <= '9');
}

void pn_ci_markdown(struct pn_buf *out, struct pn_buf *text)
{
	struct pn_buf safe = {0};
	bool link;
	size_t i;

	pn_escape_terminal(&safe, pn_buf_text(text), text->len);
	link = is_link(pn_buf_text(&safe));
	for (i = 0; i < safe.len; i++)
		if (is_reference(safe.data + i))
			pn_buf_printf(out, "&#%u;&#8203;", safe.data[i]);
		else if (link && safe.data[i] == '.')
			pn_buf_add_text(out, "&#46;");
		else if (is_plain(safe.data[i]) ||
			 (safe.data[i] == ':' && safe.data[i + 1] == ' '))
			pn_buf_add_byte(out, safe.data[i]);
		else
			pn_buf_printf(out, "&#%u;", safe.data[i]);
	pn_buf_release(&safe);
	pn_buf_clear(text);
}

void pn_ci_cell(struct pn_buf *out, struct pn_buf *text)
{
	pn_buf_add_text(out, " ");
	pn_ci_markdown(out, text);
	pn_buf_add_text(out, " |");
}

void pn_ci_github(struct pn_buf *out, struct pn_buf *text, bool property)
{
	struct pn_buf safe = {0};
	const char *special = property ? "%:,\r\n" : "%\r\n";
	size_t i;

	pn_escape_terminal(&safe, pn_buf_text(text), text->len);
	for (i = 0; i < safe.len; i++)
		if (strchr(special, safe.data[i]))
			pn_buf_printf(out, "%%%02X", safe.data[i]);
		else
			pn_buf_add_byte(out, safe.data[i]);
	pn_buf_release(&safe);
	pn_buf_clear(text);
}
