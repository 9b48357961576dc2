# What documents have, by the page that json.sh has made of the manual page's
# rows: "seen OBJECT.KEY" of each member, one line "printed" of what it is, and
# a line of another kind for each fault. $objects has a line for each file: its
# name, which is the number of its check, and what the page calls it.

def plain($is):
	if $is == "string" then type == "string"
	elif $is == "id" then
		type == "string" and test("^([0-9a-f]{40}|[0-9a-f]{64})$")
	elif $is == "time" then
		type == "string" and test(
		"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*[1-9])?Z$")
	elif $is == "integer" then type == "number" and . == floor
	elif $is == "number" then type == "number"
	elif $is == "boolean" then type == "boolean"
	elif $is == "map" then
		type == "object" and all(.[]; type == "string")
	elif $is == "any" then type == "object"
	else null end;

def faults($page; $is; $at):
	if $is | startswith("list of ") then
		if type != "array" then "\($at) is no list"
		else .[] | select(. != null or $is != "list of number") |
			faults($page; $is[8:]; $at + "[]") end
	elif $is | contains(" or ") then
		if [plain($is | split(" or ")[])] | any | not then
			"\($at) is no \($is)" else empty end
	elif plain($is) != null then
		if plain($is) | not then "\($at) is no \($is)"
		else empty end
	elif $page | has($is) | not then
		"\($at): the page has no object '\($is)'"
	elif type != "object" then "\($at) is no object"
	else
		$page[$is] as $members |
		(($members | keys[]) as $key | select(has($key) | not) |
			select($members[$key].optional | not) |
			"\($at).\($key) is missing"),
		(to_entries[] | .key as $key | .value |
			if $members | has($key) then
				"seen \($members[$key].owner).\($key)",
				faults($page; $members[$key].type;
					"\($at).\($key)")
			else "\($at).\($key) is not on the page" end)
	end;

$pages[0] as $page | (input_filename | sub(".*/"; "")) as $check |
	($objects | split("\n")[] | split("\t") |
		select(.[0] == $check)[1]) as $object |
	"printed \([.command, .view // "", $object] | join("\t"))",
	(faults($page; $object; $object) |
		if startswith("seen ") then . else "\($check): " + . end)
