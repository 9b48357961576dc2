/*
 * A commit object of any bytes: texts are lines, and are of it.
 */
#include "vcs/walk/record.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pn_oid id = {{1}};
	struct pn_record *record = pn_record_new(&id, data, size);
	const struct pn_commit *c;

	if (!record)
		return 0;
	c = &record->commit;
	must(pn_oid_equal(&c->id, &id) && c->author_time_s >= 0);
	must(c->parent_count <= size / (2 * PN_OID_BYTES));
	must(strlen(c->author) + strlen(c->email) + strlen(c->subject) < size);
	must(*c->author && !strpbrk(c->author, "<>\n"));
	must(!strpbrk(c->email, "<>\n") && !strchr(c->subject, '\n'));
	free(record);
	return 0;
}
