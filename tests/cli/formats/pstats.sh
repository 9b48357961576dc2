#!/bin/sh
# Python's dumps of 2.7 to 3.13 come back as pstats itself loads them; the
# reader of marshal beside the data is the one that can read them all.
. "$(dirname "$0")/../lib.sh"
need python3
data=$measured/python

for dump in "$data"/*.prof; do
	name=$(basename "$dump")
	check "$name is written" exits 0 git perf export --to=pstats -o x.prof "$dump"
	check "$name is equal" exits 0 python3 - "$data" "$dump" x.prof <<-'END'
	import marshal, pstats, sys
	sys.path.insert(0, sys.argv[1])
	sys.dont_write_bytecode = True
	import marshal_subset
	was = marshal_subset.R(open(sys.argv[2], 'rb').read()).obj()
	pstats.Stats(sys.argv[3])
	sys.exit(was != marshal.load(open(sys.argv[3], 'rb')))
	END
	# "  9614 function calls (3959 primitive calls) in 0.010 seconds"
	seconds=$(sed -n 's/.* in \([0-9.]*\) seconds$/\1/p' "$dump.pstats-time.txt")
	git perf show --json "$dump" >top.json
	check "$name takes $seconds s" exits 0 jq -e \
		".unit == \"seconds\" and (.total * 1000 + .5 | floor) == ($seconds * 1000 + .5 | floor)" top.json
done
