/* perf script: the head of a record, whichever fields it was told to have. */
#include "codec/perf_script/perf_script.h"

#include "base/number.h"

#include <string.h>

#define WORDS 16 /* of a head; a comm has at most 15 characters */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static size_t digits_at(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && is_digit(text[i]))
		i++;
	return i;
}

static bool is_number(struct pn_perf_text word)
{
	return word.len && digits_at(word.at, word.len) == word.len;
}

/* "123" or "123/456" */
static bool is_pid(struct pn_perf_text word)
{
	size_t first = digits_at(word.at, word.len);

	if (!first || first == word.len)
		return first > 0;
	return word.at[first] == '/' && first + 1 < word.len &&
	       digits_at(word.at + first + 1, word.len - first - 1) ==
		       word.len - first - 1;
}

/* "12345.678901:" */
static bool is_time(struct pn_perf_text word)
{
	size_t whole = digits_at(word.at, word.len), part;

	if (!whole || whole + 2 >= word.len || word.at[whole] != '.')
		return false;
	part = digits_at(word.at + whole + 1, word.len - whole - 1);
	return part && whole + part + 2 == word.len &&
	       word.at[word.len - 1] == ':';
}

/* Of what is_time() takes. Digits beyond nanoseconds are cut. */
static void read_time(struct pn_perf_head *out, struct pn_perf_text word)
{
	size_t whole = digits_at(word.at, word.len), i;
	int64_t ns;

	out->has_time = true;
	out->time_ns = -1;
	if (!pn_number_int(&ns, word.at, whole) || ns >= INT64_MAX / 1000000000)
		return;
	for (i = whole + 1; i <= whole + 9; i++)
		ns = ns * 10 + (i + 1 < word.len ? word.at[i] - '0' : 0);
	out->time_ns = ns;
}

/* "[003]" */
static bool is_cpu(struct pn_perf_text word)
{
	return word.len > 2 && word.at[0] == '[' &&
	       word.at[word.len - 1] == ']' &&
	       digits_at(word.at + 1, word.len - 2) == word.len - 2;
}

static bool is_event(struct pn_perf_text word)
{
	return word.len > 1 && word.at[word.len - 1] == ':';
}

static size_t split_some(struct pn_perf_text *words, size_t most,
			 const char *line, size_t len)
{
	size_t count = 0, at = 0;

	while (count < most) {
		while (at < len && is_blank(line[at]))
			at++;
		if (at == len)
			break;
		words[count].at = line + at;
		while (at < len && !is_blank(line[at]))
			at++;
		words[count].len = (size_t)(line + at - words[count].at);
		count++;
	}
	return count;
}

/* Where the fields of fixed form begin: a name of a process may hold blanks
 * and numbers, but what stands before a cpu or a time is a pid. */
static size_t find_pid(const struct pn_perf_text *words, size_t count,
		       size_t anchor)
{
	size_t i;

	if (anchor < count) {
		for (i = anchor; i-- > 0;)
			if (is_pid(words[i]))
				return i;
		return count;
	}
	for (i = 1; i < count; i++)
		if (is_pid(words[i]))
			return i;
	return count && is_pid(words[0]) ? 0 : count;
}

static void read_pid(struct pn_perf_head *out, struct pn_perf_text word)
{
	size_t first = digits_at(word.at, word.len);
	int64_t number;

	if (!pn_number_int(&number, word.at, first))
		return;
	out->tid = number;
	if (first == word.len)
		return;
	out->pid = number;
	if (!pn_number_int(&out->tid, word.at + first + 1,
			   word.len - first - 1))
		out->tid = -1;
}

/* "[period] event: rest", from words[at] on. */
static bool read_event(struct pn_perf_head *out,
		       const struct pn_perf_text *words, size_t count,
		       size_t at, const char *end)
{
	out->rest.at = end;
	out->rest.len = 0;
	if (at + 1 < count && is_number(words[at]) && is_event(words[at + 1])) {
		if (!pn_number_uint(&out->period, words[at].at, words[at].len))
			return false;
		out->has_period = true;
		at++;
	}
	if (at < count && is_event(words[at])) {
		out->event.at = words[at].at;
		out->event.len = words[at].len - 1;
		at++;
	}
	if (at < count) {
		out->rest.at = words[at].at;
		out->rest.len = (size_t)(end - words[at].at);
	}
	return true;
}

