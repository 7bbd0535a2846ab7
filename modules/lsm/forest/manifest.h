// manifest.h — Manifest: what the forest is made of, as one value and as bytes.
//
// Role:     tables with their definitions, the files of each tree, and how far into the log all of
//           that reaches. A restart takes the newest one and replays what the log has beyond it.
// Format:   docs/formats/manifest.md.
// Owns:     values only; no file is open here.
// Threads:  any.   Parks: never.
// Errors:   decoding: kCorruption, kUnsupportedVersion; never allocates by a false count.
#pragma once

#include <vector>

#include "modules/lsm/forest/tables.h"
#include "modules/lsm/forest/tree_file.h"
#include "modules/lsm/sstable/block_format.h"

namespace coppice::lsm {

inline constexpr std::uint64_t kManifestBytesMax = 256_MiB;

struct ManifestTable {
  TableRef table = {};
  TableKind kind = TableKind::kRows;
  Egid next_egid = 1;
  LogIndex flushed_through = {};  // of its tree: entries up to here are in the files below
  DefinitionVersions definitions;
  std::vector<FileReference> level0;  // newest first
  std::vector<FileReference> last;    // ascending
};

struct Manifest {
  std::uint64_t sequence = 0;   // one more with each that is written
  LogIndex known_through = {};  // definitions, epochs and egids are as of this entry
  LogIndex replay_from = {};    // entries up to here are in the files of every tree
  Hlc applied = Hlc::zero();    // commit timestamp of the last entry that any of this knows
  std::uint64_t next_file = 1;  // a number that no file has had
  Tables::NamespaceVersions namespaces;
  Tables::Epochs epochs;
  std::vector<ManifestTable> tables;  // by name
};

ByteBuffer encode_manifest(const Manifest& manifest);
Result<Manifest> decode_manifest(ByteView bytes, Verify verify = Verify::kChecksum);

}  // namespace coppice::lsm
