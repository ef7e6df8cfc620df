#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "odsgd/transport/payload.hpp"

using namespace odsgd;

TEST_CASE("buffer pool: a buffer that was let go is handed out again for the same size only") {
  BufferPool pool;
  auto first = pool.take(1000);
  const std::byte* where = first->data();
  CHECK(first->size() == 1000);
  CHECK(pool.allocated() == 1000);

  first.reset();
  const auto other = pool.take(1001);
  const auto again = pool.take(1000);

  CHECK(other->data() != where);
  CHECK(again->data() == where);
  CHECK(pool.allocated() == 2001);
}

TEST_CASE("buffer pool: buffers in use at one time are distinct, and start on a 64-byte boundary") {
  BufferPool pool;
  const auto a = pool.take(10);
  const auto b = pool.take(10);

  CHECK(a->data() != b->data());
  CHECK(reinterpret_cast<std::uintptr_t>(a->data()) % 64 == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(b->data()) % 64 == 0);
}

TEST_CASE("buffer pool: a buffer may outlive its pool") {
  auto pool = std::make_unique<BufferPool>();
  const Payload payload = pool->take(64);

  pool.reset();

  CHECK(payload->size() == 64);
  CHECK((*payload)[63] == std::byte{0});
}

TEST_CASE("buffer pool: threads take and let go at once") {
  BufferPool pool;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&pool] {
        for (int j = 0; j < 500; ++j) {
          const auto bytes = pool.take(32);
          for (std::byte& byte : bytes->span()) byte = std::byte{1};
        }
      });
    }
  }
  CHECK(pool.allocated() <= 4 * 32);
}
