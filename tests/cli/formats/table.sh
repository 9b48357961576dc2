#!/bin/sh
# Results of tools without a format of their own: columns of a CSV, and lines
# that a pattern matches.
. "$(dirname "$0")/../lib.sh"
need jq
must git init -q repo && cd repo && must git commit -q --allow-empty -m one

# name, unit, what is better and the values of each metric of the last profile
metrics()
{
	git perf show --json 0@i 2>"$err" | jq -rc \
		'.rows[] | [.name, .unit // "", .better // "", .n, .median]'
}

cat >own.csv <<'END'
name,value,unit,better
parse,1.5,ms,less
parse,2.5,ms,less
"join, split","1,250",ops/s,
score,7,points,more
empty,,ms,
END
check 'a CSV with usual heads is added' exits 0 git perf add --format=csv own.csv
metrics >got
cat >expected <<'END'
["parse","ms","less",2,2]
["join, split","ops/s","more",1,1250]
["score","points","more",1,7]
END
check 'rows of one name are values, quotes and commas are read' same expected got

printf 'suite;size;time (us);note\na;10;3;x\na;20;5;y\nb;10;4;z\n' >other.csv
check 'columns are named by their heads, two make the name' exits 0 git perf add \
	--format=csv --column=name=suite --column=name=size \
	'--column=value=time (us)' --unit=us other.csv
metrics >got
cat >expected <<'END'
["a 10","us","less",1,3]
["a 20","us","less",1,5]
["b 10","us","less",1,4]
END
check 'semicolons separate, and the unit says what is better' same expected got
check 'a profile of them is exported without the columns' exits 0 \
	git perf export --to=git-perf -o body 0@i

check 'a head that is not there is refused' exits 128 git perf add \
	--format=csv --column=value=median other.csv
check 'the refusal lists the heads' mentions err \
	"no column 'name' for the name, there are suite, size, time .us., note"
check 'a column needs what it is' exits 129 git perf add --format=csv \
	--column=other=size other.csv
check 'a value that is no number is refused with its line' exits 128 \
	git perf add --format=csv --column=name=suite --column=value=note other.csv
check 'the line and the text are named' mentions err \
	"line 2: expected a number, have 'x'"
printf 'name;value;unit\na;12,5;ms\n' >decimal.csv
check 'a decimal comma between semicolons is refused' exits 128 \
	git perf add --format=csv decimal.csv
check 'the refusal says to write a point' mentions err \
	"line 2: expected a number with a point and no comma, have '12,5'"
printf 'name;value;unit\na;1,250;ms\n' >decimal.csv
check 'a comma before three digits is not read as thousands beside semicolons' \
	exits 128 git perf add --format=csv decimal.csv
printf 'name,value\na,"12,5"\n' >decimal.csv
check 'a quoted decimal comma is refused' exits 128 \
	git perf add --format=csv decimal.csv
check 'the refusal has the value with its comma' mentions err \
	"line 2: expected a number, have '12,5'"
check 'columns are for csv' exits 129 git perf add --column=name=a own.csv
check '--verbatim would lose the columns' exits 129 git perf add --verbatim \
	--format=csv own.csv

printf 'name,run,value,unit\na,2,5,ms\nb,1,9,ms\na,10,7,ms\na,1,3,ms\n' >runs.csv
check 'a column of runs is read' exits 0 git perf add --format=csv runs.csv
check 'values are in the order of their runs' is \
	"$(git notes --ref=perf show | grep -o 'm=a;ms;[^ ]*')" 'm=a;ms;less;3;3,5,7'
check 'another column may be the run' exits 0 git perf add --format=csv \
	--column=run=value --column=value=run runs.csv

cat >log.txt <<'END'
starting
sort: 12.5 ms (3 runs)
sort: 13.5 ms (3 runs); join: 1.25e2 us
done
END
check 'a pattern finds values' exits 0 git perf add --format=regex \
	--pattern='(?<name>\w+): (?<value>[\d.e]+) (?<unit>ms|us)' log.txt
metrics >got
cat >expected <<'END'
["sort","ms","less",2,13]
["join","us","less",1,125]
END
check 'each match of a line is a value' same expected got
check 'without a name the metric is called value' exits 0 git perf add \
	--format=regex --pattern='\((?<value>\d+) runs' --unit=runs --better=more log.txt
check 'unit and direction are those of the options' is "$(metrics)" \
	'["value","runs","more",2,3]'
check 'a pattern that matches nowhere is refused' exits 128 git perf add \
	--format=regex --pattern='(?<value>\d+) kg' log.txt
check 'the refusal says what is missing' mentions err \
	'expected a line that the pattern matches'
check 'a pattern needs a value' exits 128 git perf add --format=regex \
	--pattern='(?<name>\w+)' log.txt
check 'the message names the group' mentions err 'has no group .\?<value>'
check 'a match that is no number is refused' exits 128 git perf add \
	--format=regex --pattern='(?<value>done)' log.txt
echo 'sort took 12,5 ms' >decimal.txt
check 'a decimal comma that a pattern matches is refused' exits 128 \
	git perf add --format=regex --pattern='(?<value>[\d,]+) ms' decimal.txt
check 'the refusal of a match has its comma' mentions err \
	"the group 'value' matched '12,5', which is no number"
check 'a bad pattern is refused' exits 128 git perf add --format=regex \
	--pattern='(' log.txt
check 'regex needs a pattern' exits 128 git perf add --format=regex log.txt
check 'the message names the option' mentions err 'needs --pattern'
check 'better is less or more' exits 129 git perf add --format=csv \
	--better=faster own.csv
check 'nothing of what was refused was added' is \
	"$(git perf log --json HEAD | jq '[.commits[].profiles[]] | length')" 6