/* Without pid and time: "comm event: rest", or "comm " alone, whose blank is
 * what perf script puts behind each field. *at is where the event is. */
static size_t find_comm(size_t *at, const struct pn_perf_text *words,
			size_t count, const char *line, size_t len)
{
	size_t i;

	for (i = 1; i < count; i++)
		if (is_event(words[i])) {
			*at = i;
			return i;
		}
	if (!count || is_event(words[0]) || is_blank(*line) ||
	    !is_blank(line[len - 1]))
		return 0;
	*at = count;
	return count;
}

bool pn_perf_head(struct pn_perf_head *out, const char *line, size_t len)
{
	struct pn_perf_text words[WORDS];
	size_t count = split_some(words, WORDS, line, len), anchor = 0, pid,
	       at = 0, comm;

	memset(out, 0, sizeof(*out));
	out->pid = out->tid = -1;
	while (anchor < count && !is_cpu(words[anchor]) &&
	       !is_time(words[anchor]))
		anchor++;
	pid = find_pid(words, count, anchor);
	comm = pid < anchor ? pid : anchor;
	if (comm == count)
		comm = find_comm(&at, words, count, line, len);
	if (pid < count) {
		read_pid(out, words[pid]);
		at = pid + 1;
	}
	if (anchor < count)
		out->anchor = (size_t)(words[anchor].at - line);
	for (; anchor < count; anchor++) {
		if (is_time(words[anchor]))
			read_time(out, words[anchor]);
		else if (!is_cpu(words[anchor]) || out->has_time)
			break;
		at = anchor + 1;
	}
	if (comm) {
		out->comm.at = words[0].at;
		out->comm.len = (size_t)(words[comm - 1].at +
					 words[comm - 1].len - words[0].at);
	}
	return read_event(out, words, count, at, line + len) &&
	       (pid < count || out->has_time || out->event.len ||
		(comm && comm == count));
}

static struct pn_perf_text word_at(const char *at, const char *end)
{
	struct pn_perf_text word = {at, 0};

	while (at + word.len < end && !is_blank(at[word.len]))
		word.len++;
	return word;
}

bool pn_perf_head_again(struct pn_perf_head *out,
			const struct pn_perf_head *last, const char *same,
			const char *line, size_t len)
{
	struct pn_perf_text words[3], time;
	const char *end = line + len;
	size_t count;

	if (!last->anchor || len <= last->anchor ||
	    memcmp(line, same, last->anchor))
		return false;
	time = word_at(line + last->anchor, end);
	if (!is_time(time))
		return false;
	*out = *last;
	out->comm.at = line;
	while (out->comm.len && is_blank(*out->comm.at))
		out->comm.at++;
	read_time(out, time);
	out->has_period = false;
	out->event.len = 0;
	count = split_some(words, 3, time.at + time.len,
			   (size_t)(end - time.at) - time.len);
	return read_event(out, words, count, 0, end);
}

/* Whether "u", "ppp", "uk" ... are all letters that perf-list(1) calls event
 * modifiers; only p may stand there more than once. */
static bool are_modifiers(const char *text)
{
	const char *c;

	for (c = text; *c; c++)
		if (!strchr("ukhIGHpPSDWebRX", *c) ||
		    (*c != 'p' && strchr(c + 1, *c)))
			return false;
	return c > text;
}

void pn_perf_event_name(struct pn_buf *out, const char *name)
{
	const char *end = name + strlen(name), *at;
	char kept[8]; /* u, k, h, I, G, H: each at most once */
	size_t count = 0;
	bool guests;

	while (end > name && end[-1] != ':' && end[-1] != '/')
		end--;
	if (end - name < 2 || !are_modifiers(end)) {
		pn_buf_add_text(out, name);
		return;
	}
	/* H (host) says something only beside G: without guests the host is
	 * all that is counted */
	guests = strchr(end, 'G') != NULL;
	for (at = end; *at; at++)
		if (strchr("ukhIG", *at) || (*at == 'H' && guests))
			kept[count++] = *at;
	pn_buf_add(out, name,
		   (size_t)(end - name) - (!count && end[-1] == ':'));
	pn_buf_add(out, kept, count);
}

bool pn_perf_is_frame(const char *line, size_t len)
{
	size_t at = 0, digits;

	while (at < len && is_blank(line[at]))
		at++;
	for (digits = 0; at < len && is_hex(line[at]); at++)
		digits++;
	return digits && digits <= 16 && (at == len || is_blank(line[at]));
}
