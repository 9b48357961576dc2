/* What the bytes of a commit object say; git-cat-file(1) shows them. */
#include "vcs/walk/record.h"

#include "base/alloc.h"
#include "base/number.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TREE_LINE (sizeof("tree \n") - 1 + PN_OID_HEX)
#define PARENT_LINE (sizeof("parent \n") - 1 + PN_OID_HEX)
/* Bytes of all texts of a commit: many are kept at a time. */
#define TEXTS_MAX 4096
/* Of a time in seconds: what git's commit-graph has no room for is longer. */
#define TIME_DIGITS 10

struct text {
	const char *at;
	size_t len;
};

struct ident {
	struct text name, mail;
	int64_t time_s;
};

/* The line at *at, without its LF, and go on behind it. */
static bool take_line(struct text *out, const char **at, const char *end)
{
	const char *lf = memchr(*at, '\n', (size_t)(end - *at));

	if (!lf)
		return false;
	*out = (struct text){*at, (size_t)(lf - *at)};
	*at = lf + 1;
	return true;
}

static bool begins(const struct text *line, const char *word)
{
	size_t len = strlen(word);

	return line->len >= len && !memcmp(line->at, word, len);
}

/* As git's own table of bytes has it. */
static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t count_digits(const char *at, const char *end)
{
	size_t n = 0;

	while (n < (size_t)(end - at) && at[n] >= '0' && at[n] <= '9')
		n++;
	return n;
}

/* "1700000000 +0100"; without a zone git takes it for no time. */
static bool read_time(int64_t *out, const char *at, const char *end)
{
	size_t digits = count_digits(at, end);
	const char *zone = at + digits + 1;

	return digits && digits <= TIME_DIGITS && end - zone > 1 &&
	       zone[-1] == ' ' && (*zone == '+' || *zone == '-') &&
	       count_digits(zone + 1, end) && pn_number_int(out, at, digits);
}

/* "author A U Thor <mail> 1700000000 +0100", where nothing is in doubt. */
static bool read_ident(struct ident *out, const struct text *line,
		       const char *word)
{
	const char *end = line->at + line->len, *name, *open, *shut;

	if (!begins(line, word))
		return false;
	name = line->at + strlen(word);
	open = memchr(name, '<', (size_t)(end - name));
	shut = memchr(name, '>', (size_t)(end - name));
	if (!open || !shut || shut < open || open - name < 2 ||
	    open[-1] != ' ' || is_space(open[-2]) || is_space(*name) ||
	    memchr(open + 1, '<', (size_t)(end - open - 1)) ||
	    memchr(shut + 1, '>', (size_t)(end - shut - 1)) || end - shut < 2 ||
	    shut[1] != ' ')
		return false;
	out->name = (struct text){name, (size_t)(open - 1 - name)};
	out->mail = (struct text){open + 1, (size_t)(shut - open - 1)};
	return read_time(&out->time_s, shut + 2, end);
}

/* Up to the message. */
static bool pass_headers(const char **at, const char *end)
{
	struct text line;

	while (take_line(&line, at, end)) {
		if (!line.len)
			return true;
		if (begins(&line, "encoding ") || begins(&line, "author ") ||
		    begins(&line, "committer "))
			return false;
	}
	return false;
}

/* The next line of a message, with no space at its end; empty: there is none.
 */
static struct text message_line(const char **at, const char *end)
{
	const char *lf = memchr(*at, '\n', (size_t)(end - *at));
	struct text line = {*at, (size_t)((lf ? lf : end) - *at)};

	*at = lf ? lf + 1 : end;
	while (line.len && is_space(line.at[line.len - 1]))
		line.len--;
	return line;
}

/* %s: the lines of the first paragraph, as one; `to` NULL: how long that is,
 * with a NUL. */
static size_t write_subject(char *to, const char *at, const char *end)
{
	struct text line = {NULL, 0};
	size_t len = 0;

	while (at < end && !line.len)
		line = message_line(&at, end);
	for (; line.len; line = message_line(&at, end)) {
		if (to && len)
			to[len - 1] = ' ';
		if (to)
			memcpy(to + len, line.at, line.len);
		len += line.len + 1;
	}
	if (to)
		to[len ? len - 1 : 0] = '\0';
	return len ? len : 1;
}

static char *write_text(char *to, const struct text *text)
{
	memcpy(to, text->at, text->len);
	to[text->len] = '\0';
	return to + text->len + 1;
}

static bool read_parents(struct pn_oid *out, const char *at, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++, at += PARENT_LINE)
		if (pn_oid_parse(&out[i], at + strlen("parent ")))
			return false;
	return true;
}

static size_t count_parents(const char *at, const char *end)
{
	size_t n = 0;

	for (; end - at > (long)PARENT_LINE && !memcmp(at, "parent ", 7) &&
	       at[PARENT_LINE - 1] == '\n';
	     at += PARENT_LINE)
		n++;
	return n;
}

/* The bytes of one, each part where it begins. */
struct parts {
	const char *tree, *parents, *message, *end;
	size_t parent_count;
	struct ident author, committer;
};

static bool take_apart(struct parts *out, const char *at, size_t len)
{
	const char *end = at + len;
	struct text line;

	if (len < TREE_LINE || memchr(at, '\0', len) ||
	    memcmp(at, "tree ", 5) != 0 || at[TREE_LINE - 1] != '\n')
		return false;
	out->tree = at + strlen("tree ");
	out->parents = at + TREE_LINE;
	out->parent_count = count_parents(out->parents, end);
	at = out->parents + out->parent_count * PARENT_LINE;
	if (!take_line(&line, &at, end) ||
	    !read_ident(&out->author, &line, "author ") ||
	    !take_line(&line, &at, end) ||
	    !read_ident(&out->committer, &line, "committer ") ||
	    !pass_headers(&at, end))
		return false;
	out->message = at;
	out->end = end;
	return true;
}

struct pn_record *pn_record_new(const struct pn_oid *id,
				const unsigned char *bytes, size_t len)
{
	struct pn_record *record;
	struct parts parts;
	struct pn_commit *c;
	size_t texts;
	char *to;

	if (!take_apart(&parts, (const char *)bytes, len))
		return NULL;
	texts = parts.author.name.len + parts.author.mail.len + 2 +
		write_subject(NULL, parts.message, parts.end);
	if (texts > TEXTS_MAX)
		return NULL;
	record = pn_malloc(sizeof(*record) +
			   parts.parent_count * sizeof(struct pn_oid) + texts);
	memset(record, 0, sizeof(*record));
	c = &record->commit;
	c->id = *id;
	c->parents = (struct pn_oid *)(record + 1);
	c->parent_count = parts.parent_count;
	c->author_time_s = parts.author.time_s;
	record->time_s = (uint64_t)parts.committer.time_s;
	to = (char *)(c->parents + c->parent_count);
	c->author = to;
	to = write_text(to, &parts.author.name);
	c->email = to;
	to = write_text(to, &parts.author.mail);
	c->subject = to;
	write_subject(to, parts.message, parts.end);
	if (!pn_oid_parse(&c->tree, parts.tree) &&
	    read_parents(c->parents, parts.parents, c->parent_count))
		return record;
	free(record);
	return NULL;
}
