// session_factory.h — opens sessions: who, which database, which settings.
//
// Threads:  any fiber.   Parks: where the catalog does.
// Errors:   28000, 3D000, 55000, 42704, 22023.
#pragma once

#include <memory>

#include "interfaces/session.h"
#include "kernel/fiber/sync.h"
#include "modules/session/services.h"

namespace coppice::session {

class SqlSessionFactory final : public SessionFactory {
 public:
  SqlSessionFactory(const SessionServices& services, Rng rng) : services_(services), rng_(rng) {}
  Result<std::unique_ptr<Session>> open(const SessionRequest& request) override;

 private:
  Rng fork_rng();

  const SessionServices services_;
  fiber::Mutex mutex_;  // guards rng_
  Rng rng_;
};

}  // namespace coppice::session
