// wide_codec.h — zstd level 1 with a dictionary per tree: what wide chunks are compressed with.
//
// Role:     the only file that sees libzstd. Chunks of 8 KiB shrink like 64 KiB ones if they share
//           a dictionary, and are read like 8 KiB ones.
// Owns:     a dictionary, its bytes and both of zstd's digests of it.
// Threads:  dictionaries are immutable; encoders and decoders one at a time.   Parks: never.
// Errors:   decoding: false, the caller knows the place.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace coppice::lsm {

inline constexpr std::size_t kDictionaryBytesMax = 64_KiB;
inline constexpr std::size_t kDictionarySampleBytes = 6_MiB;  // about 100 x the dictionary
inline constexpr std::size_t kDictionariesMax = 16;           // that one file may refer to

enum class WideCompression : std::uint8_t {  // the numbers are part of the disk format
  kPlain = 0,
  kZstd = 1,
  kZstdDictionary = 2,
};

class WideDictionary {
 public:
  // `id` is unique in its tree and not 0. kInvalidArgument: too long, or zstd refuses it.
  static Result<std::shared_ptr<const WideDictionary>> create(std::uint32_t id, ByteBuffer content);
  // From values as they come; kInvalidArgument if zstd finds nothing in common.
  static Result<std::shared_ptr<const WideDictionary>> train(std::uint32_t id,
                                                             std::span<const ByteView> samples);
  ~WideDictionary();
  WideDictionary(const WideDictionary&) = delete;
  WideDictionary& operator=(const WideDictionary&) = delete;

  std::uint32_t id() const { return id_; }
  ByteView content() const { return content_; }

 private:
  friend class WideEncoder;
  friend class WideDecoder;
  struct Digests;
  WideDictionary(std::uint32_t id, ByteBuffer content);
  std::uint32_t id_;
  ByteBuffer content_;
  std::unique_ptr<Digests> digests_;
};

using WideDictionaryRef = std::shared_ptr<const WideDictionary>;

// The dictionaries that chunks of one tree may name; a handful.
class WideDictionarySet {
 public:
  void add(WideDictionaryRef dictionary);  // again: no change
  const WideDictionary* find(std::uint32_t id) const;
  std::span<const WideDictionaryRef> all() const { return all_; }

 private:
  std::vector<WideDictionaryRef> all_;
};

class WideEncoder {
 public:
  WideEncoder();
  ~WideEncoder();
  WideEncoder(const WideEncoder&) = delete;
  WideEncoder& operator=(const WideEncoder&) = delete;

  // Appends the shorter of plain and compressed; says which.
  WideCompression encode(ByteView raw, const WideDictionary* dictionary, ByteBuffer& to);

 private:
  ZSTD_CCtx_s* context_;
};

class WideDecoder {
 public:
  WideDecoder();
  ~WideDecoder();
  WideDecoder(const WideDecoder&) = delete;
  WideDecoder& operator=(const WideDecoder&) = delete;

  // Fills `to` exactly. False: not what encode() gave. `dictionary` for kZstdDictionary.
  bool decode(WideCompression compression, ByteView from, const WideDictionary* dictionary,
              MutableByteView to);

 private:
  ZSTD_DCtx_s* context_;
};

}  // namespace coppice::lsm
