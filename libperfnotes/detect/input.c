/* Numbers as a filter gets them. */
#include "detect/input.h"

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SHOWN_BYTES 40 /* of a word that is no number, in a message */

void pn_numbers_release(struct pn_numbers *numbers)
{
	if (numbers)
		free(numbers->values);
	if (numbers)
		*numbers = (struct pn_numbers){0};
}

void pn_numbers_compact(struct pn_numbers *numbers)
{
	size_t i, kept = 0;

	for (i = 0; i < numbers->count; i++)
		if (!isnan(numbers->values[i]))
			numbers->values[kept++] = numbers->values[i];
	numbers->count = kept;
}

int pn_numbers_add(struct pn_numbers *out, double value, struct pn_error *err)
{
	if (out->count == PN_INPUT_MAX_VALUES)
		return pn_error_set(err, PN_ELIMIT,
				    "a list of more than %d numbers",
				    PN_INPUT_MAX_VALUES);
	out->values = pn_grow(out->values, &out->cap, out->count + 1,
			      sizeof(*out->values));
	out->values[out->count++] = value;
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_missing(const char *word, size_t len)
{
	return (len == 1 && *word == '-') ||
	       (len == 3 && !strncasecmp(word, "nan", len));
}

static int add_word(struct pn_numbers *out, const char *word, size_t len,
		    size_t line, struct pn_error *err)
{
	double value = NAN;

	if (!is_missing(word, len) && !pn_number_double(&value, word, len))
		return pn_error_set(
			err, PN_EINVAL,
			"line %zu: '%.*s' is not a finite number", line,
			(int)(len < SHOWN_BYTES ? len : SHOWN_BYTES), word);
	return pn_numbers_add(out, value, err);
}

static int parse_words(struct pn_numbers *out, const char *text, size_t len,
		       size_t line, struct pn_error *err)
{
	size_t i = 0, begin;
	int code = 0;

	while (!code && i < len) {
		if (is_blank(text[i])) {
			line += text[i++] == '\n';
			continue;
		}
		for (begin = i; i < len && !is_blank(text[i]);)
			i++;
		code = add_word(out, text + begin, i - begin, line, err);
	}
	return code;
}

/* Behind the bracket that opens it, to the one that closes it. */
static int read_list(struct pn_numbers *out, struct pn_json *json,
		     struct pn_error *err)
{
	struct pn_buf path = {0};
	enum pn_json_event event;
	double value;
	int code;

	out->count = 0;
	while (!(code = pn_json_next(&event, json, err))) {
		value = NAN;
		if (event == PN_JSON_ARRAY_END)
			return 0;
		if (event != PN_JSON_NULL &&
		    (event != PN_JSON_NUMBER || !pn_json_number(&value, json) ||
		     isinf(value))) {
			pn_json_path(&path, json);
			code = pn_error_set(
				err, PN_EINVAL,
				"%s: expected a finite number or "
				"null, have %s",
				pn_buf_text(&path),
				event == PN_JSON_NUMBER
					? pn_json_text(json)
					: pn_json_event_name(event));
			break;
		}
		code = pn_numbers_add(out, value, err);
		if (code)
			break;
	}
	pn_buf_release(&path);
	return code;
}

/* The lists of an object that have these names; others are passed over. */
static int read_members(struct pn_numbers *const *outs,
			const char *const *names, size_t count,
			struct pn_json *json, struct pn_error *err)
{
	unsigned found = 0;
	enum pn_json_event event;
	size_t i;
	int code;

	while (!(code = pn_json_next(&event, json, err)) &&
	       event == PN_JSON_KEY) {
		for (i = 0; i < count; i++)
			if (!strcmp(pn_json_text(json), names[i]))
				break;
		if (i == count) {
			code = pn_json_next(&event, json, err);
			if (!code)
				code = pn_json_skip(json, event, err);
		} else {
			found |= 1u << i;
			code = pn_json_expect(json, PN_JSON_ARRAY, err);
			if (!code)
				code = read_list(outs[i], json, err);
		}
		if (code)
			return code;
	}
	for (i = 0; !code && i < count; i++)
		if (!(found & 1u << i))
			code = pn_error_set(err, PN_EINVAL,
					    "no list \"%s\" in the object",
					    names[i]);
	return code;
}

/* Two lists in a list, behind its first bracket. */
static int read_pair(struct pn_numbers *const *outs, struct pn_json *json,
		     struct pn_error *err)
{
	int i, code = 0;

	for (i = 0; !code && i < 2; i++) {
		code = pn_json_expect(json, PN_JSON_ARRAY, err);
		if (!code)
			code = read_list(outs[i], json, err);
	}
	return code ? code : pn_json_expect(json, PN_JSON_ARRAY_END, err);
}

static int parse_json(struct pn_numbers *const *outs, size_t count,
		      const char *text, size_t len, struct pn_error *err)
{
	static const char *const single[] = {"values"};
	static const char *const pair[] = {"baseline", "target"};
	struct pn_reader *in = NULL;
	struct pn_json *json = NULL;
	enum pn_json_event event;
	int code = pn_reader_memory(&in, text, len, "the numbers", 0, err);

	if (!code) {
		json = pn_json_new(in);
		code = pn_json_next(&event, json, err);
	}
	if (!code && event == PN_JSON_OBJECT)
		code = read_members(outs, count == 1 ? single : pair, count,
				    json, err);
	else if (!code)
		code = count == 1 ? read_list(outs[0], json, err)
				  : read_pair(outs, json, err);
	if (!code)
		code = pn_json_expect(json, PN_JSON_END, err);
	pn_json_free(json);
	pn_reader_free(in);
	return code;
}

/* Where what is not blank begins. */
static size_t skip_blanks(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && is_blank(text[i]))
		i++;
	return i;
}

