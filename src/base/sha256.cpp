#include "odsgd/base/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <cstdint>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

void check(bool is_done) {
  ODSGD_REQUIRE(is_done, "SHA-256: got an error of OpenSSL's libcrypto, want a digest");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const noexcept { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  check(context_ != nullptr);
  start();
}

void Sha256::start() { check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1); }

void Sha256::add(std::span<const std::byte> bytes) {
  check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish() {
  std::array<std::uint8_t, 32> digest{};
  check(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
  start();
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace odsgd
