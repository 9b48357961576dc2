/*
 * XML of results by expat: elements in order, with their attributes. A document
 * type is refused: no writer has one, and its entities could grow without end.
 * Nothing else uses expat.
 */
#ifndef PN_BENCH_XML_H
#define PN_BENCH_XML_H

#include "base/error.h"
#include "base/reader/reader.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_XML_DEPTH_MAX 256 /* elements in elements */

struct pn_xml {
	struct XML_ParserStruct *parser;
	/* NULL-terminated pairs of attributes, see pn_xml_attribute. An error
	 * is told by pn_xml_stop. */
	void (*begin)(struct pn_xml *xml, const char *name,
		      const char **attributes);
	void (*end)(struct pn_xml *xml, const char *name);
	void *user;
	struct pn_error *err;
	int code;
	int depth; /* of the element that begins or ends, 1 is the root */
};

/* The whole of `in`: 0 or an error with its line. */
int pn_xml_read(struct pn_xml *xml, struct pn_reader *in, struct pn_error *err);
/* "line <n>: <text>" with PN_EINVAL. */
void pn_xml_stop(struct pn_xml *xml, const char *text);
/* An error that xml->err has already. */
void pn_xml_stop_with(struct pn_xml *xml, int code);
/* "" when it is not there. */
const char *pn_xml_attribute(const char **list, const char *name);

/* "<?xml" or a tag comes first, and `tag` ("<testsuite") among these bytes. */
bool pn_xml_sniff(const unsigned char *bytes, size_t len, const char *tag);

#endif
