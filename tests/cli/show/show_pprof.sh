#!/bin/sh
# git perf show against go tool pprof, option by option. It is an older pprof
# than the one whose output the unit tests have: its time is written in
# another way, and it knows no columns of source lines.
. "$(dirname "$0")/../lib.sh"
need go
go tool pprof -h >/dev/null 2>&1 || [ $? -ne 127 ] || skip 'no go tool pprof'
data=$measured

# pair VIEW FILE OPTION...: the options in pprof's spelling.
pair()
{
	view=$1
	file=$data/$2
	shift 2
	go tool pprof -symbolize=none "-$view" "$@" "$file" 2>/dev/null |
		grep -v '^Time: ' >expected
	[ -s expected ] || return 1
	for option; do
		name=$(echo "${option#-}" | sed 's/=.*//; s/_/-/g')
		case $name in
		lines | files | filefunctions | addresses)
			set -- "$@" "--granularity=$name"
			;;
		*=*) ;;
		*)
			case $option in
			*=*) set -- "$@" "--$name=${option#*=}" ;;
			*) set -- "$@" "--$name" ;;
			esac
			;;
		esac
		shift
	done
	git perf show "--view=$view" "$@" "$file" 2>/dev/null |
		grep -v '^Time: ' >"$out"
	same expected "$out"
}

cpu=go/cpu.pb.gz
check 'focus shows what pprof shows' pair top $cpu -focus=runtime
check 'hide shows what pprof shows' pair tree $cpu -hide=runtime
check 'hide by binary shows what pprof shows' pair top $cpu -hide=corpus
check 'show shows what pprof shows' pair tree $cpu '-show=runtime|json'
check 'show_from shows what pprof shows' pair traces $cpu -show_from=json
check 'prune_from shows what pprof shows' pair tree $cpu -prune_from=json
check 'tagfocus by value shows what pprof shows' pair top $cpu '-tagfocus=kind=json|gzip'
check 'tagfocus by range shows what pprof shows' pair top go/heap.pb.gz -tagfocus=16b:64b
check 'tagignore shows what pprof shows' pair top go/heap.pb.gz -tagignore=1kb: -sample_index=0
check 'mean shows what pprof shows' pair top go/mutex.pb.gz -mean
check 'unit shows what pprof shows' pair top $cpu -unit=ms
check 'unit that is none shows what pprof shows' pair top $cpu -unit=nix
check 'unit that is mistyped is shown in seconds' exits 0 \
	git perf show --unit=mms "$data/$cpu"
check 'what is no unit is told, with those that there are' says err \
	"warning: 'mms' is no unit of these values: there are ns, us, ms, s, hrs; did you mean 'ms'?"
check 'unit auto shows what pprof shows' pair top go/heap.pb.gz -unit=auto
check 'divide_by shows what pprof shows' pair tree $cpu -divide_by=3
check 'files shows what pprof shows' pair tree $cpu -files
check 'filefunctions shows what pprof shows' pair top $cpu -filefunctions
check 'addresses shows what pprof shows' pair top $cpu -addresses
check 'lines without inlining shows what pprof shows' pair top $cpu -lines -noinlines
check 'cum shows what pprof shows' pair top $cpu -cum
check 'flat shows what pprof shows' pair top $cpu -flat
check 'flat and cum exclude each other' exits 129 git perf show --flat --cum "$data/$cpu"
check 'add_comment shows what pprof shows' pair top $cpu -add_comment=said
check 'add_comment of a difference shows what pprof shows' \
	pair comments go/cpu2.pb.gz "-diff_base=$data/$cpu" -add_comment=said
must git perf diff --view=comments --add-comment=said "$data/$cpu" "$data/go/cpu2.pb.gz"
check 'diff adds it once' is "$(cat "$out")" said
check 'nodecount shows what pprof shows' pair tree $cpu -nodecount=7
check 'fractions shows what pprof shows' pair tree synthetic/s1.pb.gz -nodefraction=0.1 \
	-edgefraction=0.05
check 'top without trimming shows what pprof shows' pair top synthetic/s1.pb.gz -nodefraction=0
check 'relative_percentages shows what pprof shows' pair top synthetic/s1.pb.gz \
	-relative_percentages -focus=Method1
