/* Pictures of pivots. */
#ifndef PN_RESOURCES_PICTURES_H
#define PN_RESOURCES_PICTURES_H

#include "render/resources/drawn.h"

/* From left to right where rows are names, upright where they are numbers. */
extern const struct pn_picture pn_bars_picture;
/* Areas, one upon the other when they are to be stacked, else lines. */
extern const struct pn_picture pn_flow_picture;

#endif
