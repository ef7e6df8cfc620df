#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "odsgd/transport/buffer_pool.hpp"

using namespace odsgd;

TEST_CASE("payload: memory is freed once, when the last of its payloads lets go") {
  static int freed = 0;
  struct Counted final : SharedMemory {
    Counted() : SharedMemory([](SharedMemory&) noexcept { ++freed; }) {}
  };
  Counted memory;
  const std::vector<std::byte> bytes(3);
  {
    Payload first(bytes, &memory);
    CHECK(first.is_unshared());
    Payload second = first;
    CHECK_FALSE(first.is_unshared());
    Payload moved = std::move(first);
    CHECK(first.size() == 0);
    second = moved;
    second = Payload();
    CHECK(freed == 0);
    CHECK(moved.is_unshared());
    CHECK(moved.bytes().data() == bytes.data());
  }
  CHECK(freed == 1);
  { const Payload again(bytes, &memory); }
  CHECK(freed == 2);
}

TEST_CASE("buffer pool: a buffer that was let go is handed out again for the same size only") {
  BufferPool pool;
  Draft first = pool.take(1'500'000);
  const std::byte* where = first.bytes.data();
  CHECK(first.bytes.size() == 1'500'000);
  CHECK(first.payload.bytes().data() == where);
  CHECK(pool.allocated() == 1'500'000);

  first.payload = {};
  const Draft other = pool.take(1'500'001);
  const Draft again = pool.take(1'500'000);

  CHECK(other.bytes.data() != where);
  CHECK(again.bytes.data() == where);
  CHECK(pool.allocated() == 3'000'001);
}

TEST_CASE("buffer pool: buffers in use at one time are apart, and start on a 64-byte boundary") {
  BufferPool pool;
  std::vector<Draft> drafts;
  for (int i = 0; i < 20; ++i) drafts.push_back(pool.take(100));
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    CHECK(reinterpret_cast<std::uintptr_t>(drafts[i].bytes.data()) % 64 == 0);
    for (std::byte& byte : drafts[i].bytes) byte = static_cast<std::byte>(i);
  }
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    CHECK(drafts[i].bytes.front() == static_cast<std::byte>(i));
    CHECK(drafts[i].bytes.back() == static_cast<std::byte>(i));
  }
}

TEST_CASE("buffer pool: a buffer may outlive its pool") {
  auto pool = std::make_unique<BufferPool>();
  const Draft draft = pool->take(64);

  pool.reset();

  draft.bytes[63] = std::byte{5};
  CHECK(draft.payload.bytes()[63] == std::byte{5});
}

TEST_CASE("buffer pool: threads take and let go at once") {
  BufferPool pool;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&pool] {
        for (int j = 0; j < 500; ++j) {
          const Draft draft = pool.take(32);
          for (std::byte& byte : draft.bytes) byte = std::byte{1};
        }
      });
    }
  }
  CHECK(pool.allocated() <= 8 * 32);
}
