/*
 * Counters of the machine: /proc/stat and /proc/loadavg (proc(5)), clock
 * frequencies (the kernel's admin-guide/pm/cpufreq.rst), and our own accounts
 * (getrusage(2)).
 */
#include "collect/facts/quiet.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define STAT_MAX (16u << 20) /* /proc/stat of 4096 cores has 1 MB */
#define CORES_MAX 64	     /* whose frequencies are looked at */

/* Fields of the line "cpu " in their order; guests are in user and nice. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

static bool read_text(struct pn_buf *out, const char *root, const char *path)
{
	struct pn_buf name = {0};
	int code;

	pn_buf_clear(out);
	pn_buf_printf(&name, "%s%s", root, path);
	code = pn_file_read(out, pn_buf_text(&name), STAT_MAX, NULL);
	pn_buf_release(&name);
	return !code && out->len;
}

static void read_ticks(struct pn_quiet_count *out, const char *root)
{
	uint64_t n[FIELDS] = {0};
	struct pn_buf text = {0};
	const char *at;
	size_t i, len;

	if (!read_text(&text, root, "/proc/stat") ||
	    strncmp(pn_buf_text(&text), "cpu ", 4) != 0)
		goto done;
	at = pn_buf_text(&text) + 4;
	for (i = 0; i < FIELDS; i++, at += len) {
		at += strspn(at, " ");
		len = strcspn(at, " \n");
		if (!pn_number_uint(&n[i], at, len))
			break;
	}
	out->known = i > IDLE;
	out->busy = n[USER] + n[NICE] + n[SYSTEM] + n[IRQ] + n[SOFTIRQ];
	out->idle = n[IDLE] + n[IOWAIT];
	out->steal = n[STEAL];
done:
	pn_buf_release(&text);
}

static double read_load(const char *root)
{
	struct pn_buf text = {0};
	double load = NAN;

	if (read_text(&text, root, "/proc/loadavg") &&
	    !pn_number_double(&load, pn_buf_text(&text),
			      strcspn(pn_buf_text(&text), " \n")))
		load = NAN;
	pn_buf_release(&text);
	return load;
}

/* "0.64 0.93 2.08 2/310 4711": the fourth is what runs, with us. */
double pn_quiet_load(const char *root)
{
	struct pn_buf text = {0};
	double load = NAN, more;
	const char *at;
	size_t i;

	if (read_text(&text, root, "/proc/loadavg")) {
		at = pn_buf_text(&text);
		if (!pn_number_double(&load, at, strcspn(at, " \n")))
			load = NAN;
		for (i = 0; i < 3; i++) {
			at += strcspn(at, " ");
			at += strspn(at, " ");
		}
		if (pn_number_double(&more, at, strcspn(at, "/ \n")))
			load = fmax(load, more - 1);
	}
	pn_buf_release(&text);
	return load;
}

/* "cpu MHz		: 2596.124" of each processor. */
static double read_cpuinfo_mhz(const char *root)
{
	struct pn_buf text = {0};
	double sum = 0, value;
	const char *at;
	size_t n = 0;

	read_text(&text, root, "/proc/cpuinfo");
	at = pn_buf_text(&text);
	while ((at = strstr(at, "cpu MHz")) != NULL) {
		at += strcspn(at, ":\n");
		at += strspn(at, ": ");
		if (pn_number_double(&value, at, strcspn(at, " \n"))) {
			sum += value;
			n++;
		}
	}
	pn_buf_release(&text);
	return n ? sum / (double)n : NAN;
}

static double read_mhz(const char *root)
{
	struct pn_buf text = {0};
	char path[96];
	double sum = 0;
	uint64_t khz;
	size_t n = 0, i;

	for (i = 0; i < CORES_MAX; i++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%zu/cpufreq/"
			 "scaling_cur_freq",
			 i);
		if (!read_text(&text, root, path) ||
		    !pn_number_uint(&khz, pn_buf_text(&text),
				    strcspn(pn_buf_text(&text), "\n")))
			break;
		sum += (double)khz / 1000;
		n++;
	}
	pn_buf_release(&text);
	return n ? sum / (double)n : read_cpuinfo_mhz(root);
}

