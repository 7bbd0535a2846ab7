// database_uses.h — who is connected to which database, so that none is dropped under a session.
//
// Threads:  any. Parks: never for long.
#pragma once

#include <map>
#include <memory>

#include "interfaces/catalog.h"
#include "kernel/base/spin_lock.h"

namespace coppice::catalog {

class DatabaseUses {
 public:
  // Counted until the last copy goes; it may outlive this object. Null while the database is being
  // dropped.
  std::shared_ptr<const void> hold(Oid database);

  // Keeps hold() from succeeding until end_drop(). False, and nothing done, while somebody holds
  // it; `users` says how many.
  bool begin_drop(Oid database, std::size_t& users);
  void end_drop(Oid database);

 private:
  struct Counts {
    SpinLock lock;  // guards what follows
    struct Use {
      std::size_t holders = 0;
      bool dropping = false;
    };
    std::map<Oid, Use> uses;
    void forget_if_unused(Oid database);
  };
  std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace coppice::catalog
