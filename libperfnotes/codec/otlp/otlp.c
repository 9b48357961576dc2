/* OTLP: how it is recognised, and its row of the table. */
#include "codec/otlp/otlp.h"
#include "codec/codec.h"

/* Fields that a message may have: all are messages or strings. */
struct shape {
	uint32_t last, inner; /* `inner` leads on to the next shape */
};

static const struct shape shapes[] = {
	{PN_OTLP_DICTIONARY, PN_OTLP_RESOURCE_PROFILES},
	{3, PN_OTLP_SCOPE_PROFILES},
	{3, PN_OTLP_PROFILES},
};
#define SHAPES (sizeof(shapes) / sizeof(*shapes))

/* Whether the next field is one that stands there, as far as it is seen. */
static bool next_field(struct pn_wire_field *f, struct pn_wire *wire)
{
	if (pn_wire_head(f, wire, NULL) || f->type != PN_WIRE_BYTES)
		return false;
	f->bytes = *wire;
	if (f->value < (uint64_t)(wire->end - wire->at))
		f->bytes.end = wire->at + f->value;
	wire->at = f->bytes.end;
	return true;
}

/* A profile: its type has nothing but two numbers, and comes first. */
static bool is_profile(struct pn_wire wire)
{
	struct pn_wire_field f, g;

	if (!next_field(&f, &wire))
		return false;
	if (f.number != PN_OTLP_SAMPLE_TYPE)
		return f.number == PN_OTLP_SAMPLES;
	while (f.bytes.at < f.bytes.end)
		if (pn_wire_next(&g, &f.bytes, NULL) ||
		    g.type != PN_WIRE_VARINT || g.number > 3)
			return false;
	return true;
}

/* A dictionary: tables, of which the first stands for none. */
static bool is_dictionary(struct pn_wire wire)
{
	struct pn_wire_field f;

	return next_field(&f, &wire) && f.number <= PN_OTLP_STACK_TABLE &&
	       (!f.value || f.number == PN_OTLP_STRING_TABLE);
}

/* Resources and scopes may be without profiles: the first profile decides, or
 * a dictionary. PN_SNIFF_LIKELY inside of one: there is none. */
static enum pn_sniff look_into(struct pn_wire wire, size_t depth)
{
	enum pn_sniff found = PN_SNIFF_LIKELY;
	struct pn_wire_field f;

	if (depth == SHAPES)
		return is_profile(wire) ? PN_SNIFF_SURE : PN_SNIFF_NO;
	while (found == PN_SNIFF_LIKELY && wire.at < wire.end) {
		if (!next_field(&f, &wire) || f.number > shapes[depth].last)
			return PN_SNIFF_NO;
		if (f.number == shapes[depth].inner)
			found = look_into(f.bytes, depth + 1);
		else if (!depth)
			return is_dictionary(f.bytes) ? PN_SNIFF_LIKELY
						      : PN_SNIFF_NO;
	}
	return depth || found == PN_SNIFF_SURE ? found : PN_SNIFF_NO;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	const struct pn_wire wire = {bytes, bytes + len, len};

	return look_into(wire, 0);
}

const struct pn_codec pn_codec_otlp = {
	.name = "otlp",
	.summary = "OpenTelemetry's profiles (v1development), raw or gzip",
	.languages = "any c c++ go java python rust",
	.made_by = "OpenTelemetry's eBPF profiler, async-profiler -o otlp",
	.sniffed_by = "fields of profiles.proto",
	.suffix = ".otlp.gz",
	.sniff = sniff,
	.read = pn_otlp_read,
	.write = pn_otlp_write,
	.runs = PN_CODEC_RUNS_IN_LABELS,
	.keeps = PN_CODEC_KEEPS_TIMES,
};
