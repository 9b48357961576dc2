/* Perun profiles as text: read, written, compared. */
#ifndef TESTS_UNIT_PERUN_TEXT_H
#define TESTS_UNIT_PERUN_TEXT_H

#include "codec/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNUSED_IN_SOME __attribute__((unused))

/* Regions of a profile without resources, and the same by json.dumps. */
#define HEAD                                                                   \
	"\"header\":{\"type\":\"time\",\"units\":{\"time\":\"s\"},"            \
	"\"cmd\":\"ls\",\"workload\":\"/\"},"                                  \
	"\"collector_info\":{\"name\":\"time\",\"params\":{}},"                \
	"\"postprocessors\":[],"
/* The same for what is no time, as another collector gives it. */
#define HEAD_OF(type, unit)                                                    \
	"\"header\":{\"type\":\"" type "\",\"units\":{\"" type "\":\"" unit    \
	"\"},\"cmd\":\"ls\",\"workload\":\"/\"},\"collector_info\":{"          \
	"\"name\":\"" type "\",\"params\":{}},\"postprocessors\":[],"
#define TAIL_OF(type, unit)                                                    \
	", \"header\": {\"type\": \"" type "\", \"units\": {\"" type           \
	"\": \"" unit "\"}, \"cmd\": \"ls\", \"workload\": \"/\"}, "           \
	"\"collector_info\": {\"name\": \"" type "\", \"params\": {}}, "       \
	"\"postprocessors\": []}"
#define TAIL                                                                   \
	", \"header\": {\"type\": \"time\", \"units\": {\"time\": \"s\"}, "    \
	"\"cmd\": \"ls\", \"workload\": \"/\"}, "                              \
	"\"collector_info\": {\"name\": \"time\", \"params\": {}}, "           \
	"\"postprocessors\": []}"

UNUSED_IN_SOME static int perun_read(struct pn_profile *out, const char *text,
				     struct pn_error *err)
{
	struct pn_reader *reader;
	int code;

	assert_int_equal(
		pn_reader_memory(&reader, text, strlen(text), "x.perf", 0, err),
		0);
	memset(out, 0, sizeof(*out));
	code = pn_codec_read(out, &pn_codec_perun, NULL, reader, err);
	pn_reader_free(reader);
	return code;
}

UNUSED_IN_SOME static void must_read(struct pn_profile *out, const char *text)
{
	struct pn_error err = {0};

	if (perun_read(out, text, &err))
		fail_msg("%s", err.message);
}

/* To be freed. */
UNUSED_IN_SOME static char *must_write(const struct pn_profile *profile)
{
	struct pn_error err = {0};
	struct pn_buf out = {0};

	if (pn_codec_perun.write(&out, profile, &err))
		fail_msg("%s", err.message);
	return pn_buf_detach(&out);
}

/* What is read is written so, and that reads as the same profile. */
UNUSED_IN_SOME static void check_written(const char *text, const char *want)
{
	struct pn_profile first, second;
	char why[256] = "", *have;

	must_read(&first, text);
	have = must_write(&first);
	assert_string_equal(have, want);
	must_read(&second, have);
	if (!pn_profile_equal(&first, &second, why, sizeof(why)))
		fail_msg("%s", why);
	pn_profile_release(&first);
	pn_profile_release(&second);
	free(have);
}

UNUSED_IN_SOME static const char *text_of(const struct pn_profile *p,
					  uint32_t id)
{
	return pn_profile_text(p, id);
}

/* A label of a sample as text: strings and JSON as they are. */
UNUSED_IN_SOME static const char *label_of(const struct pn_profile *p,
					   size_t sample, const char *key)
{
	static char number[32];
	uint32_t set = p->samples[sample].labels, i;

	for (i = p->label_set_start[set]; i < p->label_set_start[set + 1];
	     i++) {
		const struct pn_label *label = &p->labels[i];

		if (strcmp(text_of(p, label->key), key))
			continue;
		if (label->kind == PN_LABEL_INT)
			snprintf(number, sizeof(number), "int %lld",
				 (long long)label->value.i);
		else if (label->kind == PN_LABEL_DOUBLE)
			snprintf(number, sizeof(number), "double %g",
				 label->value.d);
		else
			return text_of(p, label->value.s);
		return number;
	}
	return NULL;
}

/* Frame n of a sample's stack, "name file:line". */
UNUSED_IN_SOME static const char *frame_of(const struct pn_profile *p,
					   size_t sample, size_t n)
{
	static char text[256];
	uint32_t stack = p->samples[sample].stack;
	const struct pn_line *line;
	const struct pn_function *function;

	if (p->stack_start[stack] + n >= p->stack_start[stack + 1])
		return NULL;
	line = &p->lines[p->locations[p->frames[p->stack_start[stack] + n]]
				 .line_first];
	function = &p->functions[line->function];
	snprintf(text, sizeof(text), "%s %s:%lld", text_of(p, function->name),
		 text_of(p, function->file), (long long)line->line);
	return text;
}

#endif
