/* pprof: how it is recognised, and its row of the table. */
#include "codec/pprof/pprof.h"
#include "codec/codec.h"
#include "codec/wire.h"

#define PROOFS_WANTED 3 /* messages that look like ours; text has none */

/* Wire types that fields have, by number: 'n' number, 'm' message or string,
 * 'l' list of numbers, packed or not. */
static const char profile_fields[] = "-mmmmmmnnnnmnlnn";
static const char *const message_fields[] = {
	NULL,					     /* 0 */
	"-nn",					     /* 1: value type */
	"-llm",					     /* 2: sample */
	"-nnnnnnnnnn",				     /* 3: mapping */
	"-nnnmn",				     /* 4: location */
	"-nnnnn",				     /* 5: function */
	NULL,	       NULL, NULL, NULL, NULL, "-nn" /* 11: period type */
};

static bool fits(char want, uint8_t type)
{
	return (type == PN_WIRE_VARINT && want != 'm') ||
	       (type == PN_WIRE_BYTES && want != 'n');
}

static bool is_field(const char *fields, const struct pn_wire_field *f)
{
	uint32_t i;

	for (i = 0; fields[i]; i++)
		if (i && i == f->number)
			return fits(fields[i], f->type);
	return false;
}

static bool is_message(const char *fields, struct pn_wire wire)
{
	struct pn_wire_field f;

	while (wire.at < wire.end)
		if (pn_wire_next(&f, &wire, NULL) || !is_field(fields, &f))
			return false;
	return true;
}

/* The next field of the profile; *proof when it holds a message of ours. */
static bool next_field(bool *proof, struct pn_wire *wire)
{
	struct pn_wire_field f;
	const char *fields;

	*proof = false;
	if (pn_wire_head(&f, wire, NULL) || !is_field(profile_fields, &f))
		return false;
	if (f.type != PN_WIRE_BYTES)
		return !pn_wire_value(&f, wire, NULL);
	if (f.value > (uint64_t)(wire->end - wire->at)) {
		wire->at = wire->end; /* the window ends, not the file */
		return true;
	}
	f.bytes.at = wire->at;
	f.bytes.end = wire->at += f.value;
	f.bytes.end_offset = pn_wire_offset(wire);
	fields = f.number < 12 ? message_fields[f.number] : NULL;
	if (!fields)
		return true;
	*proof = f.value > 0;
	return is_message(fields, f.bytes);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_wire wire = {bytes, bytes + len, len};
	unsigned int proofs = 0;
	bool proof;

	while (proofs < PROOFS_WANTED && wire.at < wire.end) {
		if (!next_field(&proof, &wire))
			return PN_SNIFF_NO;
		proofs += proof;
	}
	return proofs ? PN_SNIFF_LIKELY : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_pprof = {
	.name = "pprof",
	.summary = "pprof profile.proto, gzip or raw",
	.languages = "go c c++ rust python",
	.made_by =
		"go test -cpuprofile=<file>, net/http/pprof, and many others",
	.sniffed_by = "fields of profile.proto",
	.suffix = ".pb.gz",
	.sniff = sniff,
	.read = pn_pprof_read,
	.write = pn_pprof_write,
	.runs = PN_CODEC_RUNS_IN_LABELS,
};
