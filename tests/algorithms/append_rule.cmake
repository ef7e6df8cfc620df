# cmake -DPAGE=page.md -DRULES=rules.def -DOUTPUT=file -P append_rule.cmake
# Writes the rules with the line after them that the page says; fails when it says none or more than one.
file(STRINGS ${PAGE} lines REGEX "^    ODSGD_RULE\\(.*\\)$")
list(LENGTH lines count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${PAGE}: want one line ODSGD_RULE(...), got ${count}")
endif()
string(STRIP "${lines}" line)
file(READ ${RULES} rules)
file(WRITE ${OUTPUT} "${rules}${line}\n")
