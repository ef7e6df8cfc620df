#include <doctest/doctest.h>

#include "odsgd/ps/pending.hpp"

using namespace odsgd;

TEST_CASE("pending: nothing, a few in full, and of many how many more") {
  PendingList pending;
  CHECK(pending.text() == "nothing");
  pending.add("a");
  pending.add("b");
  pending.add("c");
  CHECK(pending.text() == "a, b, c");
  pending.add("d");
  pending.add("e");
  CHECK(pending.text() == "a, b, c and 2 more");
}

TEST_CASE("pending: what is the same as before is told and counted once") {
  PendingList pending;
  for (const char* what : {"a", "a", "b", "c", "d", "d", "d", "e"}) pending.add(what);
  CHECK(pending.text() == "a, b, c and 2 more");
}
