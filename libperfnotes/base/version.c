/* The version, as the build names it. */
#include "base/version.h"

const char *pn_version(void)
{
	return PERF_VERSION;
}
