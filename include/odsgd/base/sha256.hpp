#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace odsgd {

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece. One thread at a time.
class Sha256 {
 public:
  Sha256();

  void add(std::span<const std::byte> bytes);

  /// Of everything added so far, as 64 small hexadecimal digits; starts again with nothing.
  std::string finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  void start();

  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace odsgd
