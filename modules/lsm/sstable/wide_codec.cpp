#include "modules/lsm/sstable/wide_codec.h"

#include <zdict.h>
#include <zstd.h>

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

constexpr int kLevel = 1;  // higher ones cost much and gain nothing on chunks (NOTES, 2.1)

}  // namespace

struct WideDictionary::Digests {
  ZSTD_CDict* encode = nullptr;
  ZSTD_DDict* decode = nullptr;
  ~Digests() {
    ZSTD_freeCDict(encode);
    ZSTD_freeDDict(decode);
  }
};

WideDictionary::WideDictionary(std::uint32_t id, ByteBuffer content)
    : id_(id), content_(std::move(content)), digests_(std::make_unique<Digests>()) {
  digests_->encode = ZSTD_createCDict(content_.data(), content_.size(), kLevel);
  digests_->decode = ZSTD_createDDict(content_.data(), content_.size());
}

WideDictionary::~WideDictionary() = default;

Result<std::shared_ptr<const WideDictionary>> WideDictionary::create(std::uint32_t id,
                                                                     ByteBuffer content) {
  if (id == 0 || content.empty() || content.size() > kDictionaryBytesMax)
    return fail(Code::kInvalidArgument, "impossible dictionary");
  struct Made : WideDictionary {  // the constructor is private to keep ids and sizes checked
    Made(std::uint32_t made_id, ByteBuffer made_content)
        : WideDictionary(made_id, std::move(made_content)) {}
  };
  auto dictionary = std::make_shared<const Made>(id, std::move(content));
  if (dictionary->digests_->encode == nullptr || dictionary->digests_->decode == nullptr)
    return fail(Code::kInvalidArgument, "zstd refuses the dictionary");
  return dictionary;
}

Result<std::shared_ptr<const WideDictionary>> WideDictionary::train(
    std::uint32_t id, std::span<const ByteView> samples) {
  ByteBuffer joined;
  std::vector<std::size_t> sizes;
  for (const ByteView sample : samples) {
    if (joined.size() + sample.size() > kDictionarySampleBytes) break;
    append(joined, sample);
    sizes.push_back(sample.size());
  }
  ByteBuffer content(kDictionaryBytesMax);
  const std::size_t size =
      sizes.empty() ? 0
                    : ZDICT_trainFromBuffer(content.data(), content.size(), joined.data(),
                                            sizes.data(), static_cast<unsigned>(sizes.size()));
  if (size == 0 || ZDICT_isError(size) != 0)
    return fail(Code::kInvalidArgument, "no dictionary can be trained from these samples");
  content.resize(size);
  return create(id, std::move(content));
}

void WideDictionarySet::add(WideDictionaryRef dictionary) {
  if (find(dictionary->id()) == nullptr) all_.push_back(std::move(dictionary));
}

const WideDictionary* WideDictionarySet::find(std::uint32_t id) const {
  for (const WideDictionaryRef& dictionary : all_)
    if (dictionary->id() == id) return dictionary.get();
  return nullptr;
}

WideEncoder::WideEncoder() : context_(ZSTD_createCCtx()) {
  COPPICE_ASSERT(context_ != nullptr);
  ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context_, ZSTD_c_contentSizeFlag, 0);  // the chunk's header knows it
  ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 0);     // as does it the checksum
  ZSTD_CCtx_setParameter(context_, ZSTD_c_dictIDFlag, 0);
}

WideEncoder::~WideEncoder() {
  ZSTD_freeCCtx(context_);
}

WideCompression WideEncoder::encode(ByteView raw, const WideDictionary* dictionary,
                                    ByteBuffer& to) {
  const std::size_t at = to.size();
  to.resize(at + ZSTD_compressBound(raw.size()));
  ZSTD_CCtx_refCDict(context_, dictionary == nullptr ? nullptr : dictionary->digests_->encode);
  const std::size_t size =
      ZSTD_compress2(context_, to.data() + at, to.size() - at, raw.data(), raw.size());
  if (ZSTD_isError(size) != 0 || size >= raw.size()) {
    to.resize(at);
    append(to, raw);
    return WideCompression::kPlain;
  }
  to.resize(at + size);
  return dictionary == nullptr ? WideCompression::kZstd : WideCompression::kZstdDictionary;
}

WideDecoder::WideDecoder() : context_(ZSTD_createDCtx()) {
  COPPICE_ASSERT(context_ != nullptr);
}

WideDecoder::~WideDecoder() {
  ZSTD_freeDCtx(context_);
}

bool WideDecoder::decode(WideCompression compression, ByteView from,
                         const WideDictionary* dictionary, MutableByteView to) {
  switch (compression) {
    case WideCompression::kPlain:
      if (from.size() != to.size()) return false;
      std::ranges::copy(from, to.begin());
      return true;
    case WideCompression::kZstd:
      return ZSTD_decompressDCtx(context_, to.data(), to.size(), from.data(), from.size()) ==
             to.size();
    case WideCompression::kZstdDictionary:
      return dictionary != nullptr &&
             ZSTD_decompress_usingDDict(context_, to.data(), to.size(), from.data(), from.size(),
                                        dictionary->digests_->decode) == to.size();
  }
  return false;
}

}  // namespace coppice::lsm
