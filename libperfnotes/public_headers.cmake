# Write HEADERS below the folder TO, where they name each other
# <perfnotes/...>; what was there before goes.
file(REMOVE_RECURSE ${TO})
foreach(header ${HEADERS})
	file(READ ${header} text)
	string(REGEX REPLACE "#include \"([^\"]+)\"" "#include <perfnotes/\\1>"
		text "${text}")
	file(WRITE ${TO}/${header} "${text}")
endforeach()
file(TOUCH ${TO}/.made)
