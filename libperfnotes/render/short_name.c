/* Names of functions in a picture: how each language qualifies them. */
#include "render/short_name.h"

#include "base/buf.h"

#include <stdbool.h>
#include <string.h>

struct text {
	const char *at, *end;
};

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_lower(c) || is_upper(c) || is_digit(c) || c == '_';
}

static bool begins(struct text t, const char *with)
{
	size_t len = strlen(with);

	return (size_t)(t.end - t.at) >= len && !memcmp(t.at, with, len);
}

/* Past word characters, and `also`. */
static const char *skip_word(const char *at, const char *end, char also)
{
	while (at < end && (is_word(*at) || (also && *at == also)))
		at++;
	return at;
}

/* The end of "/v2" or later, before a '.' or '/', at `at`; NULL: none. */
static const char *version(const char *at, const char *end)
{
	const char *digits = at + 2, *stop = digits;

	if (end - at < 4 || at[0] != '/' || at[1] != 'v')
		return NULL;
	while (stop < end && is_digit(*stop))
		stop++;
	if (stop == end || (*stop != '.' && *stop != '/') || *digits == '0' ||
	    stop == digits || (stop - digits == 1 && *digits == '1'))
		return NULL;
	return stop;
}

/* The first version among a module's folders goes. */
static void drop_version(struct pn_buf *out, struct text t)
{
	const char *at;

	for (at = t.at; at < t.end && *at != '\n'; at++) {
		const char *stop = version(at, t.end);

		if (!stop)
			continue;
		pn_buf_add(out, t.at, (size_t)(at - t.at));
		pn_buf_add(out, stop, (size_t)(t.end - stop));
		return;
	}
	pn_buf_add(out, t.at, (size_t)(t.end - t.at));
}

/* Folders: words with '-' and '.' in them. */
static bool go_name(struct text *t)
{
	const char *at = t->at, *name = NULL, *line;

	for (;;) {
		const char *stop = at;

		while (stop < t->end &&
		       (is_word(*stop) || *stop == '-' || *stop == '.'))
			stop++;
		if (stop == at || stop == t->end || *stop != '/')
			break;
		at = stop + 1;
		if (at < t->end && *at != '\n')
			name = at;
	}
	if (!name)
		return false;
	line = memchr(name, '\n', (size_t)(t->end - name));
	t->at = name;
	t->end = line ? line : t->end;
	return true;
}

/* Class and method behind packages, before the arguments. */
static bool java_name(struct text *t)
{
	const char *at = t->at, *stop;
	struct text rest;

	while (at < t->end && is_lower(*at)) {
		stop = skip_word(at, t->end, '\0');
		if (stop == t->end || *stop != '.')
			return false;
		at = stop + 1;
	}
	if (at == t->end || !is_upper(*at))
		return false;
	stop = skip_word(at, t->end, '$');
	if (stop == t->end || *stop != '.')
		return false;
	rest = (struct text){stop + 1, t->end};
	if (begins(rest, "<init>"))
		stop = rest.at + strlen("<init>");
	else if (rest.at < t->end && is_lower(*rest.at))
		stop = skip_word(rest.at, t->end, '$');
	else
		return false;
	if (stop < t->end && *stop != '(')
		return false;
	t->at = at;
	t->end = stop;
	return true;
}

/* The end of a word that begins like a name, NULL: none. */
static const char *identifier(const char *at, const char *end)
{
	if (at == end || !is_word(*at) || is_digit(*at))
		return NULL;
	return skip_word(at, end, '\0');
}

/* Class::method, with template arguments, all of it. */
static bool method(struct text *t)
{
	const char *at = t->at, *stop, *line, *angle;

	while (at < t->end && *at == '_')
		at++;
	if (at == t->end || !is_upper(*at))
		return false;
	stop = skip_word(at, t->end, '\0');
	if (!begins((struct text){stop, t->end}, "::"))
		return false;
	stop += 2;
	if (stop < t->end && *stop == '~')
		stop++;
	stop = identifier(stop, t->end);
	if (!stop)
		return false;
	if (stop < t->end && *stop == '<') {
		line = memchr(stop, '\n', (size_t)(t->end - stop));
		for (angle = line ? line : t->end; angle > stop; angle--)
			if (angle[-1] == '>')
				break;
		if (angle > stop)
			stop = angle;
	}
	t->end = stop;
	return true;
}

/* Namespaces go, as many as leave a class and a method. */
static bool cpp_name(struct text *t)
{
	struct text best = {NULL, NULL};
	const char *at = t->at;

	for (;;) {
		const char *stop = identifier(at, t->end);
		struct text rest;

		if (!stop || !begins((struct text){stop, t->end}, "::"))
			break;
		at = stop + 2;
		rest = (struct text){at, t->end};
		if (method(&rest))
			best = rest;
	}
	if (best.at)
		*t = best;
	return best.at;
}

void pn_short_name(struct pn_buf *out, const char *name, size_t len)
{
	static const char anonymous[] = "(anonymous namespace)::";
	struct text t = {name, name + len};
	struct pn_buf plain = {0};

	if (begins(t, anonymous))
		t.at += strlen(anonymous);
	drop_version(&plain, t);
	t.at = pn_buf_text(&plain);
	t.end = t.at + plain.len;
	if (!go_name(&t) && !java_name(&t))
		cpp_name(&t);
	pn_buf_add(out, t.at, (size_t)(t.end - t.at));
	pn_buf_release(&plain);
}
