# SPDX-License-Identifier: Apache-2.0
# cmake -DPROGRAM=... -DFOLDER=... -P MakeManual.cmake: manual pages and completions of the program.
function(write_output file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${FOLDER}/${file} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "`tilewright ${ARGN}` exited with ${code}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${FOLDER}/man1)
write_output(man1/tilewright.1 manual)
execute_process(COMMAND ${PROGRAM} manual --list OUTPUT_VARIABLE commands
  OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "\n" ";" commands "${commands}")
foreach(command IN LISTS commands)
  write_output(man1/tilewright-${command}.1 manual ${command})
endforeach()
foreach(shell bash zsh fish)
  write_output(tilewright.${shell} completion ${shell})
endforeach()
file(TOUCH ${FOLDER}/done)
