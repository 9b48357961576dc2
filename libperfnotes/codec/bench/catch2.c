/*
 * Catch2's XML (--reporter xml): mean and standard deviation of each BENCHMARK,
 * in nanoseconds, by its test case, sections and name.
 * github.com/catchorg/Catch2, its manual on reporters and on benchmarks.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/bench/xml.h"
#include "codec/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct decoder {
	struct pn_xml xml;
	struct pn_bench bench;
	struct pn_buf path; /* "case > section > " */
	/* how long the path was before the element at that depth */
	size_t before[PN_XML_DEPTH_MAX + 1];
	struct pn_buf name; /* of the benchmark that is open */
	int depth;	    /* its depth; 0: none is */
	struct pn_summary figures;
};

static void take_double(struct decoder *d, double *out, const char *text)
{
	if (!pn_number_double(out, text, strlen(text)) || !isfinite(*out))
		pn_xml_stop(&d->xml, "expected a number");
}

static void begin_benchmark(struct decoder *d, const char **attributes)
{
	const char *name = pn_xml_attribute(attributes, "name");
	const char *samples = pn_xml_attribute(attributes, "samples");

	d->depth = d->xml.depth;
	d->figures = (struct pn_summary){1, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	pn_buf_clear(&d->name);
	pn_buf_printf(&d->name, "%s%s", pn_buf_text(&d->path), name);
	if (!*name)
		pn_xml_stop(&d->xml, "a benchmark without name");
	if (*samples &&
	    (!pn_number_uint(&d->figures.n, samples, strlen(samples)) ||
	     !d->figures.n))
		pn_xml_stop(&d->xml, "expected a number of samples");
}

static void begin_element(struct pn_xml *xml, const char *name,
			  const char **attributes)
{
	struct decoder *d = xml->user;
	const char *value = pn_xml_attribute(attributes, "value");

	d->before[xml->depth] = d->path.len;
	if (!strcmp(name, "TestCase") || !strcmp(name, "Section"))
		pn_buf_printf(&d->path, "%s > ",
			      pn_xml_attribute(attributes, "name"));
	else if (!strcmp(name, "BenchmarkResults"))
		begin_benchmark(d, attributes);
	else if (d->depth && !strcmp(name, "mean"))
		take_double(d, &d->figures.mean, value);
	else if (d->depth && !strcmp(name, "standardDeviation"))
		take_double(d, &d->figures.sd, value);
}

/* A benchmark that failed has no figures. */
static void end_element(struct pn_xml *xml, const char *name)
{
	struct decoder *d = xml->user;

	(void)name;
	pn_buf_cut(&d->path, d->before[xml->depth]);
	if (d->depth != xml->depth)
		return;
	d->depth = 0;
	if (!isnan(d->figures.mean))
		pn_xml_stop_with(xml, pn_bench_add_summary(
					      &d->bench, pn_buf_text(&d->name),
					      "ns", PN_BETTER_LESS, &d->figures,
					      xml->err));
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder *d = pn_calloc(1, sizeof(*d));
	int code;

	d->xml.begin = begin_element;
	d->xml.end = end_element;
	d->xml.user = d;
	code = pn_xml_read(&d->xml, in, err);
	if (!code)
		code = pn_bench_finish(out, &d->bench,
				       "a BENCHMARK with its results", err);
	out->complete = false; /* assertions, intervals */
	pn_bench_release(&d->bench);
	pn_buf_release(&d->path);
	pn_buf_release(&d->name);
	free(d);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_xml_sniff(bytes, len, "<Catch") ? PN_SNIFF_SURE : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_catch2 = {
	.name = "catch2",
	.summary = "benchmarks of Catch2, XML",
	.languages = "c++",
	.made_by = "<tests> --reporter xml --out <file>",
	.sniffed_by = "XML with Catch or Catch2TestRun",
	.suffix = ".xml",
	.sniff = sniff,
	.first = PN_FIRST_TAG,
	.read = read_profile,
};
