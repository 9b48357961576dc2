#!/bin/sh
# A symbolic link that a build or the user puts in the place of a folder, while
# a run in place has the work tree, is never followed: what it leads to stays as
# it is, and what was there before is back.
. "$(dirname "$0")/../lib.sh"

mkdir d sub
echo one >d/1
echo one >sub/x
must git add .
commit one
echo two >d/1
echo two >d/2
must git add .
commit two
outside=$scratch/outside
look()
{
	find . -name .git -prune -o -print | sort
	cat d/1 d/2 d/un sub/x sub/y
	git status --porcelain
}
there()
{
	find "$outside" | sort
	cat "$outside"/*
}
mkdir "$outside"
for name in 1 2 un x y; do
	echo "precious $name" >"$outside/$name"
done
there >"$scratch/there"
echo edited >d/1
echo new >d/un
echo new >sub/y
look >"$scratch/before"

# run WHAT: with the build $INPLACE_BUILD
run()
{
	check "$1: the run ends well" exits 0 inplace begin HEAD~1 HEAD
	check "$1: what the link leads to is as it was" \
		is "$(there)" "$(cat "$scratch/there")"
	check "$1: the work tree is as it was" \
		is "$(look)" "$(cat "$scratch/before")"
}
export INPLACE_BUILD
INPLACE_BUILD="rm -r d sub; ln -s $outside d; ln -s $outside sub"
run 'links for folders'
INPLACE_BUILD="[ -L d ] || mv d d.away; ln -sfn $outside d; ln -sfn $outside sub/in"
run 'a link for a folder that was renamed'

# Between a look and what is done then: a git in front of the real one does it.
INPLACE_BUILD='echo more >>d/1'
mkdir "$scratch/bin"
real=$(command -v git)
cat >"$scratch/bin/git" <<END2
#!/bin/sh
case " \$* " in
*" \$when "*)
	echo >>"$scratch/times"
	[ "\$(wc -l <"$scratch/times")" != "\$nth" ] ||
		(cd "$scratch/repo" && rm -rf d sub && ln -s "$outside" d &&
			ln -s "$outside" sub)
	;;
esac
exec $real "\$@"
END2
chmod +x "$scratch/bin/git"
export when nth
for when in diff-files read-tree ls-tree update-index checkout-index; do
	for nth in 1 2 3 4 5 6 7; do
		rm -f "$scratch/times"
		(PATH=$scratch/bin:$PATH inplace begin HEAD~1 HEAD) \
			>"$out" 2>"$err" || inplace recover >"$out" 2>"$err"
		[ "$(wc -l <"$scratch/times")" -ge "$nth" ] || break
		# what the user's own rm takes is not the run's to bring back
		check "links at $when $nth: what they lead to is as it was" \
			is "$(there)" "$(cat "$scratch/there")"
		check "links at $when $nth: the run has ended" not inplace open
		rm -rf d sub
		must git checkout -q -f HEAD
		echo edited >d/1
		echo new >d/un
		echo new >sub/y
	done
done
