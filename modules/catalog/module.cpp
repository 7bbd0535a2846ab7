// module.cpp — wires the catalog into the kernel.
#include <algorithm>
#include <utility>

#include "kernel/core/inventory.h"
#include "modules/catalog/config.h"
#include "modules/catalog/pg_catalog/pg_catalog.h"
#include "modules/catalog/stored_catalog.h"

namespace coppice::catalog {
namespace {

class CatalogModule final : public Module {
 public:
  static constexpr std::string_view kName = "catalog";
  static constexpr std::string_view kSummary = "names, schemas and definitions; pg_catalog";
  using Config = CatalogConfig;
  using Needs = coppice::Needs<One<Engine>, One<TxnManager>, EveryKind<SqlPack>>;
  using Offers = coppice::Offers<Catalog>;

  static Result<std::unique_ptr<CatalogModule>> create(const CatalogConfig&, Deps<Needs> deps) {
    auto registry = std::make_unique<SqlRegistry>();
    auto packs = deps.all<SqlPack>();
    // Its arrays are made of the other packs' types.
    std::ranges::sort(packs, {}, [](const Instance<SqlPack>& pack) {
      return std::pair(pack.object->name() == "catalog", pack.object->name());
    });
    for (const Instance<SqlPack>& pack : packs) pack.object->add_types(*registry);
    for (const Instance<SqlPack>& pack : packs) pack.object->add_functions(*registry);
    return std::make_unique<CatalogModule>(std::move(registry), deps.get<Engine>(),
                                           deps.get<TxnManager>());
  }
  CatalogModule(std::unique_ptr<SqlRegistry> registry, Engine& engine, TxnManager& txns)
      : registry_(std::move(registry)),
        pg_catalog_(*registry_),
        catalog_(engine, txns, *registry_, pg_catalog_.relations()) {}

  void publish(Publish<Offers> to) { to.offer<Catalog>(catalog_); }
  Status start() override { return catalog_.start(); }

 private:
  std::unique_ptr<SqlRegistry> registry_;
  PgCatalog pg_catalog_;
  StoredCatalog catalog_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<CatalogModule>();
}

}  // namespace coppice::catalog
