/*
 * JUnit's XML, as nearly every test runner writes it: the seconds of each
 * test case that passed.
 * github.com/testmoapp/junitxml.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/bench/xml.h"
#include "codec/codec.h"

#include <stdlib.h>
#include <string.h>

struct decoder {
	struct pn_xml xml;
	struct pn_bench bench;
	int case_depth; /* 0: outside of a test case */
	char *name;
	double seconds;
	bool has_time, has_result; /* failed, in error or skipped */
};

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

static void begin_case(struct decoder *d, const char **attributes)
{
	const char *class = pn_xml_attribute(attributes, "classname");
	const char *name = pn_xml_attribute(attributes, "name");
	const char *time = pn_xml_attribute(attributes, "time");
	struct pn_buf full = {0};

	pn_buf_printf(&full, "%s%s%s", class, *class && *name ? "." : "", name);
	free(d->name);
	d->name = pn_strdup(pn_buf_text(&full));
	pn_buf_release(&full);
	d->case_depth = d->xml.depth;
	d->has_result = false;
	d->has_time = *time != '\0';
	if (!*d->name)
		pn_xml_stop(&d->xml, "a testcase without name");
	else if (d->has_time && !take_time(&d->seconds, time))
		pn_xml_stop(&d->xml,
			    "expected seconds as the time of a testcase");
}

static void begin_element(struct pn_xml *xml, const char *name,
			  const char **attributes)
{
	struct decoder *d = xml->user;

	if (xml->depth == 1 && strcmp(name, "testsuites") != 0 &&
	    strcmp(name, "testsuite") != 0)
		pn_xml_stop(xml, "expected testsuites or testsuite");
	else if (!strcmp(name, "testcase"))
		begin_case(d, attributes);
	else if (d->case_depth &&
		 (!strcmp(name, "failure") || !strcmp(name, "error") ||
		  !strcmp(name, "skipped")))
		d->has_result = true;
}

static void end_element(struct pn_xml *xml, const char *name)
{
	struct decoder *d = xml->user;

	(void)name;
	if (d->case_depth != xml->depth)
		return;
	d->case_depth = 0;
	if (d->has_time && !d->has_result)
		pn_xml_stop_with(xml, pn_bench_add(&d->bench, d->name,
						   "seconds", PN_BETTER_LESS,
						   d->seconds, xml->err));
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {
		.xml = {.begin = begin_element, .end = end_element}};
	int code;

	d.xml.user = &d;
	code = pn_xml_read(&d.xml, in, err);
	if (!code)
		code = pn_bench_finish(out, &d.bench,
				       "a testcase that passed, with its time",
				       err);
	out->complete = false; /* suites, output, what failed */
	pn_bench_release(&d.bench);
	free(d.name);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_xml_sniff(bytes, len, "<testsuite") ? PN_SNIFF_SURE
						      : PN_SNIFF_NO;
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
	.first = PN_FIRST_TAG,
	.read = read_profile,
};
