/*
 * JUnit's XML, as nearly every test runner writes it: the seconds of each
 * test case that passed. A document type is refused: no writer has one, and
 * its entities could grow without end.
 * github.com/testmoapp/junitxml.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 256 /* suites in suites */

struct decoder {
	XML_Parser parser;
	struct pn_bench bench;
	struct pn_error *err;
	int code;
	int depth, case_depth; /* case_depth 0: outside of a test case */
	char *name;
	double seconds;
	bool has_time, has_result; /* failed, in error or skipped */
};

static void stop(struct decoder *d, const char *text)
{
	if (d->code)
		return;
	d->code = pn_error_set(
		d->err, PN_EINVAL, "line %lu: %s",
		(unsigned long)XML_GetCurrentLineNumber(d->parser), text);
	XML_StopParser(d->parser, XML_FALSE);
}

static const char *attribute(const XML_Char **list, const char *name)
{
	for (; *list; list += 2)
		if (!strcmp(list[0], name))
			return list[1];
	return "";
}

/* Seconds; some writers put a comma between thousands. */
static bool take_time(double *out, const char *text)
{
	struct pn_buf plain = {0};
	bool ok;

	for (; *text; text++)
		if (*text != ',')
			pn_buf_add_byte(&plain, (unsigned char)*text);
	ok = pn_number_double(out, pn_buf_text(&plain), plain.len) && *out >= 0;
	pn_buf_release(&plain);
	return ok;
}

static void begin_case(struct decoder *d, const XML_Char **attributes)
{
	const char *class = attribute(attributes, "classname");
	const char *name = attribute(attributes, "name");
	const char *time = attribute(attributes, "time");
	struct pn_buf full = {0};

	pn_buf_printf(&full, "%s%s%s", class, *class && *name ? "." : "", name);
	free(d->name);
	d->name = pn_strdup(pn_buf_text(&full));
	pn_buf_release(&full);
	d->case_depth = d->depth;
	d->has_result = false;
	d->has_time = *time != '\0';
	if (!*d->name)
		stop(d, "a testcase without name");
	else if (d->has_time && !take_time(&d->seconds, time))
		stop(d, "expected seconds as the time of a testcase");
}

static void begin_element(void *user, const XML_Char *name,
			  const XML_Char **attributes)
{
	struct decoder *d = user;

	if (++d->depth > DEPTH_MAX) {
		stop(d, "nested deeper than 256");
		return;
	}
	if (d->depth == 1 && strcmp(name, "testsuites") != 0 &&
	    strcmp(name, "testsuite") != 0)
		stop(d, "expected testsuites or testsuite");
	else if (!strcmp(name, "testcase"))
		begin_case(d, attributes);
	else if (d->case_depth &&
		 (!strcmp(name, "failure") || !strcmp(name, "error") ||
		  !strcmp(name, "skipped")))
		d->has_result = true;
}

static void end_element(void *user, const XML_Char *name)
{
	struct decoder *d = user;
	int code;

	(void)name;
	if (d->case_depth == d->depth) {
		d->case_depth = 0;
		if (d->has_time && !d->has_result && !d->code) {
			code = pn_bench_add(&d->bench, d->name, "seconds",
					    PN_BETTER_LESS, d->seconds, d->err);
			if (code) {
				d->code = code;
				XML_StopParser(d->parser, XML_FALSE);
			}
		}
	}
	d->depth--;
}

static void refuse_doctype(void *user, const XML_Char *name,
			   const XML_Char *system, const XML_Char *public,
			   int has_subset)
{
	(void)name;
	(void)system;
	(void)public;
	(void)has_subset;
	stop(user, "a document type is not accepted");
}

static int parse(struct decoder *d, struct pn_reader *in, struct pn_error *err)
{
	const unsigned char *at;
	size_t have;
	int code;

	for (;;) {
		code = pn_reader_peek(&at, &have, in, 1, err);
		if (code)
			return code;
		if (have > PN_READER_WINDOW)
			have = PN_READER_WINDOW;
		if (XML_Parse(d->parser, (const char *)at, (int)have, !have) !=
			    XML_STATUS_OK &&
		    !d->code)
			stop(d, XML_ErrorString(XML_GetErrorCode(d->parser)));
		if (d->code || !have)
			return d->code;
		pn_reader_consume(in, have);
	}
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.err = err};
	int code;

	d.parser = XML_ParserCreate(NULL);
	if (!d.parser)
		pn_alloc_failed(0);
	XML_SetUserData(d.parser, &d);
	XML_SetElementHandler(d.parser, begin_element, end_element);
	XML_SetStartDoctypeDeclHandler(d.parser, refuse_doctype);
	code = parse(&d, in, err);
	if (!code)
		code = pn_bench_finish(out, &d.bench,
				       "a testcase that passed, with its time",
				       err);
	out->complete = false; /* suites, output, what failed */
	XML_ParserFree(d.parser);
	pn_bench_release(&d.bench);
	free(d.name);
	return code;
}

/* "<testsuite" begins the element behind declaration and comments. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	static const char tag[] = "<testsuite";
	size_t i = 0;

	if (len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
		i = 3;
	while (i < len && strchr(" \t\r\n", bytes[i]) && bytes[i])
		i++;
	if (i == len || bytes[i] != '<')
		return PN_SNIFF_NO;
	for (; i + sizeof(tag) <= len; i++)
		if (!memcmp(bytes + i, tag, sizeof(tag) - 1))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_junit = {
	.name = "junit",
	.summary = "JUnit's XML: times of tests",
	.languages = "java any",
	.made_by =
		"pytest --junitxml=<file>, ctest --output-junit, gradle, maven",
	.sniffed_by = "XML with a testsuite",
	.suffix = ".xml",
	.sniff = sniff,
	.read = read_profile,
};
