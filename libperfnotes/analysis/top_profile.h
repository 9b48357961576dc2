/* The table of a profile's functions as a profile. */
#ifndef PN_ANALYSIS_TOP_PROFILE_H
#define PN_ANALYSIS_TOP_PROFILE_H

#include "base/error.h"
#include "model/profile.h"

/*
 * Put the table in place of the profile: a sample for each function that
 * weighs 0.5 % or more, heaviest first, with the value types "cum" and "flat",
 * whole numbers of the unit in which the view top shows them, of one run
 * (pprof's topproto). What is said of the whole stays: time, duration, period.
 * PN_EINVAL: no value type.
 */
int pn_top_profile(struct pn_profile *profile, struct pn_error *err);

#endif
