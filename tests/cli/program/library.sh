#!/bin/sh
# Programs outside of this tree use the installed library, by pkg-config and by
# CMake: those of contrib/example do what git-perf does.
. "$(dirname "$0")/../lib.sh"

build=${PERF_BUILD:-$root/build}
prefix=$scratch/prefix
cc=${CC:-cc}
need cmake pkg-config "$cc"
must cmake --install "$build" --prefix "$prefix" >"$out"
must cp -R "$root/contrib/example" "$scratch/example"
libdir=$(dirname "$(find "$prefix" -name libperfnotes.so)")
PKG_CONFIG_PATH=$libdir/pkgconfig
LD_LIBRARY_PATH=$libdir
export PKG_CONFIG_PATH
version=$(sed -n 's/^project(git-perf VERSION \([0-9.]*\).*/\1/p' \
	"$root/CMakeLists.txt")

# A header of this name in the program's own folders is not taken for ours.
must mkdir "$scratch/own" "$scratch/own/base"
echo '#error not ours' >"$scratch/own/base/error.h"

check 'pkg-config knows the version' \
	is "$(pkg-config --modversion perfnotes)" "$version"
check 'pkg-config names no other library' \
	is "$(pkg-config --libs-only-l perfnotes)" '-lperfnotes '
flags=$(pkg-config --cflags --libs perfnotes)
# $flags and PERF_CFLAGS are lists of words.
for program in top history add; do
	# shellcheck disable=SC2086
	check "$program compiles with what pkg-config says" exits 0 \
		"$cc" -std=c11 -Wall -Wextra -Werror ${PERF_CFLAGS:-} \
		-I"$scratch/own" -o "$scratch/$program" \
		"$scratch/example/$program.c" $flags
done
check 'CMake finds the library' exits 0 cmake -S "$scratch/example" \
	-B "$scratch/example/build" -DCMAKE_PREFIX_PATH="$prefix" \
	-DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="${PERF_CFLAGS:-}"
check 'CMake builds the examples' exits 0 \
	cmake --build "$scratch/example/build"
must mkdir "$scratch/later"
sed 's/find_package(perfnotes 0.2/find_package(perfnotes 9.0/' \
	"$scratch/example/CMakeLists.txt" >"$scratch/later/CMakeLists.txt"
check 'CMake refuses a library that is too old' exits 1 cmake \
	-S "$scratch/later" -B "$scratch/later/build" \
	-DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc"
check 'CMake says which version it found' mentions err "version: $version"

if command -v c++ >/dev/null && [ -z "${PERF_CFLAGS:-}" ]; then
	printf '%s\n' '#include <cstdio>' '#include <perfnotes/perfnotes.h>' \
		'int main()' '{ std::puts(pn_version()); }' >"$scratch/says.cc"
	# shellcheck disable=SC2086
	check 'a program in C++ compiles' exits 0 c++ -std=c++11 -Wall \
		-Wextra -Werror -o "$scratch/says" "$scratch/says.cc" $flags
	check 'a program in C++ runs' exits 0 env \
		LD_LIBRARY_PATH="$LD_LIBRARY_PATH" "$scratch/says"
	check 'the library tells its version' says out "$version"
fi

# Runs a program that was built with pkg-config.
run()
{
	program=$1
	shift
	exits 0 env LD_LIBRARY_PATH="$LD_LIBRARY_PATH" "$scratch/$program" "$@"
}

printf 'main;parse;next 71\nmain;parse 17\nmain;read 12\n' >a.folded
check 'top reads collapsed stacks' run top a.folded
check 'top prints each function with its share' prints out <<'END'
        71 71.00%  next
        17 17.00%  parse
        12 12.00%  read
         0     0%  main
END
check 'git perf writes the same profile for pprof' exits 0 \
	git perf export --to=pprof -o a.pb.gz ./a.folded
check 'top reads it compressed' run top a.pb.gz
check 'top of pprof begins with the heaviest' \
	mentions out '^ +71 71.00%  next$'
echo nonsense >b.folded
check 'top tells what is wrong with a file' exits 1 env \
	LD_LIBRARY_PATH="$LD_LIBRARY_PATH" "$scratch/top" b.folded
check 'the error of the library is one line' mentions err \
	"^top: cannot read 'b.folded': "

check 'add gives an error outside of a repository' exits 1 env -C / \
	LD_LIBRARY_PATH="$LD_LIBRARY_PATH" "$scratch/add" collapsed a.folded
check 'the error outside of a repository is a text' \
	mentions err 'not a git repository'
commit first
commit second
check 'add stores with the commit before' run add collapsed a.folded HEAD~1
id=$(cat "$out")
check 'git perf lists what add stored' exits 0 git perf log -n1 HEAD~1
check 'git perf lists it by its name' mentions out 'a\.folded'
check 'git perf shows what add stored' exits 0 git perf show "HEAD~1:$id"
check 'git perf shows it with its costs' mentions out '^ +71 .* next$'
cat >t.json <<'END'
{"results": [{"command": "sort x", "mean": 2, "median": 2, "stddev": 1,
"user": 1, "system": 0, "min": 1, "max": 3, "times": [1, 2, 3]}]}
END
check 'add stores what hyperfine wrote' run add hyperfine t.json
check 'git perf finds no fault in what add stored' exits 0 git perf fsck
check 'history walks two commits' run history
check 'history begins with the newest commit' \
	is "$(sed -n '1s/^[0-9a-f]* //p' "$out")" second
check 'history prints the median of the times' mentions out \
	'^    sort x wall: 2e\+09 ns \(n 3\)$'
check 'history ends with the oldest commit' \
	is "$(grep -v '^ ' "$out" | tail -n 1 | cut -d' ' -f2)" first
check 'history takes a range' run history -1 HEAD~1
check 'history of a range leaves out what is outside' \
	is "$(grep -vc '^ ' "$out")" 1

must mv "$prefix" "$scratch/moved place"
LD_LIBRARY_PATH=$scratch/moved\ place${libdir#"$prefix"}
check 'a moved library is found by pkg-config' exits 0 env \
	PKG_CONFIG_PATH="$LD_LIBRARY_PATH/pkgconfig" \
	pkg-config --cflags perfnotes
check 'the flags of a moved installation name the new place' mentions out 'moved.* place/.*include'
