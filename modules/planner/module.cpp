// module.cpp — wires the planner into the kernel.
#include "kernel/core/inventory.h"
#include "modules/planner/config.h"
#include "modules/planner/parse/parser.h"
#include "modules/planner/sql_planner.h"

namespace coppice::planner {
namespace {

class PlannerModule final : public Module {
 public:
  static constexpr std::string_view kName = "planner";
  static constexpr std::string_view kSummary = "parses, binds and plans SQL";
  using Config = PlannerConfig;
  using Needs = coppice::Needs<One<Catalog>>;
  using Offers = coppice::Offers<Planner>;

  static Result<std::unique_ptr<PlannerModule>> create(const PlannerConfig&, Deps<Needs> deps) {
    return std::make_unique<PlannerModule>(deps.get<Catalog>().registry());
  }
  explicit PlannerModule(const SqlRegistry& registry) : planner_(registry) {}

  void publish(Publish<Offers> to) { to.offer<Planner>(planner_); }
  Status start() override { return parser_self_test(); }

 private:
  SqlPlanner planner_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<PlannerModule>();
}

}  // namespace coppice::planner
