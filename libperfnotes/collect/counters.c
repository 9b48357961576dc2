/*
 * The collector "counters": what the processor and the kernel count while the
 * command runs: perf_event_open(2). Counters are opened on ourselves,
 * inherited by what we start, and begin with its exec, so that only the
 * command and all its children count. Where there are more events than the
 * processor has counters, the kernel takes turns, and counts are scaled by the
 * time that they ran.
 */
#define _GNU_SOURCE /* syscall */
#include "base/alloc.h"
#include "base/file.h"
#include "base/text/similar.h"
#include "collect/tool.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_EVENTS 32
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define LL_READ_MISS                                                           \
	(PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_READ << 8 |           \
	 PERF_COUNT_HW_CACHE_RESULT_MISS << 16)
#define L1D_READ_MISS                                                          \
	(PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 |          \
	 PERF_COUNT_HW_CACHE_RESULT_MISS << 16)
#define DTLB_READ_MISS                                                         \
	(PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 |         \
	 PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

struct event {
	const char *name, *unit;
	uint32_t type;
	uint64_t config;
	bool by_default;
};

/* Names as perf-list(1) has them. */
static const struct event events[] = {
	{"instructions", "count", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_INSTRUCTIONS, true},
	{"cycles", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true},
	{"branches", "count", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_BRANCH_INSTRUCTIONS, true},
	{"branch-misses", "count", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_BRANCH_MISSES, true},
	{"cache-references", "count", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_CACHE_REFERENCES, true},
	{"cache-misses", "count", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_CACHE_MISSES, true},
	{"stalled-cycles-frontend", "count", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, false},
	{"stalled-cycles-backend", "count", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_STALLED_CYCLES_BACKEND, false},
	{"ref-cycles", "count", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_REF_CPU_CYCLES, false},
	{"L1-dcache-load-misses", "count", PERF_TYPE_HW_CACHE, L1D_READ_MISS,
	 false},
	{"LLC-load-misses", "count", PERF_TYPE_HW_CACHE, LL_READ_MISS, false},
	{"dTLB-load-misses", "count", PERF_TYPE_HW_CACHE, DTLB_READ_MISS,
	 false},
	{"task-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK,
	 true},
	{"page-faults", "count", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
	 true},
	{"minor-faults", "count", PERF_TYPE_SOFTWARE,
	 PERF_COUNT_SW_PAGE_FAULTS_MIN, false},
	{"major-faults", "count", PERF_TYPE_SOFTWARE,
	 PERF_COUNT_SW_PAGE_FAULTS_MAJ, false},
	{"context-switches", "count", PERF_TYPE_SOFTWARE,
	 PERF_COUNT_SW_CONTEXT_SWITCHES, true},
	{"cpu-migrations", "count", PERF_TYPE_SOFTWARE,
	 PERF_COUNT_SW_CPU_MIGRATIONS, true},
	{"alignment-faults", "count", PERF_TYPE_SOFTWARE,
	 PERF_COUNT_SW_ALIGNMENT_FAULTS, false},
	{"emulation-faults", "count", PERF_TYPE_SOFTWARE,
	 PERF_COUNT_SW_EMULATION_FAULTS, false},
};
#define EVENTS (sizeof(events) / sizeof(*events))

struct counter {
	const struct event *event;
	bool user_only; /* the kernel's part may not be counted */
};

struct counters {
	struct counter items[MAX_EVENTS];
	struct pn_tool_metric metrics[MAX_EVENTS];
	char names[MAX_EVENTS][40]; /* with ":u" where that is counted */
	int fds[MAX_EVENTS];
	size_t count, absent;
};

static int open_event(const struct event *event, bool user_only)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
				       .type = event->type,
				       .config = event->config,
				       .disabled = 1,
				       .inherit = 1,
				       .enable_on_exec = 1,
				       .exclude_kernel = user_only,
				       .exclude_hv = user_only,
				       .read_format =
					       PERF_FORMAT_TOTAL_TIME_ENABLED |
					       PERF_FORMAT_TOTAL_TIME_RUNNING};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

/* The kernel does not count at all, or not for us. */
static int refuse_all(struct pn_error *err)
{
	struct pn_buf level = {0};
	int error = errno;

	if (error == ENOSYS)
		return pn_error_set(err, PN_ENOTFOUND,
				    "this kernel has no "
				    "perf_event_open");
	if (error != EACCES && error != EPERM) {
		errno = error;
		return pn_error_system(err, "cannot open a counter");
	}
	pn_file_read(&level, PARANOID, 64, NULL);
	if (level.len && level.data[level.len - 1] == '\n')
		level.data[level.len - 1] = '\0';
	pn_error_set(err, PN_EIO,
		     "not permitted: " PARANOID
		     " is '%s', need 2 or less, or the capability CAP_PERFMON",
		     pn_buf_text(&level));
	pn_buf_release(&level);
	return PN_EIO;
}

