/* The view `raw` as JSON. */
#ifndef PN_VIEWS_RAW_JSON_H
#define PN_VIEWS_RAW_JSON_H

#include "render/renderer.h"
#include "render/sink.h"

/*
 * sample_types[] {type, unit}, samples[] {values[], locations[], labels[]},
 * locations[] {address, mapping, lines[] {name, file, line, column}},
 * mappings[] {start, limit, offset, file, build_id}. Ids are places in these
 * arrays, from 1; a place that is unknown is left out.
 */
int pn_raw_json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err);

#endif
