# Damaged inputs: 250 a format, 1,000 as long/mutate-<format>, see mutate.c.
add_executable(mutate mutate.c)
target_link_libraries(mutate PRIVATE perfnotes)

# How many bytes of memory a byte may take above 64 MB, the format, and inputs to
# begin with besides those in data/<format>: paths in data/measured, or in data.
function(perf_mutate_test times format)
	set(data ${CMAKE_SOURCE_DIR}/tests/data)
	set(inputs)
	if(IS_DIRECTORY ${data}/${format})
		list(APPEND inputs ${data}/${format})
	endif()
	foreach(path ${ARGN})
		if(EXISTS ${data}/measured/${path})
			set(path measured/${path})
		endif()
		list(APPEND inputs ${data}/${path})
	endforeach()
	add_test(NAME mutate/${format}
		COMMAND mutate ${format} 250 ${times} ${inputs})
	add_test(NAME long/mutate-${format}
		COMMAND mutate ${format} 1000 ${times} ${inputs})
	set_tests_properties(mutate/${format} long/mutate-${format} PROPERTIES
		SKIP_RETURN_CODE 77 TIMEOUT 300
		ENVIRONMENT "${sanitizer_environment}")
	set_tests_properties(long/mutate-${format} PROPERTIES LABELS long)
endfunction()

foreach(format
		austin benchmark.js bpftrace catch2 csv divan eprof fprof ftrace
		ghc-heap ghc-prof haskell-csv hey jemalloc jfr libtest
		line-profiler memray nytprof openmetrics otlp perfetto
		pyinstrument rprof sb-sprof scalene simpleperf stackprof
		sysbench time uftrace v8-log wrk)
	perf_mutate_test(8 ${format})
endforeach()

foreach(format
		asv benchmark-ips benchmarkdotnet bmf criterion
		customBiggerIsBetter customSmallerIsBetter dhat fio firefox
		gecko ghc-json iai-callgrind jmh mitata nanobench perf-stat
		pyperf tinybench vitest)
	perf_mutate_test(16 ${format})
endforeach()

perf_mutate_test(8 cachegrind callgrind/wordfreq.cachegrind)
perf_mutate_test(8 callgrind callgrind/wordfreq.callgrind
	callgrind/wordfreq-instr-jumps.callgrind)
perf_mutate_test(16 chrome-trace node/trace-events.json)
perf_mutate_test(8 collapsed perf/make-gcc.folded perf/git-log-p.folded)
perf_mutate_test(8 cpuprofile node/work.cpuprofile)
perf_mutate_test(8 git-perf perf/make-gcc.folded callgrind/wordfreq.callgrind
	hyperfine/gzip-levels.json go/heap.pb.gz)
perf_mutate_test(8 go-bench bench/go-bench.txt)
perf_mutate_test(8 go-text go/mutex.legacy.txt go/goroutine.legacy.txt)
perf_mutate_test(16 google-benchmark bench/google-benchmark.json)
perf_mutate_test(8 gperftools-cpu pprof-legacy/java.cpu
	gperftools/wordfreq.prof gperftools/gzip.prof)
perf_mutate_test(8 gperftools-heap go/heap.legacy.txt.gz)
perf_mutate_test(8 gprof gprof/wordfreq.gprof.txt)
perf_mutate_test(8 heapprofile node/h.heapprofile)
perf_mutate_test(8 heaptrack heaptrack/wordfreq.zst heaptrack/sqlite3.zst)
perf_mutate_test(16 hyperfine hyperfine/gzip-levels.json)
perf_mutate_test(8 java-text pprof-legacy/java.heap
	pprof-legacy/java.contention)
perf_mutate_test(8 junit bench/junit.xml)
perf_mutate_test(8 massif massif/wordfreq.massif)
perf_mutate_test(8 perf-data)
perf_mutate_test(8 perf-script perf/make-gcc.perf.txt perf/gzip.perf.txt)
perf_mutate_test(8 perun series/folded/01-6e3d2b6c4b.folded go/heap.pb.gz)
perf_mutate_test(8 pprof go/heap.pb.gz go/mutex.pb.gz
	series/pprof/01-6e3d2b6c4b.pb.gz)
perf_mutate_test(8 pstats python/recursion-py3.11.7.prof
	python/recursion-py2.7.18.prof)
perf_mutate_test(16 pytest-benchmark bench/pytest-benchmark.json)
perf_mutate_test(16 racket racket/run.json)
perf_mutate_test(8 regex hey/hey.txt wrk/latency.txt sysbench/cpu.txt
	sysbench/memory.txt)
perf_mutate_test(16 speedscope perf/make-gcc.folded go/heap.pb.gz)
perf_mutate_test(8 threadz pprof-legacy/cppbench.thread
	pprof-legacy/cppbench.thread.all)
