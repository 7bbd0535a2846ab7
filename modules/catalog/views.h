// views.h — views of databases, made when first asked for and shared while they are true.
//
// Role:     all definitions of a namespace change together with the epoch of one of its tables, so
//           a view is found by (namespace, its epoch, the system's epoch) at the reader's snapshot.
//           A transaction that changed definitions itself gets a view of its own.
// Owns:     the views that it keeps, at most kViewsMax, the longest unused go first.
// Threads:  any.
// Parks:    where it reads rows. Errors: 3D000 when the database is gone; kCorruption.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <tuple>

#include "interfaces/storage_engine.h"
#include "kernel/fiber/sync.h"
#include "modules/catalog/namespace_view.h"

namespace coppice::catalog {

inline constexpr std::size_t kViewsMax = 1024;

class Views {
 public:
  Views(Engine& engine, const ComputedRelations& computed) : engine_(engine), computed_(computed) {}

  Result<NamespaceViewRef> at(const ReadView& view, NamespaceId ns);
  Result<std::shared_ptr<const SystemDefinitions>> system_at(const ReadView& view);

  std::size_t kept() const { return views_.size(); }  // for tests

 private:
  struct Key {
    NamespaceId ns;
    std::uint64_t epoch = 0, system_epoch = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  using Recent = std::list<std::pair<Key, NamespaceViewRef>>;  // most recently used first

  Result<NamespaceViewRef> read(const ReadView& view, NamespaceId ns,
                                std::shared_ptr<const SystemDefinitions> system);
  NamespaceViewRef find(const Key& key);
  NamespaceViewRef keep(const Key& key, NamespaceViewRef view);  // gives the one that is kept

  Engine& engine_;
  const ComputedRelations& computed_;
  fiber::Mutex mutex_;  // guards all below; never held across a read
  std::uint64_t last_version_ = 0;
  std::uint64_t system_epoch_ = 0;  // of system_
  std::shared_ptr<const SystemDefinitions> system_;
  Recent recent_;
  std::map<Key, Recent::iterator> views_;
};

}  // namespace coppice::catalog
