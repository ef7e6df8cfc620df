#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace odsgd {

/// How the floats of a push are written. Weights always travel as float32.
enum class Codec : std::uint16_t {
  kFloat32,
  kBfloat16,  ///< the upper half of a float32, rounded to nearest, ties to even
  kFloat16,   ///< IEEE binary16, rounded the same way; beyond 65,504 it is infinite
  kTwoBit,    ///< -theta, 0 or theta, and a residual that stays with the worker: see two_bit.hpp
};

/// The last one: no number is greater.
constexpr Codec kLastCodec = Codec::kTwoBit;

/// Names on the command line, in the order of the enumerators, of the codecs that write each float
/// by itself. Not kTwoBit: it is part of an algorithm.
const std::vector<std::string>& codec_names();
Codec codec_of(const std::string& name);

/// What a slice of so many floats takes.
std::size_t encoded_bytes(Codec codec, std::size_t floats);

/// Writes floats as the codec does; `into` has encoded_bytes() and a boundary of 4 bytes. Throws
/// Error for kTwoBit, which encode_two_bit() writes.
void encode(Codec codec, std::span<const float> floats, std::span<std::byte> into);

/// Reads the floats from number `begin` on, as many as `into` holds.
void decode(Codec codec, std::span<const std::byte> bytes, std::size_t begin,
            std::span<float> into);

/// Same, and adds them to what `sum` holds.
void decode_add(Codec codec, std::span<const std::byte> bytes, std::size_t begin,
                std::span<float> sum);

}  // namespace odsgd
