// usage_board.cpp — slots and rows.
#include "modules/session/usage_board.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "modules/session/copy_text.h"

namespace coppice::session {

namespace {

void append_row(const std::vector<std::string>& fields, std::string& out) {
  std::vector<std::optional<std::string_view>> views(fields.begin(), fields.end());
  append_copy_line(views, "\t", "\\N", out);
}

// Not within a character.
std::size_t cut(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text.size();
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return bytes;
}

}  // namespace

void UsageSlot::answer_for(Session* session) {
  const std::lock_guard guard(lock_);
  session_ = session;
}

void UsageSlot::cancel() {
  const std::lock_guard guard(lock_);
  if (session_ != nullptr) session_->cancel();
}

void UsageSlot::begin(std::string_view text, WallTime now) {
  const std::size_t bytes = cut(text, kTextBytesMax);
  const std::lock_guard guard(lock_);
  std::memcpy(figures_.text.data(), text.data(), bytes);
  figures_.text_bytes = bytes;
  figures_.running = true;
  figures_.started = now;
  figures_.used = {};
  figures_.memory_peak = 0;
  ++figures_.statements;
}

void UsageSlot::add(StatementScope& scope) {
  const std::uint64_t peak = scope.budget().peak();
  const std::lock_guard guard(lock_);
  for (std::size_t i = 0; i < kResourceCount; ++i)
    figures_.used[i] += scope.meter().used(static_cast<Resource>(i));
  figures_.memory_peak = std::max(figures_.memory_peak, peak);
}

void UsageSlot::end(WallTime now) {
  const std::lock_guard guard(lock_);
  figures_.running = false;
  figures_.ended = now;
}

UsageSlot::Figures UsageSlot::figures() const {
  const std::lock_guard guard(lock_);
  return figures_;
}

bool UsageBoard::cancel(TenantId tenant, std::uint32_t process) {
  bool found = false;
  const fiber::MutexGuard guard(mutex_);
  for (const auto& [number, weak] : slots_) {
    const std::shared_ptr<UsageSlot> slot = weak.lock();
    if (slot == nullptr || slot->tenant() != tenant || slot->process() != process) continue;
    slot->cancel();
    found = true;
  }
  return found;
}

std::shared_ptr<UsageSlot> UsageBoard::open(std::uint32_t process, TenantId tenant,
                                            std::string user, std::string client) {
  const fiber::MutexGuard guard(mutex_);
  auto slot = std::make_shared<UsageSlot>(process, tenant, std::move(user), std::move(client));
  // Ended ones are met in turn, a few at each opening.
  auto at = slots_.begin();
  for (int looked = 0; looked < 4 && at != slots_.end(); ++looked)
    at = at->second.expired() ? slots_.erase(at) : std::next(at);
  slots_.emplace(next_++, slot);
  return slot;
}

std::string UsageBoard::rows(TenantId tenant, WallTime now) const {
  std::vector<std::shared_ptr<UsageSlot>> slots;
  {
    const fiber::MutexGuard guard(mutex_);
    for (auto at = slots_.begin(); at != slots_.end();) {
      std::shared_ptr<UsageSlot> slot = at->second.lock();
      if (slot == nullptr) {
        at = slots_.erase(at);
        continue;
      }
      if (slot->tenant() == tenant) slots.push_back(std::move(slot));
      ++at;
    }
  }
  std::string text;
  for (const std::shared_ptr<UsageSlot>& slot : slots) {
    const UsageSlot::Figures figures = slot->figures();
    const WallTime until = figures.running ? now : figures.ended;
    std::vector<std::string> fields = {
        std::to_string(slot->process()),
        slot->user(),
        slot->client(),
        figures.running ? "active" : "idle",
        std::string(figures.text.data(), figures.text_bytes),
        std::to_string(figures.started.us),
        std::to_string(std::max<std::int64_t>(0, until.us - figures.started.us))};
    for (const std::uint64_t used : figures.used) fields.push_back(std::to_string(used));
    fields.push_back(std::to_string(figures.memory_peak));
    fields.push_back(std::to_string(figures.statements));
    append_row(fields, text);
  }
  return text;
}

std::string tenant_rows(const Metering& metering, TenantId tenant, std::string_view database) {
  std::string text;
  const std::vector<TenantUsage> all = metering.usage();
  for (const TenantUsage& usage : all) {
    if (usage.tenant != tenant) continue;
    std::vector<std::string> fields = {std::string(database)};
    for (const std::uint64_t used : usage.used) fields.push_back(std::to_string(used));
    append_row(fields, text);
  }
  return text;
}

}  // namespace coppice::session
