/* The rows of pn_codecs that are named elsewhere; found by name else. */
#ifndef PN_CODEC_ROWS_H
#define PN_CODEC_ROWS_H

#include "codec/codec.h"

extern const struct pn_codec pn_codec_body;
extern const struct pn_codec pn_codec_pprof;
extern const struct pn_codec pn_codec_otlp;
extern const struct pn_codec pn_codec_cachegrind;
extern const struct pn_codec pn_codec_callgrind;
extern const struct pn_codec pn_codec_collapsed;
extern const struct pn_codec pn_codec_go_text;
extern const struct pn_codec pn_codec_gperftools_cpu;
extern const struct pn_codec pn_codec_gperftools_heap;
extern const struct pn_codec pn_codec_gprof;
extern const struct pn_codec pn_codec_heaptrack;
extern const struct pn_codec pn_codec_java_text;
extern const struct pn_codec pn_codec_massif;
extern const struct pn_codec pn_codec_perf_data;
extern const struct pn_codec pn_codec_perf_script;
extern const struct pn_codec pn_codec_threads;
extern const struct pn_codec pn_codec_haskell_csv;
extern const struct pn_codec pn_codec_pattern;
extern const struct pn_codec pn_codec_csv;
extern const struct pn_codec pn_codec_perun;
extern const struct pn_codec pn_codec_pstats;
extern const struct pn_codec pn_codec_racket;
extern const struct pn_codec pn_codec_speedscope;
extern const struct pn_codec pn_codec_stackprof;
extern const struct pn_codec pn_codec_cpuprofile;
extern const struct pn_codec pn_codec_heapprofile;
extern const struct pn_codec pn_codec_v8_log;
extern const struct pn_codec pn_codec_firefox;
extern const struct pn_codec pn_codec_gecko;
extern const struct pn_codec pn_codec_chrome_trace;
extern const struct pn_codec pn_codec_jfr;
extern const struct pn_codec pn_codec_simpleperf;
extern const struct pn_codec pn_codec_perfetto;
extern const struct pn_codec pn_codec_bpftrace;
extern const struct pn_codec pn_codec_eprof;
extern const struct pn_codec pn_codec_fprof;
extern const struct pn_codec pn_codec_sb_sprof;
extern const struct pn_codec pn_codec_uftrace;
extern const struct pn_codec pn_codec_line_profiler;
extern const struct pn_codec pn_codec_austin;
extern const struct pn_codec pn_codec_pyinstrument;
extern const struct pn_codec pn_codec_memray;
extern const struct pn_codec pn_codec_scalene;
extern const struct pn_codec pn_codec_jemalloc;
extern const struct pn_codec pn_codec_dhat;
extern const struct pn_codec pn_codec_rprof;
extern const struct pn_codec pn_codec_ghc_prof;
extern const struct pn_codec pn_codec_ghc_json;
extern const struct pn_codec pn_codec_hp;
extern const struct pn_codec pn_codec_google_bench;
extern const struct pn_codec pn_codec_go_bench;
extern const struct pn_codec pn_codec_pytest_bench;
extern const struct pn_codec pn_codec_criterion;
extern const struct pn_codec pn_codec_hyperfine;
extern const struct pn_codec pn_codec_junit;
extern const struct pn_codec pn_codec_jmh;
extern const struct pn_codec pn_codec_pyperf;
extern const struct pn_codec pn_codec_asv;
extern const struct pn_codec pn_codec_dotnet;
extern const struct pn_codec pn_codec_nanobench;
extern const struct pn_codec pn_codec_tinybench;
extern const struct pn_codec pn_codec_vitest;
extern const struct pn_codec pn_codec_mitata;
extern const struct pn_codec pn_codec_benchmark_js;
extern const struct pn_codec pn_codec_ips;
extern const struct pn_codec pn_codec_libtest;
extern const struct pn_codec pn_codec_divan;
extern const struct pn_codec pn_codec_catch2;
extern const struct pn_codec pn_codec_perf_stat;
extern const struct pn_codec pn_codec_time_v;
extern const struct pn_codec pn_codec_fio;
extern const struct pn_codec pn_codec_sysbench;
extern const struct pn_codec pn_codec_wrk;
extern const struct pn_codec pn_codec_hey;
extern const struct pn_codec pn_codec_bmf;
extern const struct pn_codec pn_codec_custom_smaller;
extern const struct pn_codec pn_codec_custom_bigger;
extern const struct pn_codec pn_codec_open_metrics;

#endif
