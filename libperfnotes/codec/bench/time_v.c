/*
 * What GNU time prints with -v. Several runs in one file (-a) are the values.
 * Names and units are those of our own collector "time". time(1); time.c of its
 * source: tenths and hundredths of a second are cut, not rounded.
 */
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"

#include <math.h>

#define COMMAND "\tCommand being timed: \""

struct state {
	size_t commands;
};

/* "1:02:03", "0:01.24", "1.24": hours and minutes are optional. */
static bool take_clock(double *seconds, struct pn_scan *s)
{
	double sum = 0, part;
	size_t parts = 0;

	do {
		if (parts++ == 3 || !pn_scan_number(&part, s) || part < 0)
			return false;
		sum = sum * 60 + part;
	} while (pn_scan_text(s, ":"));
	*seconds = sum;
	return !pn_scan_left(s);
}

static const struct row {
	const char *begin, *name, *unit;
	double scale;
} rows[] = {
	{"\tElapsed (wall clock) time (h:mm:ss or m:ss): ", "wall", "ns", 1e9},
	{"\tUser time (seconds): ", "user", "ns", 1e9},
	{"\tSystem time (seconds): ", "sys", "ns", 1e9},
	{"\tMaximum resident set size (kbytes): ", "max-rss", "bytes", 1024},
	{"\tMinor (reclaiming a frame) page faults: ", "minor-faults", "count",
	 1},
	{"\tMajor (requiring I/O) page faults: ", "major-faults", "count", 1},
	{"\tVoluntary context switches: ", "voluntary-switches", "count", 1},
	{"\tInvoluntary context switches: ", "involuntary-switches", "count",
	 1},
};

/* The command of all runs, or none when there are several. */
static void take_command(struct pn_bench *bench, struct state *state,
			 const struct pn_scan *line)
{
	struct pn_profile *p = bench->profile;
	struct pn_scan command = *line;
	uint32_t id;

	if (pn_scan_left(&command) && command.end[-1] == '"')
		command.end--;
	id = pn_strtab_add(&p->strings, command.at, pn_scan_left(&command));
	if (!state->commands++)
		p->header.cmd = id;
	else if (p->header.cmd != id)
		p->header.cmd = 0;
}

static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *state = user;
	double value;
	size_t i;

	if (pn_scan_text(line, COMMAND)) {
		take_command(bench, state, line);
		return 0;
	}
	/* other lines are the program's own, until it ended */
	if (!state->commands)
		return 0;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!pn_scan_text(line, rows[i].begin))
			continue;
		if (!take_clock(&value, line))
			return pn_error_set(err, PN_EINVAL,
					    "expected a number behind '%s'",
					    rows[i].begin + 1);
		return pn_bench_add(bench, rows[i].name, rows[i].unit,
				    PN_BETTER_LESS,
				    nearbyint(value * rows[i].scale), err);
	}
	if (pn_scan_text(line, "\tExit status: ") &&
	    pn_scan_number(&value, line) && value >= 0 && value < 256)
		bench->profile->header.exit_status = (int64_t)value;
	return 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state state = {0};

	return pn_bench_read_lines(out, in, &state, take_line,
				   "a line 'Command being timed:' and figures",
				   err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;

	if (!pn_scan_has(&rest, "Command being timed"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest))
		if (pn_scan_begins(&line, COMMAND))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_time_v = {
	.name = "time",
	.summary = "what GNU time prints with -v",
	.languages = "any",
	.made_by = "/usr/bin/time -v -o <file> <command>",
	.sniffed_by = "a line 'Command being timed:'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
