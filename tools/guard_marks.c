/* Switches callgrind's counting on and off from Python: see guard_cases.py. */

#include <valgrind/callgrind.h>

void marks_begin(void) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void marks_end(const char* name) {
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}
