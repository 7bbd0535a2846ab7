#include "modules/lsm/forest/manifest.h"

#include "kernel/base/checksum.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {
namespace {

constexpr std::uint64_t kMagic = 0x464e4d5050504f43;  // "COPPPMNF"
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kTableBytesMin = 9;
constexpr std::size_t kReferenceBytesMin = 4;
constexpr std::size_t kVersionBytesMin = 2;

std::unexpected<Error> corrupt(std::string_view what) {
  return fail(Code::kCorruption, "manifest: " + std::string(what));
}

// --- writing ------------------------------------------------------------------------------------

void write_references(const std::vector<FileReference>& files, ByteWriter& to) {
  to.varint(files.size());
  for (const FileReference& file : files) {
    to.varint(file.file);
    to.varint(file.offset);
    to.varint(file.length);
    to.u8(0);  // no clip, no cap: what splits and branches will need
  }
}

void write_table(const ManifestTable& table, ByteWriter& to) {
  write_table_ref(table.table, to);
  to.u8(static_cast<std::uint8_t>(table.kind));
  to.varint(table.next_egid);
  to.varint(table.flushed_through.value);
  to.varint(table.definitions.size());
  for (const DefinitionVersion& version : table.definitions) {
    to.varint(version.at.value);
    to.u8(version.definition == nullptr ? 0 : 1);
    if (version.definition != nullptr) write_definition(*version.definition, to);
  }
  write_references(table.level0, to);
  write_references(table.last, to);
}

// --- reading ------------------------------------------------------------------------------------

Hlc read_hlc(ByteReader& from) {
  const Hlc at{from.varint()};
  if (at > Hlc::max()) from.fail();
  return at;
}

void read_references(ByteReader& from, std::vector<FileReference>& to) {
  const std::uint64_t count = from.count(kReferenceBytesMin);
  for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
    FileReference file;
    file.file = from.varint();
    file.offset = from.varint();
    file.length = from.varint();
    if (file.file == 0 || file.length == 0 || file.offset > UINT64_MAX - file.length ||
        from.u8() != 0)
      from.fail();
    to.push_back(file);
  }
}

void read_definitions(ByteReader& from, ManifestTable& table) {
  const std::uint64_t count = from.count(kVersionBytesMin);
  for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
    DefinitionVersion version{read_hlc(from), nullptr};
    if (!table.definitions.empty() && version.at < table.definitions.back().at) from.fail();
    if (from.u8() != 0) {
      auto definition = read_definition(from);
      if (!definition || definition->table != table.table || definition->kind != table.kind) {
        from.fail();
        return;
      }
      version.definition = std::make_shared<const TableDefinition>(*std::move(definition));
    }
    table.definitions.push_back(std::move(version));
  }
}

ManifestTable read_table(ByteReader& from) {
  ManifestTable table;
  table.table = read_table_ref(from);
  const std::uint8_t kind = from.u8();
  if (kind > static_cast<std::uint8_t>(TableKind::kUnique)) from.fail();
  table.kind = static_cast<TableKind>(kind);
  table.next_egid = from.varint();
  table.flushed_through = {from.varint()};
  read_definitions(from, table);
  read_references(from, table.level0);
  read_references(from, table.last);
  return table;
}

void read_namespaces(ByteReader& from, Manifest& to) {
  const std::uint64_t count = from.count(kVersionBytesMin);
  for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
    const std::uint64_t ns = from.varint();
    if (ns > UINT32_MAX) from.fail();
    auto& versions = to.namespaces[NamespaceId{static_cast<std::uint32_t>(ns)}];
    const std::uint64_t changes = from.count(kVersionBytesMin);
    for (std::uint64_t j = 0; j < changes && from.ok(); ++j) {
      const Hlc at = read_hlc(from);
      versions.push_back({at, from.u8() != 0});
    }
  }
}

void read_epochs(ByteReader& from, Manifest& to) {
  const std::uint64_t count = from.count(kVersionBytesMin + 1);
  for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
    auto& epochs = to.epochs[read_table_ref(from)];
    const std::uint64_t advances = from.count(1);
    for (std::uint64_t j = 0; j < advances && from.ok(); ++j) epochs.push_back(read_hlc(from));
  }
}

}  // namespace

ByteBuffer encode_manifest(const Manifest& manifest) {
  ByteBuffer bytes;
  ByteWriter out(bytes);
  out.u64(0);  // checksum
  out.u64(kMagic);
  out.u32(kVersion);
  out.varint(manifest.sequence);
  out.varint(manifest.known_through.value);
  out.varint(manifest.replay_from.value);
  out.varint(manifest.applied.value);
  out.varint(manifest.next_file);
  out.varint(manifest.namespaces.size());
  for (const auto& [ns, versions] : manifest.namespaces) {
    out.varint(ns.value);
    out.varint(versions.size());
    for (const auto& version : versions) {
      out.varint(version.at.value);
      out.u8(version.exists ? 1 : 0);
    }
  }
  out.varint(manifest.epochs.size());
  for (const auto& [table, epochs] : manifest.epochs) {
    write_table_ref(table, out);
    out.varint(epochs.size());
    for (const Hlc at : epochs) out.varint(at.value);
  }
  out.varint(manifest.tables.size());
  for (const ManifestTable& table : manifest.tables) write_table(table, out);
  store_le(bytes.data(), xxh3_64(ByteView(bytes).subspan(kChecksumBytes)));
  return bytes;
}

Result<Manifest> decode_manifest(ByteView bytes, Verify verify) {
  ByteReader in(bytes);
  const std::uint64_t checksum = in.u64();
  if (!in.ok() || in.u64() != kMagic) return corrupt("not a manifest");
  if (verify == Verify::kChecksum && checksum != xxh3_64(bytes.subspan(kChecksumBytes)))
    return corrupt("checksum mismatch");
  const std::uint32_t version = in.u32();
  if (version != kVersion)
    return fail(Code::kUnsupportedVersion, "manifest of version " + std::to_string(version));
  Manifest manifest;
  manifest.sequence = in.varint();
  manifest.known_through = {in.varint()};
  manifest.replay_from = {in.varint()};
  manifest.applied = read_hlc(in);
  manifest.next_file = in.varint();
  if (manifest.replay_from > manifest.known_through) in.fail();
  read_namespaces(in, manifest);
  read_epochs(in, manifest);
  const std::uint64_t tables = in.count(kTableBytesMin);
  for (std::uint64_t i = 0; i < tables && in.ok(); ++i) {
    manifest.tables.push_back(read_table(in));
    if (i > 0 && manifest.tables[i].table <= manifest.tables[i - 1].table) in.fail();
  }
  if (!in.done()) return corrupt("does not parse");
  return manifest;
}

}  // namespace coppice::lsm
