#!/bin/sh
# git perf show --demangle and --join-clones: names as people wrote them.
. "$(dirname "$0")/../lib.sh"

cat >a.folded <<-'END'
	main;_ZN3foo3barIiEEvT_ 2
	main;_ZN3foo3barIdEEvT_ 3
	main;work.isra.0 4
	main;work 5
END
names='[.rows[] | [.name, .self]] | sort | map(select(.[1] > 0))'
check 'show works without --demangle' exits 0 git perf show --json a.folded
check 'names are shown short by default' json "$names" \
	'[["foo::bar",5],["work",5],["work.isra.0",4]]'
check '--demangle=full is accepted' \
	exits 0 git perf show --json --demangle=full a.folded
check 'full names have template arguments and parameters' json "$names" \
	'[["void foo::bar<double>(double)",3],["void foo::bar<int>(int)",2],["work",5],["work.isra.0",4]]'
check '--demangle=none is accepted' \
	exits 0 git perf show --json --demangle=none a.folded
check 'names stay mangled with --demangle=none' \
	mentions out '_ZN3foo3barIiEEvT_'
check '--join-clones is accepted' \
	exits 0 git perf show --json --join-clones a.folded
check '--join-clones unites clones with their function' \
	json "$names" '[["foo::bar",5],["work",9]]'
check 'another word for --demangle is a usage error' \
	exits 129 git perf show --demangle=some a.folded

printf 'main;work.part.0 9\n' >b.folded
check 'functions that moved into clones are a difference' \
	exits 0 git perf diff a.folded b.folded
check 'a clone has another name than its function' mentions out ' work\.part\.0 \(new\)$'
printf 'main;work 9\nmain;_Z1fv 1\n' >c.folded
printf 'main;work.part.0 9\nmain;f 1\n' >d.folded
check 'diff with --join-clones' exits 0 git perf diff --join-clones c.folded d.folded
check '--join-clones sees no difference in clones' says out 'No function differs'

# What collect prints of its results; what is kept has the names of the tool.
check 'collect prints its results' exits 0 git perf collect -c command \
	-O format=collapsed -- cp a.folded '{output}'
check 'collect has the names of show' mentions out ' foo::bar$'
check 'collect prints no mangled name' not mentions out '_ZN3foo'
check 'collect --json works on mangled names' exits 0 git perf collect --json \
	--no-keep -c command -O format=collapsed -- cp a.folded '{output}'
check 'collect --json has the names of show' \
	json '[.profiles[].top.rows[].name] | sort | unique' \
	'["foo::bar","main","work","work.isra.0"]'
check 'what collect kept is exported' \
	exits 0 git perf export --to=collapsed 0@p
check 'what collect kept has the names of the tool' \
	says out 'main;_ZN3foo3barIiEEvT_ 2'
