#!/bin/sh
# git perf export --to=csv: a profile for data frames.
. "$(dirname "$0")/../lib.sh"
need python3

printf 'main;f 3\nmain;g,"h" 5\n' >a.folded
check 'a profile is exported as CSV' \
	exits 0 git perf export --to=csv -o a.csv a.folded
check 'Python reads the exported CSV' exits 0 python3 -c '
import csv
rows = list(csv.DictReader(open("a.csv", newline="")))
for row in rows:
    print(row["samples/count"], row["function"], row["stack"])
'
check 'the CSV has all frames and values' prints out <<-'END'
	3 f main;f
	5 g,"h" main;g,"h"
END
check 'CSV of samples is not read back' exits 128 git perf show --format=csv a.csv
check 'the error says that results have names and values' \
	mentions err "no column 'name'"
awk 'BEGIN { for (i = 10; i < 110; i++) printf "%scolumn%d", (i == 10 ? "" : ","), i
	print "\n1" }' >wide.csv
check 'results of a hundred other columns are refused' exits 128 \
	git perf show --format=csv wide.csv
# a name and the comma before it are 10 bytes: 16 are 158, below 160, 17 not
check 'the first columns are named, the others counted' mentions err \
	", there are column10, column11, .*, column26 and 83 more: name it with"
check 'the line can be read' test "$(wc -c <"$err")" -lt 300

git perf export --to=csv -o go.csv "$measured/go/cpu.pb.gz"
check 'the CSV of a real profile is read by Python' exits 0 python3 -c '
import csv
rows = list(csv.DictReader(open("go.csv", newline="")))
print(sum(int(row["cpu/nanoseconds"]) for row in rows))
'
# "Total samples = 2.29s", cpu.top.txt
check 'the CSV of a real profile adds up to the total of pprof' \
	says out 2290000000
