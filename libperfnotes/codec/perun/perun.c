/*
 * Perun's profile JSON (github.com/Perfexionists/perun, docs/profile.rst).
 *
 * How it stands in the model:
 *
 *   origin, header.type/cmd/args/workload   the same fields of the header;
 *     .label, .labels, .exitcode              labels and exit status
 *   header, and keys that are no region     header.extras, in the order of
 *                                           the file: "header" with null for
 *                                           what the model holds,
 *                                           "collector_info" and
 *                                           "postprocessors" empty, which
 *                                           keeps their place, others as text
 *   collector_info, postprocessors          collector, posts
 *   models                                  header.models; those of a
 *                                           snapshot come last
 *   amount, structure-unit-size, call-order, order, address, timestamp,
 *   exclusive, all columns of the current   value types, by these names, in
 *   layout                                  first-seen order; whole numbers
 *                                           where all values are; absent ones
 *                                           are absent
 *   trace, uid                              the stack (traits.c)
 *   other keys of a resource                labels; true, false, null and
 *                                           nested values as JSON
 *   chunks                                  put in place and gone
 *
 * Numbers are kept by value (1.50 is written 1.5), names of resource types
 * are made again, in the order of samples. The profile is not complete when
 * the input had chunks, models in snapshots, snapshots without resources,
 * keys of regions that no part above has a place for, equal keys in one
 * object, or numbers that neither 64 bits nor a double hold.
 *
 * A profile of other origin has no value type with one of these names: its
 * default type becomes `amount`, the others columns of their own name.
 */
#include "codec/perun/perun.h"

const struct pn_codec pn_codec_perun = {
	.name = "perun",
	.summary = "Perun profile JSON, old and current layout",
	.languages = "any",
	.made_by = "perun collect",
	.sniffed_by = "JSON object with Perun's header or resources",
	.suffix = ".perf",
	.sniff = pn_perun_sniff,
	.first = PN_FIRST_OBJECT,
	.read = pn_perun_read,
	.write = pn_perun_write,
	.runs = PN_CODEC_RUNS_IN_LABELS,
	.types = PN_CODEC_TYPES_FIRST,
	.type_name = "amount",
	.is_own = pn_perun_is_own,
};
