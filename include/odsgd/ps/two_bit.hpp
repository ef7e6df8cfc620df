#pragma once

#include <cstddef>
#include <span>

namespace odsgd {

/// The 2-bit quantizer of CD-SGD (Yu et al., 2021, arXiv:2106.10796), which is that of MXNet.
///
/// A gradient is sent as -theta, 0 or +theta each element; what that leaves out stays in a residual
/// r, which the next gradient is added to:
///
///     r += g;   if r >= theta: send +theta, r -= theta;   if r <= -theta: send -theta, r += theta
///
/// So the sum of what was sent plus r is the sum of the gradients, up to rounding. |r| stays below
/// theta as long as |g| <= theta; of a steady g beyond that, r grows by |g| - theta a push.
///
/// Written are theta, a float, and then one word of 32 bits for each 16 elements: a reader needs
/// nothing else. Element j of a word is in its byte j / 4, the first of four in the highest bits:
///
///     11: +theta    10: -theta    00: 0    01: not a number
///
/// 01 says that r is infinite or not a number, and is read as NaN. r never leaves that state, so
/// every push from then on says so: one that sent 0 or theta would hide that training has diverged.
/// Codes behind the last element are 00. Threads: any; nothing is kept but the residual.

/// Of `floats` elements.
std::size_t two_bit_bytes(std::size_t floats);

/// Writes `g` to `into` (two_bit_bytes() of it, on a boundary of 4 bytes) and updates `residual`,
/// which has as many elements. `theta` > 0 and finite.
void encode_two_bit(std::span<const float> g, std::span<float> residual, float theta,
                    std::span<std::byte> into);

/// Reads the elements from number `begin` on, as many as `into` holds; fastest when `begin` is a
/// multiple of 16. `bytes` has a boundary of 4 bytes.
void decode_two_bit(std::span<const std::byte> bytes, std::size_t begin, std::span<float> into);

/// Same, and adds them to what `sum` holds.
void decode_add_two_bit(std::span<const std::byte> bytes, std::size_t begin, std::span<float> sum);

}  // namespace odsgd
