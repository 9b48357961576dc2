/* What tests of callgrind's format have in common. */
#ifndef TESTS_UNIT_CODEC_CALLGRIND_TEXT_H
#define TESTS_UNIT_CODEC_CALLGRIND_TEXT_H

#include "codec/codec_text.h"

#include "codec/rows.h"

UNUSED_IN_SOME_TEST static int64_t self(const struct pn_profile *p,
					const char *name)
{
	return p->graph.self[node(p, name) * p->type_count].i;
}

UNUSED_IN_SOME_TEST static int64_t total(const struct pn_profile *p,
					 const char *name)
{
	return p->graph.total[node(p, name) * p->type_count].i;
}

/* The example of the format's specification, shortened. */
static const char example[] = "# callgrind format\n"
			      "events: Cycles Instructions\n"
			      "fl=file1.c\n"
			      "fn=main\n"
			      "16 20\n"
			      "cfn=func1\n"
			      "calls=1 50\n"
			      "16 400\n"
			      "cfi=file2.c\n"
			      "cfn=func2\n"
			      "calls=3 20\n"
			      "16 400 7\n"
			      "\n"
			      "fn=func1\n"
			      "51 100\n"
			      "cfi=file2.c\n"
			      "cfn=func2\n"
			      "calls=2 20\n"
			      "51 300\n"
			      "\n"
			      "fl=file2.c\n"
			      "fn=func2\n"
			      "20 700 7\n";

#endif
