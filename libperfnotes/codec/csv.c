/*
 * CSV for data frames and spreadsheets, one row a resource, see model/query.h
 * for its columns; what is read are results, a row a value
 * (bench/any/read_csv.h). RFC 4180: a header, CRLF, texts with commas,
 * quotes or line ends in quotes. Numbers have a point whatever the locale, and
 * what is absent is empty. A text that a spreadsheet would take for a formula
 * (=, +, -, @, tab, CR first) gets an apostrophe in front, as OWASP advises
 * ("CSV Injection").
 */
#include "codec/bench/any/read_csv.h"
#include "codec/codec.h"
#include "model/query.h"

#include <string.h>

static void write_text(struct pn_buf *out, const char *text, size_t len)
{
	bool formula = len && text[0] && strchr("=+-@\t\r", text[0]);
	bool quoted = false;
	size_t i;

	for (i = 0; i < len && !quoted; i++)
		quoted = text[i] && strchr(",\"\r\n", text[i]);
	if (quoted)
		pn_buf_add_byte(out, '"');
	if (formula)
		pn_buf_add_byte(out, '\'');
	for (i = 0; i < len; i++) {
		if (text[i] == '"')
			pn_buf_add_byte(out, '"');
		pn_buf_add_byte(out, (unsigned char)text[i]);
	}
	if (quoted)
		pn_buf_add_byte(out, '"');
}

static void write_row(struct pn_buf *out, const struct pn_query *q,
		      size_t resource, struct pn_buf *scratch)
{
	size_t key;

	for (key = 0; key < q->key_count; key++) {
		struct pn_datum datum = pn_query_get(q, resource, key, scratch);

		if (key)
			pn_buf_add_byte(out, ',');
		if (datum.kind == PN_DATUM_TEXT)
			write_text(out, datum.text.data, datum.text.len);
		else
			pn_datum_text(out, &datum);
	}
	pn_buf_add_text(out, "\r\n");
}

static int write(struct pn_buf *out, const struct pn_profile *profile,
		 struct pn_error *err)
{
	struct pn_buf scratch = {0};
	struct pn_query q;
	size_t i;

	(void)err;
	pn_query_init(&q, profile);
	for (i = 0; i < q.key_count; i++) {
		if (i)
			pn_buf_add_byte(out, ',');
		write_text(out, q.keys[i].name, strlen(q.keys[i].name));
	}
	pn_buf_add_text(out, "\r\n");
	for (i = 0; i < q.resource_count; i++)
		write_row(out, &q, i, &scratch);
	pn_query_release(&q);
	pn_buf_release(&scratch);
	return 0;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	(void)bytes;
	(void)len;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_csv = {
	.name = "csv",
	.summary = "comma-separated values, a row a sample or value",
	.languages = "any",
	.made_by = "any tool: git perf add --format=csv; git perf export",
	.sniffed_by = "not recognised: --format=csv",
	.suffix = ".csv",
	.sniff = sniff,
	.read = pn_csv_read,
	.write = write,
};
