# git-perf-json(5) as rows "object TAB key TAB type TAB optional", and
# "object TAB @ TAB other" where an object has all members of another.
function flush_key()
{
	if (key == "")
		return
	type = text
	sub(/[.,].*/, "", type)
	optional = text ~ /(^|[^_])[Aa]bsent([^_]|$)/
	print object "\t" key "\t" type "\t" optional
	key = text = ""
}
function flush_intro()
{
	if (match(intro, /All members of [^:]* and:/)) {
		n = split(substr(intro, RSTART, RLENGTH), word, " ")
		for (i = 1; i <= n; i++)
			if (word[i] ~ /^_.*_,?$/) {
				gsub(/^_|_,?$/, "", word[i])
				print object "\t@\t" word[i]
			}
	}
	intro = ""
}
/^==/ {
	flush_key()
	flush_intro()
	object = /^=== / ? substr($0, 5) : ""
	next
}
object == "" { next }
/^\*[a-z_]+\*::$/ {
	flush_key()
	flush_intro()
	key = $0
	gsub(/[*:]/, "", key)
	next
}
key != "" {
	sub(/^[ \t]+/, "")
	text = text (text == "" ? "" : " ") $0
	next
}
{ intro = intro " " $0 }