bool pn_numbers_is_json(const char *text, size_t len)
{
	size_t i = skip_blanks(text, len);

	return i < len && (text[i] == '[' || text[i] == '{');
}

int pn_numbers_words(struct pn_numbers *out, const char *text, size_t len,
		     size_t line, struct pn_error *err)
{
	out->count = 0;
	return parse_words(out, text, len, line, err);
}

int pn_numbers_item(struct pn_numbers *out, const struct pn_json_tree *tree,
		    size_t item, const char *what, struct pn_error *err)
{
	size_t at = item + 1, len;
	int code = 0;

	out->count = 0;
	if (pn_json_tree_event(tree, item) != PN_JSON_ARRAY)
		return pn_error_set(err, PN_EINVAL,
				    "%s: expected a list of numbers", what);
	for (; !code && pn_json_tree_event(tree, at) != PN_JSON_ARRAY_END;
	     at++) {
		enum pn_json_event event = pn_json_tree_event(tree, at);
		const char *text = pn_json_tree_text(tree, at, &len);
		double value = NAN;

		if (event != PN_JSON_NULL &&
		    (event != PN_JSON_NUMBER ||
		     !pn_number_double(&value, text, len)))
			code = pn_error_set(err, PN_EINVAL,
					    "%s: expected a finite number or "
					    "null in the list",
					    what);
		else
			code = pn_numbers_add(out, value, err);
	}
	return code;
}

int pn_numbers_parse(struct pn_numbers *out, const char *text, size_t len,
		     size_t line, struct pn_error *err)
{
	int code;

	out->count = 0;
	if (!pn_numbers_is_json(text, len))
		return parse_words(out, text, len, line, err);
	code = parse_json(&out, 1, text, len, err);
	if (code && line > 1)
		pn_error_context(err, "line %zu", line);
	return code;
}

/* The next line of `text` from *at on that is not blank; its number. */
static bool next_line(const char **begin, size_t *len, size_t *line,
		      const char *text, size_t size, size_t *at)
{
	const char *lf;

	while (*at < size) {
		lf = memchr(text + *at, '\n', size - *at);
		*begin = text + *at;
		*len = lf ? (size_t)(lf - *begin) : size - *at;
		*at += *len + (lf != NULL);
		++*line;
		if (skip_blanks(*begin, *len) < *len)
			return true;
	}
	return false;
}

int pn_numbers_parse_pair(struct pn_numbers *baseline,
			  struct pn_numbers *target, const char *text,
			  size_t len, struct pn_error *err)
{
	struct pn_numbers *const outs[] = {baseline, target};
	const char *begin;
	size_t at = 0, line = 0, size, i;
	int code = 0;

	baseline->count = target->count = 0;
	if (pn_numbers_is_json(text, len))
		return parse_json(outs, 2, text, len, err);
	for (i = 0; !code && i < 2; i++) {
		if (!next_line(&begin, &size, &line, text, len, &at))
			return pn_error_set(err, PN_EINVAL,
					    "need two lines of numbers, "
					    "have %zu",
					    i);
		code = parse_words(outs[i], begin, size, line, err);
	}
	if (!code && next_line(&begin, &size, &line, text, len, &at))
		code = pn_error_set(err, PN_EINVAL,
				    "line %zu: need two lines of numbers, have "
				    "more",
				    line);
	return code;
}

int pn_numbers_next(bool *have, struct pn_numbers *out, struct pn_lines *lines,
		    bool skip_blank, struct pn_error *err)
{
	const char *text;
	size_t len;
	int code;

	*have = false;
	do {
		code = pn_lines_next(&text, &len, lines, err);
		if (code)
			return code;
		if (!text)
			return 0;
	} while (skip_blank && skip_blanks(text, len) == len);
	*have = true;
	return pn_numbers_parse(out, text, len, lines->number, err);
}
