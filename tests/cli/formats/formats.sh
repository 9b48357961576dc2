#!/bin/sh
# The list of formats: all of them, or those of a language or a tool.
. "$(dirname "$0")/../lib.sh"
need jq

# The names that a word finds, on one line.
about()
{
	git perf formats --json "$1" | jq -r '[.formats[].name] | join(" ")'
}

git perf formats --json >all.json
check 'each format says which languages it is about and what makes its files' \
	exits 0 jq -e '.formats | all(.languages != "" and .made_by != "")' all.json
check 'a language is found as a whole word: PHP' is "$(about php)" callgrind
check 'case does not count: Ruby' is "$(about Ruby)" "$(about ruby)"
check 'a programmer of Ruby finds stackprof' exits 0 sh -c 'git perf formats ruby | grep -q ^stackprof'
check 'C++ is no part of a pattern' exits 0 sh -c 'git perf formats c++ | grep -q callgrind'
check 'javascript is not about java' exits 1 sh -c 'git perf formats java | grep -q cpuprofile'
check 'a tool is found by its command' is "$(about valgrind | tr ' ' '\n' | grep -c grind)" 2
check 'the text says which command makes such a file' exits 0 sh -c \
	'git perf formats pytest-benchmark | grep -q -- --benchmark-json='
check 'a word that no format has is taken for a file' exits 128 git perf formats nosuchtool
check 'the message names the file that is not there' \
	mentions err "^fatal: cannot read 'nosuchtool'"
echo 'main;f 3' >ruby
check 'a file comes before a word' exits 0 git perf formats ruby
check 'a file named like a language is told its format' says out 'ruby	collapsed'
check 'JSON is not for files' exits 129 git perf formats --json ruby