/* Whether the machine has the event; 0 yes, 1 no, negative: none at all. */
static int try_event(struct counters *c, const struct event *event,
		     struct pn_error *err)
{
	struct counter counter = {event, false};
	int fd = open_event(event, false);

	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		counter.user_only = true;
		fd = open_event(event, true);
	}
	if (fd < 0 && (errno == ENOENT || errno == EOPNOTSUPP ||
		       errno == ENODEV || errno == EINVAL))
		return 1;
	if (fd < 0)
		return refuse_all(err);
	close(fd);
	c->fds[c->count] = -1;
	snprintf(c->names[c->count], sizeof(c->names[0]), "%s%s", event->name,
		 counter.user_only ? ":u" : "");
	c->metrics[c->count].name = c->names[c->count];
	c->metrics[c->count].unit = event->unit;
	c->items[c->count++] = counter;
	return 0;
}

static int refuse_event(const char *name, size_t len, struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; i < EVENTS; i++)
		pn_buf_printf(&names, "%s%s", i ? ", " : "", events[i].name);
	pn_similar_say(&names, name, len);
	pn_error_set(err, PN_EINVAL, "no event '%.*s'; there are: %s", (int)len,
		     name, pn_buf_text(&names));
	pn_buf_release(&names);
	return PN_EINVAL;
}

/* Those that were asked for have to be there. */
static int take_list(struct counters *c, const char *list, struct pn_error *err)
{
	int code = 0;

	for (; !code && *list; list += *list == ',') {
		size_t len = strcspn(list, ","), i;

		for (i = 0; i < EVENTS; i++)
			if (strlen(events[i].name) == len &&
			    !memcmp(events[i].name, list, len))
				break;
		if (i == EVENTS || c->count == MAX_EVENTS)
			return refuse_event(list, len, err);
		code = try_event(c, &events[i], err);
		if (code > 0)
			code = pn_error_set(
				err, PN_ENOTFOUND,
				"this machine does not count '%s': a virtual "
				"one often has no hardware counters",
				events[i].name);
		list += len;
	}
	return code;
}

static int take_default(struct counters *c, struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; code >= 0 && i < EVENTS; i++) {
		if (!events[i].by_default)
			continue;
		code = try_event(c, &events[i], err);
		c->absent += code > 0;
	}
	return code < 0 ? code : 0;
}

static void forget(struct counters *c)
{
	size_t i;

	for (i = 0; i < c->count; i++) {
		if (c->fds[i] >= 0)
			close(c->fds[i]);
		c->fds[i] = -1;
	}
}

static void close_counters(void *own)
{
	if (own)
		forget(own);
	free(own);
}

static int open_counters(void **own, const struct pn_collect_plan *plan,
			 struct pn_error *err)
{
	const char *list = pn_collect_option(plan, "events");
	struct counters *c = pn_calloc(1, sizeof(*c));

	*own = c;
	return list ? take_list(c, list, err) : take_default(c, err);
}

static size_t list_metrics(const struct pn_tool_metric **out, void *own)
{
	struct counters *c = own;

	*out = c->metrics;
	return c->count;
}

/* Every counter afresh: what is inherited adds up for good. */
static int before(void *own, struct pn_error *err)
{
	struct counters *c = own;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < c->count; i++) {
		c->fds[i] =
			open_event(c->items[i].event, c->items[i].user_only);
		if (c->fds[i] < 0)
			code = pn_error_system(err,
					       "cannot open the counter '%s'",
					       c->items[i].event->name);
	}
	if (code)
		forget(c);
	return code;
}

static int read_counter(double *out, int fd, const struct event *event,
			struct pn_error *err)
{
	uint64_t got[3]; /* value, time enabled, time running */

	if (read(fd, got, sizeof(got)) != (ssize_t)sizeof(got))
		return pn_error_system(err, "cannot read the counter '%s'",
				       event->name);
	if (got[1] && !got[2])
		return pn_error_set(err, PN_ELIMIT,
				    "the processor never had a counter free "
				    "for '%s': count fewer events at once",
				    event->name);
	*out = (double)got[0];
	if (got[2] < got[1])
		*out *= (double)got[1] / (double)got[2];
	return 0;
}

static int after(double *values, void *own, struct pn_error *err)
{
	struct counters *c = own;
	size_t i;
	int code = 0;

	for (i = 0; values && !code && i < c->count; i++)
		code = read_counter(&values[i], c->fds[i], c->items[i].event,
				    err);
	forget(c);
	return code;
}

static size_t doubts(struct pn_doubt *out, void *own)
{
	const struct counters *c = own;

	if (!c->absent)
		return 0;
	out->kind = PN_DOUBT_ABSENT;
	out->value = (double)c->absent;
	return 1;
}

static const struct pn_option counters_options[] = {
	{"events", "<name>,...", "what to count, as perf list calls it"},
	{NULL},
};

static const struct pn_tool counters = {
	.name = "counters",
	.kind = "mixed",
	.runs = PN_COLLECT_MIN_RUNS,
	.open = open_counters,
	.close = close_counters,
	.metrics = list_metrics,
	.before = before,
	.after = after,
	.doubts = doubts,
};

static int counters_open(struct pn_collection **out,
			 const struct pn_collect_plan *plan,
			 struct pn_error *err)
{
	return pn_tool_open(out, &counters, plan, err);
}

const struct pn_collector pn_collector_counters = {
	.name = "counters",
	.summary = "instructions, cycles, misses, faults as the kernel counts",
	.options = counters_options,
	.open = counters_open,
	.step = pn_tool_step,
	.result = pn_tool_result,
	.warnings = pn_tool_warnings,
	.free = pn_tool_free,
};