# table FILE OPTION...: the table as a profile, options in pprof's spelling.
table()
{
	file=$data/$1
	shift
	rm -f expected.gz top.gz
	go tool pprof -symbolize=none -topproto "$@" -output=expected.gz "$file" >"$out" 2>&1 || return 1
	for option; do
		case $option in
		-lines | -files | -filefunctions | -addresses)
			set -- "$@" "--granularity=${option#-}" ;;
		-trim=false) set -- "$@" --no-trim ;;
		*) set -- "$@" "-$(echo "$option" | sed 's/_/-/')" ;;
		esac
		shift
	done
	git perf export --to=pprof --top "$@" -o top.gz "$file" >"$out" 2>&1 || return 1
	gunzip -c expected.gz >expected
	gunzip -c top.gz >"$out"
	same expected "$out" && test -s expected
}
for name in go/cpu go/heap go/mutex go/allocs go/block synthetic/s1; do
	for options in '' -mean -unit=ms '-nodecount=5 -cum' '-nodefraction=0.05 -edgefraction=0.5' -trim=false -flat \
		'-lines -noinlines' -files -addresses; do
		check "the table of $name is the profile that pprof writes${options:+ with $options}" \
			table $name.pb.gz $options
	done
done
check 'the table of what a filter leaves is that of pprof' table $cpu -focus=runtime -relative_percentages
must cp "$data/$cpu" one.pb.gz
must git perf merge --top --nodecount=3 -o merged.gz one.pb.gz
must git perf export --top --nodecount=3 --to=pprof -o exported.gz one.pb.gz
gunzip -c merged.gz >expected
gunzip -c exported.gz >"$out"
check 'merge writes the table that export writes' same expected "$out"
check 'options of the table without it are refused' exits 129 git perf export --nodecount=3 one.pb.gz
check 'the refusal says that the options are of --top' mentions err 'are of --top: a profile has all that it has$'
check 'merge refuses them, too' exits 129 git perf merge --mean -o merged.gz one.pb.gz
check 'the table cannot be ordered by both' exits 129 git perf export --top --flat --cum one.pb.gz
go tool pprof -symbolize=none -top -trim=false "$data/$cpu" 2>/dev/null | grep -v '^Time: ' >expected
git perf show --no-trim --nodecount=3 "$data/$cpu" | grep -v '^Time: ' >"$out"
check 'no-trim shows what pprof shows without trim' same expected "$out"
must git perf export --to=pprof --add-comment='# one' --add-comment=two -o said.pb.gz "$data/$cpu"
go tool pprof -symbolize=none -comments said.pb.gz >expected 2>/dev/null
git perf show --view=comments said.pb.gz >"$out"
check 'comments are those that pprof shows' same expected "$out"
check 'pprof shows two comments' is "$(wc -l <expected)" 2
check 'tagshow shows what pprof shows' pair traces $cpu -tagshow=kind
check 'taghide shows what pprof shows' pair traces $cpu -taghide=kind
check 'tagroot shows what pprof shows' pair tree $cpu -tagroot=kind,worker
check 'tagroot of some samples shows what pprof shows' pair top $cpu -tagroot=nothing,kind
check 'tagleaf shows what pprof shows' pair top $cpu -tagleaf=kind
check 'tagleaf of numbers shows what pprof shows' pair traces go/heap.pb.gz -tagleaf=bytes -unit=kb
check 'traces without those that are 0 shows what pprof shows' pair traces go/allocs.pb.gz -tagleaf=bytes
check 'tagleaf and tagroot together shows what pprof shows' \
	pair tree $cpu -tagleaf=worker -tagroot=kind -focus=json
check 'tagroot in a table of files shows what pprof shows' pair top $cpu -tagroot=kind -filefunctions
# The order of nodes that weigh the same is left open, and so is which of them
# are left out: all nodes, without numbers, sorted.
tree_of()
{
	sed -n 's/N[0-9]*\(_[0-9]\)*//g; s/node[0-9]*//; /^ \[label/p; /^ -> /p' | sort
}
drawn_tree()
{
	go tool pprof -symbolize=none -dot -call_tree -nodecount=1000 $1 "$data/$cpu" 2>/dev/null | tree_of >expected
	git perf show --view=dot --call-tree --nodecount=1000 $2 "$data/$cpu" | tree_of >"$out"
	same expected "$out"
}
check 'call_tree draws what is above too small paths for all' drawn_tree -nodefraction=0.05 --nodefraction=0.05
check 'call_tree draws all paths, however little they weigh' \
	drawn_tree '-nodefraction=0 -edgefraction=0' '--nodefraction=0 --edgefraction=0'
