# Texts as one C string, lines without the tabs that they begin with, which each
# page would carry: cmake -DNAME=<name> "-DFROM=<file>[;<file>...]" -DTO=<file>
# -P this
foreach(text ${FROM})
	file(READ ${text} part HEX)
	string(APPEND hex "${part}")
	get_filename_component(name ${text} NAME)
	string(APPEND files " ${name}")
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "0x0a,(0x09,)+" "0x0a," bytes "${bytes}")
string(REGEX REPLACE "0x0a," "0x0a,\n" bytes "${bytes}")
file(WRITE ${TO} "/* Made from${files}. */\nextern const char ${NAME}[];\n"
	"const char ${NAME}[] = {\n${bytes}0};\n")
