/* expat, piece by piece as the reader has it. */
#include "codec/bench/xml.h"
#include "base/alloc.h"
#include "codec/json/sniff.h"

#include <expat.h>
#include <string.h>

void pn_xml_stop_with(struct pn_xml *xml, int code)
{
	if (xml->code || !code)
		return;
	xml->code = code;
	XML_StopParser(xml->parser, XML_FALSE);
}

void pn_xml_stop(struct pn_xml *xml, const char *text)
{
	if (xml->code)
		return;
	pn_error_set(xml->err, PN_EINVAL, "line %lu: %s",
		     (unsigned long)XML_GetCurrentLineNumber(xml->parser),
		     text);
	pn_xml_stop_with(xml, PN_EINVAL);
}

const char *pn_xml_attribute(const char **list, const char *name)
{
	for (; *list; list += 2)
		if (!strcmp(list[0], name))
			return list[1];
	return "";
}

static void begin_element(void *user, const XML_Char *name,
			  const XML_Char **attributes)
{
	struct pn_xml *xml = user;

	if (++xml->depth > PN_XML_DEPTH_MAX)
		pn_xml_stop(xml, "nested deeper than 256");
	else
		xml->begin(xml, name, attributes);
}

static void end_element(void *user, const XML_Char *name)
{
	struct pn_xml *xml = user;

	if (!xml->code)
		xml->end(xml, name);
	xml->depth--;
}

static void refuse_doctype(void *user, const XML_Char *name,
			   const XML_Char *system, const XML_Char *public,
			   int has_subset)
{
	(void)name;
	(void)system;
	(void)public;
	(void)has_subset;
	pn_xml_stop(user, "a document type is not accepted");
}

static int parse(struct pn_xml *xml, struct pn_reader *in, struct pn_error *err)
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
		if (XML_Parse(xml->parser, (const char *)at, (int)have,
			      !have) != XML_STATUS_OK &&
		    !xml->code)
			pn_xml_stop(xml, XML_ErrorString(XML_GetErrorCode(
						 xml->parser)));
		if (xml->code || !have)
			return xml->code;
		pn_reader_consume(in, have);
	}
}

int pn_xml_read(struct pn_xml *xml, struct pn_reader *in, struct pn_error *err)
{
	int code;

	xml->err = err;
	xml->parser = XML_ParserCreate(NULL);
	if (!xml->parser)
		pn_alloc_failed(0);
	XML_SetUserData(xml->parser, xml);
	XML_SetElementHandler(xml->parser, begin_element, end_element);
	XML_SetStartDoctypeDeclHandler(xml->parser, refuse_doctype);
	code = parse(xml, in, err);
	XML_ParserFree(xml->parser);
	xml->parser = NULL;
	return code;
}

bool pn_xml_sniff(const unsigned char *bytes, size_t len, const char *tag)
{
	size_t i = len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (i < len && strchr(" \t\r\n", bytes[i]) && bytes[i])
		i++;
	return i < len && bytes[i] == '<' &&
	       pn_json_sniff_text(bytes + i, len - i, tag);
}