check 'call_tree is of what hide leaves' drawn_tree '-hide=json|reflect' '--hide=json|reflect'
check 'call_tree is of what show leaves' drawn_tree -show=json --show=json
check 'call_tree tells lines apart' drawn_tree -lines --granularity=lines
check 'call_tree counts inlined calls as asked' drawn_tree -noinlines --noinlines
check 'call_tree draws what pprof draws' drawn_tree '' ''
check 'call_tree draws nodes' test "$(wc -l <expected)" -gt 50
check 'drop_negative shows what pprof shows' pair tree go/cpu2.pb.gz "-diff_base=$data/$cpu" -drop_negative \
	-nodecount=12
check 'base shows what pprof shows'  pair top go/heap2.pb.gz "-base=$data/go/heap.pb.gz"
# not in a tree: pprof leaves the order of calls of x and -x open
check 'diff_base shows what pprof shows' pair top go/cpu2.pb.gz "-diff_base=$data/$cpu" -cum
check 'normalize shows what pprof shows' pair top go/cpu2.pb.gz -normalize "-base=$data/$cpu"
check 'base of a type shows what pprof shows' pair top go/heap2.pb.gz "-base=$data/go/heap.pb.gz" \
	-sample_index=alloc_space
check 'traces of equal samples shows what pprof shows' pair traces series/pprof/24-b96ccba386.pb.gz \
	-lines
# samples of main, 3 and -1, and the comment "same" twice
data=$PWD
printf '%b' '\0012\0004\0010\0001\0020\0002\0022\0006\0012\0001\0001\0022' \
	'\0001\0003\0022\0017\0012\0001\0001\0022\0012\0377\0377\0377\0377' \
	'\0377\0377\0377\0377\0377\0001\0042\0006\0010\0001\0042\0002\0010' \
	'\0001\0052\0004\0010\0001\0020\0003\0062\0000\0062\0003cpu' \
	'\0062\0005count\0062\0004main\0062\0004same\0150\0004\0150\0004' >minus.pb
check 'top leaves what cancels out out of the total shows what pprof shows' pair top minus.pb
check 'tree leaves what cancels out out shows what pprof shows' pair tree minus.pb
check 'traces leave what cancels out out shows what pprof shows' pair traces minus.pb

# inner is called by alloc, which the profile says to drop, with what it calls:
# main;alloc;inner 3, main;other 2
must python3 -c '
def f(n, x):
	b = isinstance(x, bytes)
	return bytes([n << 3 | 2 * b, len(x) if b else x]) + (x if b else b"")
out = f(1, f(1, 1) + f(2, 2)) + f(7, 4)
for stack, value in ((3, 2, 1), 3), ((4, 1), 2):
	out += f(2, f(1, bytes(stack)) + f(2, bytes([value])))
for i in range(1, 5):
	out += f(4, f(1, i) + f(4, f(1, i))) + f(5, f(1, i) + f(2, 2 + i))
for s in "", "n", "count", "main", "alloc", "inner", "other":
	out += f(6, s.encode())
open("dropped.pb", "wb").write(out)'
check 'frames that the profile drops are not shown' pair traces dropped.pb
check 'export keeps frames that the profile drops' is "$(git perf export -t collapsed dropped.pb | sort)" \
	"$(printf 'main;alloc;inner 3\nmain;other 2')"
check 'export --all-frames keeps the frames that the profile drops' is \
	"$(git perf export -t collapsed --all-frames dropped.pb | sort)" "$(printf 'main;alloc;inner 3\nmain;other 2')"
check 'export --no-all-frames drops the frames that the profile drops, as pprof does' is \
	"$(git perf export -t collapsed --no-all-frames dropped.pb | sort)" "$(printf 'main 3\nmain;other 2')"
check 'merge --no-all-frames drops the frames that the profile drops' is \
	"$(git perf merge -t collapsed --no-all-frames dropped.pb dropped.pb | sort)" "$(printf 'main 6\nmain;other 4')"
check 'no name of a frame that was dropped stays in the file' is \
	"$(git perf export -t pprof --no-all-frames dropped.pb | gzip -dc | strings -n 4 | grep -c inner)" 0

# a;m;x 60, a 39, a;z 6, a;b;c;y 50, a;b;c 1, a;b 30, and 50 of no frame. x is
# inlined into m, and y into c into b, but where b calls c (1): m and c are not
# among the five heaviest. Where m calls x nothing is spent.
must python3 -c '
def f(n, x):
	b = isinstance(x, bytes)
	return bytes([n << 3 | 2 * b, len(x) if b else x]) + (x if b else b"")
