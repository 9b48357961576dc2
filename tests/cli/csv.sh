#!/bin/sh
# git perf export --to=csv: a profile for data frames.
. "$(dirname "$0")/lib.sh"
need python3

printf 'main;f 3\nmain;g,"h" 5\n' >a.folded
check 'a profile as CSV' exits 0 git perf export --to=csv -o a.csv a.folded
check 'is read by others' exits 0 python3 -c '
import csv
rows = list(csv.DictReader(open("a.csv", newline="")))
for row in rows:
    print(row["samples/count"], row["function"], row["stack"])
'
check 'with all of it' prints out <<-'END'
	3 f main;f
	5 g,"h" main;g,"h"
END
check 'it is not read back' exits 128 git perf show --format=csv a.csv
check 'which is said' mentions err 'csv can only be written'

if [ -d "$shared_data/data/go" ]; then
	git perf export --to=csv -o go.csv "$shared_data/data/go/cpu.pb.gz"
	check 'a real one adds up' exits 0 python3 -c '
import csv
rows = list(csv.DictReader(open("go.csv", newline="")))
print(sum(int(row["cpu/nanoseconds"]) for row in rows))
'
	# "Total samples = 2.29s", cpu.top.txt
	check 'to what pprof says' says out 2290000000
else
	echo "SKIPPED the real profile: no '$shared_data'"
fi
