/* Regular expressions, by PCRE2 (pcre2api(3)). */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/text/regex.h"

#include "base/alloc.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/*
 * Steps and heap of one match. A plain search through a symbol of 10 kB takes
 * some 20,000 steps; a million are a few milliseconds.
 */
#define MATCH_LIMIT 1000000
#define DEPTH_LIMIT 100000
#define HEAP_LIMIT_KIB 16384
#define PATTERN_MAX 65536

struct pn_regex {
	pcre2_code *code;
	pcre2_match_context *context;
};

/*
 * A pattern that is UTF-8 matches characters, and text that is not UTF-8 is
 * matched around what is wrong in it (PCRE2_MATCH_INVALID_UTF); a pattern
 * that is not matches bytes.
 */
static pcre2_code *compile(const char *pattern, int *why, PCRE2_SIZE *at)
{
	PCRE2_SPTR text = (PCRE2_SPTR)pattern;
	uint32_t flags = PCRE2_NEVER_BACKSLASH_C;
	pcre2_code *code;

	code = pcre2_compile(text, PCRE2_ZERO_TERMINATED,
			     flags | PCRE2_MATCH_INVALID_UTF, why, at, NULL);
	/* errors of UTF-8 are -3 to -23 */
	if (!code && *why <= PCRE2_ERROR_UTF8_ERR1 &&
	    *why >= PCRE2_ERROR_UTF8_ERR21)
		code = pcre2_compile(text, PCRE2_ZERO_TERMINATED, flags, why,
				     at, NULL);
	return code;
}

int pn_regex_new(struct pn_regex **out, const char *pattern,
		 struct pn_error *err)
{
	PCRE2_UCHAR reason[128];
	struct pn_regex *regex;
	PCRE2_SIZE at = 0;
	pcre2_code *code;
	int why = 0;

	if (strlen(pattern) > PATTERN_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "regular expression of over %d bytes",
				    PATTERN_MAX);
	code = compile(pattern, &why, &at);
	if (!code) {
		pcre2_get_error_message(why, reason, sizeof(reason));
		return pn_error_set(err, PN_EINVAL,
				    "bad regular expression '%s': %s at offset "
				    "%zu",
				    pattern, (const char *)reason, (size_t)at);
	}
	regex = pn_malloc(sizeof(*regex));
	regex->code = code;
	regex->context = pcre2_match_context_create(NULL);
	if (!regex->context)
		pn_alloc_failed(sizeof(*regex));
	pcre2_set_match_limit(regex->context, MATCH_LIMIT);
	pcre2_set_depth_limit(regex->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(regex->context, HEAP_LIMIT_KIB);
	/* Without a compiler for this machine matching is only slower. */
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	*out = regex;
	return 0;
}

void pn_regex_free(struct pn_regex *regex)
{
	if (!regex)
		return;
	pcre2_match_context_free(regex->context);
	pcre2_code_free(regex->code);
	free(regex);
}

static int search(pcre2_match_data *data, const struct pn_regex *regex,
		  const char *text, size_t len, size_t from)
{
	PCRE2_SPTR bytes = (PCRE2_SPTR)(text ? text : "");
	int n = pcre2_match(regex->code, bytes, len, from, 0, data,
			    regex->context);

	if (n == PCRE2_ERROR_JIT_STACKLIMIT)
		n = pcre2_match(regex->code, bytes, len, from, PCRE2_NO_JIT,
				data, regex->context);
	return n;
}

static pcre2_match_data *new_data(uint32_t groups)
{
	pcre2_match_data *data = pcre2_match_data_create(groups, NULL);

	if (!data)
		pn_alloc_failed(sizeof(void *));
	return data;
}

bool pn_regex_match(const struct pn_regex *regex, const char *text, size_t len)
{
	pcre2_match_data *data = new_data(1);
	int n = search(data, regex, text, len, 0);

	pcre2_match_data_free(data);
	return n >= 0;
}

size_t pn_regex_group(const struct pn_regex *regex, const char *name)
{
	int number =
		pcre2_substring_number_from_name(regex->code, (PCRE2_SPTR)name);

	return number > 0 ? (size_t)number : 0;
}

bool pn_regex_search(struct pn_regex_match *out, const struct pn_regex *regex,
		     const char *text, size_t len, size_t from)
{
	pcre2_match_data *data = new_data(PN_REGEX_GROUPS);
	int n = search(data, regex, text, len, from);
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(data);
	size_t i, known = n > 0 ? (size_t)n : n == 0 ? PN_REGEX_GROUPS : 0;

	for (i = 0; i < PN_REGEX_GROUPS; i++) {
		out->begin[i] = i < known ? at[2 * i] : SIZE_MAX;
		out->end[i] = i < known ? at[2 * i + 1] : SIZE_MAX;
	}
	pcre2_match_data_free(data);
	return n >= 0;
}