static int64_t time_ns(const struct timeval *tv)
{
	return (int64_t)tv->tv_sec * 1000000000 + (int64_t)tv->tv_usec * 1000;
}

static void add_usage(struct pn_quiet_count *out, int who)
{
	struct rusage used;

	if (getrusage(who, &used))
		return;
	out->own_ns += time_ns(&used.ru_utime) + time_ns(&used.ru_stime);
	out->switches += (uint64_t)used.ru_nivcsw;
}

void pn_quiet_count_read(struct pn_quiet_count *out, const char *root,
			 bool at_end)
{
	long ticks = sysconf(_SC_CLK_TCK);

	*out = (struct pn_quiet_count){
		.ticks_per_s = ticks > 0 ? (uint64_t)ticks : 100};
	read_ticks(out, root);
	add_usage(out, RUSAGE_SELF);
	add_usage(out, RUSAGE_CHILDREN);
	out->load = at_end ? read_load(root) : NAN;
	out->mhz = at_end ? read_mhz(root) : NAN;
	out->nice = getpriority(PRIO_PROCESS, 0);
}

/* Counters of idle time may step back a little (proc(5)). */
static double grown(uint64_t end, uint64_t begin)
{
	return end > begin ? (double)(end - begin) : 0;
}

void pn_quiet_between(struct pn_quiet *out, const struct pn_quiet_count *begin,
		      const struct pn_quiet_count *end)
{
	double busy = grown(end->busy, begin->busy);
	double idle = grown(end->idle, begin->idle);
	double steal = grown(end->steal, begin->steal);
	double all = busy + idle + steal;
	double own_s = fmax((double)(end->own_ns - begin->own_ns) / 1e9, 0);

	pn_quiet_init(out);
	if (begin->known && end->known && all >= PN_QUIET_MIN_TICKS) {
		busy -= own_s * (double)end->ticks_per_s;
		out->others = fmax(busy, 0) / all;
		out->idle = idle / all;
		out->steal = steal / all;
	}
	if (own_s > 0)
		out->switches = grown(end->switches, begin->switches) / own_s;
	out->load = end->load;
	out->mhz = end->mhz;
	if (end->nice != 0)
		out->nice = end->nice;
}

bool pn_quiet_wait_ends(const struct pn_quiet_wait *wait,
			const struct pn_quiet_count *now, int64_t now_ns,
			bool others_collect, int64_t patience_ns)
{
	struct pn_quiet quiet;

	if (now_ns - wait->begin_ns >= patience_ns)
		return true;
	pn_quiet_between(&quiet, &wait->before, now);
	/* of the few milliseconds that we had it says nothing */
	quiet.switches = quiet.nice = NAN;
	return !others_collect && !pn_quiet_is_noisy(&quiet);
}

bool pn_quiet_wait_step(struct pn_quiet_wait *wait, int64_t patience_ns)
{
	const struct timespec look = {0, PN_QUIET_LOOK_NS};
	struct pn_quiet_count now;
	bool ends;

	if (patience_ns <= 0)
		return true;
	if (!wait->begin_ns) {
		wait->begin_ns = pn_time_monotonic_ns();
		pn_quiet_count_read(&wait->before, "", false);
	}
	nanosleep(&look, NULL);
	pn_quiet_count_read(&now, "", false);
	ends = pn_quiet_wait_ends(wait, &now, pn_time_monotonic_ns(),
				  pn_folder_is_marked(PN_QUIET_MARK),
				  patience_ns);
	wait->before = now;
	return ends;
}

void pn_quiet_apply(struct pn_profile *profile, const struct pn_quiet *quiet)
{
	struct pn_buf text = {0};

	pn_quiet_write(&text, quiet);
	if (text.len)
		pn_profile_set_environment(profile, PN_QUIET_KEY,
					   pn_buf_text(&text));
	pn_buf_release(&text);
}
