/*
 * JFR: which events are costs, and of what. The names of those of the JDK are
 * in its metadata.xml, those of async-profiler in its jfrMetadata.cpp.
 */
#include "codec/jfr/jfr.h"
#include "codec/scan.h"

/* The first that a file has is shown unless somebody asks for another. */
const struct pn_jfr_row pn_jfr_rows[PN_JFR_ROWS] = {
	{"jdk.CPUTimeSample", "cpu_samples", "cpu", "nanoseconds",
	 PN_JFR_SAMPLING_PERIOD, true, PN_ROLE_SUM},
	{"jdk.ExecutionSample", "samples", NULL, NULL, 0, false, PN_ROLE_SUM},
	{"profiler.WallClockSample", NULL, "wall", "count",
	 PN_JFR_STATE_SAMPLES, false, PN_ROLE_SUM},
	{"jdk.NativeMethodSample", "native_samples", NULL, NULL, 0, false,
	 PN_ROLE_SUM},
	{"jdk.ObjectAllocationSample", "alloc_samples", "alloc_space", "bytes",
	 PN_JFR_WEIGHT, false, PN_ROLE_SUM},
	{"jdk.ObjectAllocationInNewTLAB", "in_new_tlab", "in_new_tlab_space",
	 "bytes", PN_JFR_TLAB_SIZE, false, PN_ROLE_SUM},
	{"jdk.ObjectAllocationOutsideTLAB", "outside_tlab",
	 "outside_tlab_space", "bytes", PN_JFR_ALLOCATION_SIZE, false,
	 PN_ROLE_SUM},
	{"profiler.LiveObject", "live_objects", "live_space", "bytes",
	 PN_JFR_ALLOCATION_SIZE, false, PN_ROLE_GAUGE},
	{"profiler.Malloc", "mallocs", "malloc_space", "bytes", PN_JFR_SIZE,
	 false, PN_ROLE_SUM},
	{"jdk.JavaMonitorEnter", "contentions", "delay", "nanoseconds",
	 PN_JFR_DURATION, true, PN_ROLE_SUM},
	{"jdk.ThreadPark", "parks", "park_time", "nanoseconds", PN_JFR_DURATION,
	 true, PN_ROLE_SUM},
	{"jdk.JavaMonitorWait", "waits", "wait_time", "nanoseconds",
	 PN_JFR_DURATION, true, PN_ROLE_SUM},
	{"jdk.ThreadSleep", "sleeps", "sleep_time", "nanoseconds",
	 PN_JFR_DURATION, true, PN_ROLE_SUM},
	{"jdk.VirtualThreadPinned", "pins", "pinned_time", "nanoseconds",
	 PN_JFR_DURATION, true, PN_ROLE_SUM},
	/* of a few objects that are alive at the end; JDK 17 tells no size */
	{"jdk.OldObjectSample", "old_objects", "old_space", "bytes",
	 PN_JFR_OBJECT_SIZE, false, PN_ROLE_GAUGE},
};

uint16_t pn_jfr_event(const char *name, size_t len)
{
	struct pn_scan s = pn_scan_of(name, len);
	size_t i;

	for (i = 0; i < PN_JFR_ROWS; i++)
		if (pn_scan_is(&s, pn_jfr_rows[i].event))
			return (uint16_t)(i + 1);
	if (pn_scan_is(&s, "jdk.ActiveSetting"))
		return PN_JFR_SETTING + 1;
	if (pn_scan_is(&s, "jdk.JVMInformation"))
		return PN_JFR_MACHINE + 1;
	return 0;
}
