#!/bin/sh
# git perf show --demangle and --join-clones: names as people wrote them.
. "$(dirname "$0")/lib.sh"

cat >a.folded <<-'END'
	main;_ZN3foo3barIiEEvT_ 2
	main;_ZN3foo3barIdEEvT_ 3
	main;work.isra.0 4
	main;work 5
END
names='[.rows[] | [.name, .self]] | sort | map(select(.[1] > 0))'
check 'by default' exits 0 git perf show --json a.folded
check 'names are short' json "$names" \
	'[["foo::bar",5],["work",5],["work.isra.0",4]]'
check 'in full' exits 0 git perf show --json --demangle=full a.folded
check 'they say all' json "$names" \
	'[["void foo::bar<double>(double)",3],["void foo::bar<int>(int)",2],["work",5],["work.isra.0",4]]'
check 'none' exits 0 git perf show --json --demangle=none a.folded
check 'is as it was' mentions out '_ZN3foo3barIiEEvT_'
check 'clones can be one' exits 0 git perf show --json --join-clones a.folded
check 'as they were' json "$names" '[["foo::bar",5],["work",9]]'
check 'another word' exits 129 git perf show --demangle=some a.folded

printf 'main;work.part.0 9\n' >b.folded
check 'a difference' exits 1 git perf diff --exit-code a.folded b.folded
printf 'main;work 9\nmain;_Z1fv 1\n' >c.folded
printf 'main;work.part.0 9\nmain;f 1\n' >d.folded
check 'that compilers made' exits 0 \
	git perf diff --exit-code --join-clones c.folded d.folded
