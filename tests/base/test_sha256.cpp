#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "odsgd/base/sha256.hpp"

using namespace odsgd;

namespace {

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(text)));
  return hash.finish();
}

}  // namespace

// FIPS 180-4, the examples that NIST publishes with it.
TEST_CASE("sha-256 of NIST's examples is what NIST says") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("sha-256 of pieces is that of the whole, and finish() starts anew") {
  Sha256 hash;
  for (const std::string_view piece : {"a", "", "bc"}) hash.add(std::as_bytes(std::span(piece)));

  CHECK(hash.finish() == sha256("abc"));
  CHECK(hash.finish() == sha256(""));
}
