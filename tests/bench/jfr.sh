#!/bin/sh
# Recordings of Java's Flight Recorder: reading one of about 100 MB, most of it
# allocations, beside what counts its events and looks no further.
#
#	sh tests/bench/jfr.sh
. "$(dirname "$0")/lib.sh"
need java javac jfr
cd "$scratch"

setting()
{
	echo "<event name=\"jdk.$1\"><setting name=\"enabled\">true</setting>" \
		"<setting name=\"stackTrace\">true</setting>$2</event>"
}
{
	echo '<configuration version="2.0" label="" description="" provider="">'
	setting ExecutionSample '<setting name="period">10 ms</setting>'
	setting ObjectAllocationInNewTLAB ''
	setting ObjectAllocationOutsideTLAB ''
	setting ObjectAllocationSample \
		'<setting name="throttle">1000000/s</setting>'
	setting JavaMonitorEnter '<setting name="threshold">0 ms</setting>'
	setting ThreadPark '<setting name="threshold">0 ms</setting>'
	echo '</configuration>'
} >all.jfc
javac -d . "$root/tests/bench/load.java"
java -Xmx300m -XX:TLABSize=2k -XX:MinTLABSize=2k -XX:-ResizeTLAB \
	-XX:StartFlightRecording=settings=all.jfc,filename=load.jfr \
	-cp . load >/dev/null 2>&1
bytes=$(wc -c <load.jfr)
megabytes=$((bytes / 1000000))

head_row
runs=${BENCH_RUNS:-3}
throughput "JFR of $megabytes MB | jfr summary" '> 60 MB/s' "$bytes" \
	'git-perf show --view=top load.jfr' 'jfr summary load.jfr'
memory "JFR of $megabytes MB, memory" '' git-perf show --view=top load.jfr
