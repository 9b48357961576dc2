/*
 * Some levels of a row at a time: four, or eight where the processor has such
 * vectors (PN_HISTORY_WIDE). Rows are filled up to whole PN_GRID_LANES with
 * levels on which nothing ever is, and are computed in an order that does not
 * depend on compiler or processor. Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_LANES_H
#define PN_HISTORY_LANES_H

#include "detect/history/grid.h"

#ifdef PN_HISTORY_WIDE
#define PN_LANES 8
#else
#define PN_LANES 4
#endif
/* Of a type of PN_REAL. */
#define PN_LANES_VECTOR                                                        \
	__attribute__((vector_size(PN_LANES * sizeof(PN_REAL)),                \
		       aligned(sizeof(PN_REAL)), may_alias))

/* Of a pointer to PN_REAL. */
#define PN_LANES_AT(lanes, pointer) (*(lanes *)(pointer))

#endif