out = f(1, f(1, 1) + f(2, 2))
for stack, value in ((2, 1), 60), ((1,), 39), ((3, 1), 6), ((4, 1), 50), ((6, 5, 1), 1), ((5, 1), 30), ((8, 7, 1), 0), ((), 50):
	out += f(2, f(1, bytes(stack)) + f(2, bytes([value])))
for i, lines in (1, (1,)), (2, (3, 2)), (3, (4,)), (4, (7, 6, 5)), (5, (5,)), (6, (6,)), (7, (2,)), (8, (3,)):
	out += f(4, f(1, i) + b"".join(f(4, f(1, x)) for x in lines))
for i in range(1, 8):
	out += f(5, f(1, i) + f(2, 2 + i))
for s in "", "n", "count", "a", "m", "x", "z", "b", "c", "y":
	out += f(6, s.encode())
open("passes.pb", "wb").write(out)'
check 'relative_percentages without what has no frame shows what pprof shows' pair top passes.pb -relative_percentages
check 'a total with what has no frame shows what pprof shows' pair top passes.pb
go tool pprof -symbolize=none -dot -call_tree -nodecount=5 -nodefraction=0 -edgefraction=0.05 passes.pb >expected 2>/dev/null
git perf show --view=dot --call-tree --nodecount=5 --nodefraction=0 --edgefraction=0.05 passes.pb >"$out"
check 'call_tree of the heaviest nodes draws what pprof draws' same expected "$out"
data=$PWD cpu=passes.pb
check 'call_tree counts no call of nothing' drawn_tree '-nodefraction=0 -edgefraction=0' '--nodefraction=0 --edgefraction=0'
go tool pprof -symbolize=none -dot -call_tree -nodecount=5 -nodefraction=0 -edgefraction=0.05 passes.pb >expected 2>/dev/null
check 'pprof draws the calls over what is left out' is "$(grep -c '[ax] [.][.][.] x\|b [.][.][.] y' expected)" 2

# Rows of one file in two binaries, of equal cost: pprof has them by binary,
# lib before prog, whatever comes first in the profile.
must python3 -c '
def f(n, x):
	b = isinstance(x, bytes)
	return bytes([n << 3 | 2 * b, len(x) if b else x]) + (x if b else b"")
out = f(1, f(1, 1) + f(2, 2))
for leaf, caller in (3, 1), (4, 2):
	out += f(2, f(1, bytes([leaf, caller])) + f(2, bytes([2])))
for i in 1, 2:
	out += f(3, f(1, i) + f(2, 16 * i) + f(3, 16 * i + 9) + f(5, 2 + i))
for i, binary, file in (1, 1, 5), (2, 2, 5), (3, 1, 6), (4, 1, 7):
	out += f(5, f(1, i) + f(2, 7 + i) + f(4, file))
	out += f(4, f(1, i) + f(2, binary) + f(4, f(1, i)))
for s in "", "n", "count", "prog", "lib", "s.c", "x.c", "y.c", "a", "b", "c", "d":
	out += f(6, s.encode())
open("binaries.pb", "wb").write(out)'
check 'a tree by files of two binaries' exits 0 \
	git perf show --view=tree --granularity=files binaries.pb
check 'rows of one name are ordered by binary' is \
	"$(grep -A1 '| s.c$' "$out" | sed -n 's/.*|   \(.*\)/\1/p' | tr '\n' ' ')" \
	'y.c x.c '

# What costs as much less here as more there still calls, and is called: A, of
# which B costs 5 more and C 5 less.
printf 'main;A;B 10\nmain;A;C 10\nmain;D 4\n' >old.folded
printf 'main;A;B 15\nmain;A;C 5\nmain;D 5\n' >new.folded
for name in old new; do
	must git perf export -t pprof -o $name.pb.gz $name.folded
done
check 'a tree of a difference is printed' exits 0 \
	git perf show --view=tree --diff-base=old.pb.gz new.pb.gz
go tool pprof -symbolize=none -tree -diff_base=old.pb.gz new.pb.gz 2>/dev/null >expected
check "a tree of a difference is pprof's" same expected "$out"
check 'what weighs nothing is a caller' is "$(grep -c '|   A$' "$out")" 3
