/* A command line in words, without a shell. */
#include "collect/words.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Append what is quoted from *at on to the word; false without an end. */
static bool take_quoted(struct pn_buf *word, const char **at)
{
	char quote = *(*at)++;

	for (; **at != quote; (*at)++) {
		if (!**at)
			return false;
		if (quote == '"' && **at == '\\' && (*at)[1] &&
		    strchr("$`\"\\\n", (*at)[1])) {
			(*at)++;
			if (**at == '\n')
				continue;
		}
		pn_buf_add_byte(word, (unsigned char)**at);
	}
	(*at)++;
	return true;
}

/* One word, with a NUL behind it; false when a quote has no end. */
static bool take_word(struct pn_buf *words, const char **at)
{
	while (**at && !is_blank(**at)) {
		if (**at == '\'' || **at == '"') {
			if (!take_quoted(words, at))
				return false;
			continue;
		}
		if (**at == '\\') {
			(*at)++;
			if (!**at)
				return false;
			if (**at == '\n') {
				(*at)++;
				continue;
			}
		}
		pn_buf_add_byte(words, (unsigned char)*(*at)++);
	}
	pn_buf_add_byte(words, '\0');
	return true;
}

int pn_words_split(const char *const **out, struct pn_arena *arena,
		   const char *line, struct pn_error *err)
{
	struct pn_buf words = {0};
	const char *at = line, *text, **list;
	size_t count = 0, i;
	bool complete = true;

	for (; complete; count++) {
		while (is_blank(*at))
			at++;
		if (!*at)
			break;
		complete = take_word(&words, &at);
	}
	if (!complete || !count) {
		pn_buf_release(&words);
		return pn_error_set(
			err, PN_EINVAL, "bad command line '%s': %s", line,
			complete ? "it is empty" : "a quote has no end");
	}
	text = pn_arena_copy(arena, words.data, words.len);
	list = pn_arena_alloc(arena, (count + 1) * sizeof(*list));
	for (i = 0; i < count; i++, text += strlen(text) + 1)
		list[i] = text;
	list[count] = NULL;
	pn_buf_release(&words);
	*out = list;
	return 0;
}

/* Of a word that has no quotes. */
static bool is_operator(const char *word, size_t len)
{
	static const char *const whole[] = {"&", "&&", "|", "||", ";"};
	static const char *const fronts[] = {">", "<", "2>", "1>", "&>"};
	size_t i;

	for (i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (len == strlen(whole[i]) && !memcmp(word, whole[i], len))
			return true;
	for (i = 0; i < sizeof(fronts) / sizeof(*fronts); i++)
		if (!strncmp(word, fronts[i], strlen(fronts[i])))
			return true;
	return len > 1 && word[len - 1] == ';';
}

bool pn_words_operator(struct pn_buf *out, const char *line)
{
	struct pn_buf word = {0};
	bool found = false, complete = true;
	const char *start;

	while (!found && complete) {
		while (is_blank(*line))
			line++;
		if (!*line)
			break;
		start = line;
		pn_buf_clear(&word);
		complete = take_word(&word, &line);
		/* what had quotes or a backslash is longer than its word */
		found = complete && (size_t)(line - start) + 1 == word.len &&
			is_operator(start, (size_t)(line - start));
	}
	if (found)
		pn_buf_add(out, start, (size_t)(line - start));
	pn_buf_release(&word);
	return found;
}
