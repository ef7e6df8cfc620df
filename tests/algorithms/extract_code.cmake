# cmake -DPAGE=page.md -DLANGUAGE=cpp -DOUTPUT=file -P extract_code.cmake
# Writes the code of the page's only block of that language; fails when there is none or more than one.
file(READ ${PAGE} text)
set(fence "\n```")
string(FIND "${text}" "${fence}${LANGUAGE}\n" begin)
string(FIND "${text}" "${fence}${LANGUAGE}\n" last REVERSE)
if(begin EQUAL -1 OR NOT begin EQUAL last)
  message(FATAL_ERROR "${PAGE}: want one block of ${LANGUAGE}, got none or several")
endif()
string(LENGTH "${fence}${LANGUAGE}\n" opening)
math(EXPR begin "${begin} + ${opening}")
string(SUBSTRING "${text}" ${begin} -1 text)
string(FIND "${text}" "${fence}" end)
math(EXPR end "${end} + 1") # with the last line's end
string(SUBSTRING "${text}" 0 ${end} code)
file(WRITE ${OUTPUT} "${code}")
