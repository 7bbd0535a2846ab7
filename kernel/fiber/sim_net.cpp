// sim_net.cpp — two pipes make a connection.
#include "kernel/fiber/sim_net.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/sync.h"

namespace coppice::fiber {

namespace {

constexpr std::size_t kPipeBytes = 64 * 1024;  // written and not yet read
constexpr std::size_t kBacklog = 128;

std::unexpected<Error> closed_error() {
  return fail(Code::kUnavailable, "socket is closed");
}
std::unexpected<Error> reset_error() {
  return fail(Code::kUnavailable, "connection reset by peer");
}

void wake(ParkTicket& ticket) {
  if (ticket.fiber != nullptr) unpark(std::exchange(ticket, ParkTicket{}));
}

struct Start {
  TaskGroup* group;
  Options options;
  Entry entry;
};

// One direction of a connection.
class Pipe {
 public:
  explicit Pipe(SimNet& net) : net_(net) {}
  ~Pipe() {
    for (Segment& segment : travelling_)
      if (segment.armed()) net_.scheduler().timers().remove(segment);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // Bytes that fit, perhaps 0.
  std::size_t write(ByteView bytes) {
    std::size_t count = std::min(bytes.size(), kPipeBytes - used_);
    if (count > 1 && net_.scheduler().chance(net_.options().net_partial_chance))
      count = 1 + net_.scheduler().choose(count);
    if (count > 0) send(bytes.first(count), false);
    return count;
  }
  void finish() {
    if (!std::exchange(finished_, true)) send({}, true);
  }
  void reset() {
    reset_ = true;
    wake_reader();
    wake(writer_);
  }

  bool readable() const { return reset_ || ended_ || !arrived_.empty(); }
  bool is_reset() const { return reset_; }
  bool finished() const { return finished_; }
  std::size_t read(MutableByteView into) {
    std::size_t count = std::min(into.size(), arrived_.size());
    if (count > 1 && net_.scheduler().chance(net_.options().net_partial_chance))
      count = 1 + net_.scheduler().choose(count);
    const auto end = arrived_.begin() + static_cast<std::ptrdiff_t>(count);
    std::copy(arrived_.begin(), end, into.begin());
    arrived_.erase(arrived_.begin(), end);
    used_ -= count;
    wake(writer_);
    return count;
  }

  Status wait_readable(Deadline deadline) {
    reader_ = prepare_park();
    return wake_status(park(reader_, deadline));
  }
  Status wait_writable(Deadline deadline) {
    writer_ = prepare_park();
    return wake_status(park(writer_, deadline));
  }
  void start_when_readable(Start start) {
    COPPICE_ASSERT(!start_);
    start_.emplace(std::move(start));
    if (readable()) wake_reader();
  }
  void wake_reader() {
    wake(reader_);
    if (!start_) return;
    Start start = *std::exchange(start_, std::nullopt);
    start.group->spawn_added(start.options, std::move(start.entry));
  }

 private:
  struct Segment : Timer {  // on its way
    Pipe* pipe = nullptr;
    ByteBuffer bytes;
    bool end = false;
  };

  void send(ByteView bytes, bool end) {
    used_ += bytes.size();
    Segment& segment = travelling_.emplace_back();
    last_arrival_ = std::max(last_arrival_, net_.scheduler().clock().now() + net_.random_delay());
    segment.at = last_arrival_;
    segment.fire = [](Timer& timer) {
      Segment& self = static_cast<Segment&>(timer);
      self.pipe->arrive(self);
    };
    segment.pipe = this;
    segment.bytes.assign(bytes.begin(), bytes.end());
    segment.end = end;
    net_.scheduler().timers().add(segment);
  }
  void arrive(Segment& segment) {
    COPPICE_ASSERT(&segment == &travelling_.front());  // due times only grow
    arrived_.insert(arrived_.end(), segment.bytes.begin(), segment.bytes.end());
    ended_ = ended_ || segment.end;
    net_.scheduler().trace(segment.bytes.size());
    travelling_.pop_front();
    wake_reader();
  }

  SimNet& net_;
  std::deque<Segment> travelling_;
  std::deque<std::byte> arrived_;
  std::size_t used_ = 0;
  bool finished_ = false;  // the writer said so
  bool ended_ = false;     // … and the reader knows
  bool reset_ = false;
  Instant last_arrival_{0};
  ParkTicket reader_;
  ParkTicket writer_;
  std::optional<Start> start_;
};

struct Connection {
  explicit Connection(SimNet& net) : to_server(net), to_client(net) {}
  Pipe to_server;
  Pipe to_client;
};

class SimSocket final : public Socket {
 public:
  SimSocket(SimNet& net, std::shared_ptr<Connection> connection, bool client, std::string local,
            std::string peer)
      : net_(net),
        connection_(std::move(connection)),
        in_(client ? connection_->to_client : connection_->to_server),
        out_(client ? connection_->to_server : connection_->to_client),
        local_(std::move(local)),
        peer_(std::move(peer)) {}
  ~SimSocket() override { close(); }

  Result<std::size_t> read(MutableByteView into, Deadline deadline) override {
    COPPICE_ASSERT(!into.empty());
    while (!closed_ && !shut_ && !in_.readable()) COPPICE_TRY(in_.wait_readable(deadline));
    if (closed_) return closed_error();
    if (in_.is_reset()) return reset_error();
    return in_.read(into);  // nothing there: the end of the stream
  }

  Status write_all(std::span<const ByteView> parts, Deadline deadline) override {
    for (ByteView part : parts)
      while (!part.empty()) {
        const std::size_t sent = COPPICE_TRY(try_write(part));
        part = part.subspan(sent);
        if (sent == 0) COPPICE_TRY(out_.wait_writable(deadline));
      }
    return {};
  }

  Result<std::size_t> try_write(ByteView bytes) override {
    if (closed_ || out_.finished()) return closed_error();
    if (!out_.is_reset() && net_.scheduler().chance(net_.options().net_reset_chance)) {
      in_.reset();
      out_.reset();
    }
    if (out_.is_reset()) return reset_error();
    return out_.write(bytes);
  }

  void spawn_when_readable(TaskGroup& group, Options options, Entry entry) override {
    group.add();
    in_.start_when_readable({&group, options, std::move(entry)});
    if (closed_ || shut_) in_.wake_reader();
  }

  void shutdown_write() override { out_.finish(); }
  void shutdown() override {
    shut_ = true;
    out_.finish();
    in_.wake_reader();
  }
  void close() override {
    if (std::exchange(closed_, true)) return;
    out_.finish();
    in_.reset();  // whatever the peer still writes has no reader
  }
  std::string local_endpoint() const override { return local_; }
  std::string peer_endpoint() const override { return peer_; }

 private:
  SimNet& net_;
  const std::shared_ptr<Connection> connection_;
  Pipe& in_;
  Pipe& out_;
  bool closed_ = false;
  bool shut_ = false;
  const std::string local_;
  const std::string peer_;
};

std::string endpoint(std::uint16_t port) {
  return "sim:" + std::to_string(port);
}

}  // namespace

class SimListener final : public Listener {
 public:
  SimListener(SimNet& net, std::uint16_t port) : net_(net), port_(port) {}
  ~SimListener() override { close(); }

  Result<std::unique_ptr<Socket>> accept(Deadline deadline) override {
    std::optional<std::unique_ptr<Socket>> socket = COPPICE_TRY(waiting_.receive(deadline));
    if (!socket) return closed_error();
    return *std::move(socket);
  }
  void close() override {
    if (std::exchange(closed_, true)) return;
    net_.forget(port_);
    waiting_.close();
  }
  std::uint16_t port() const override { return port_; }
  std::string local_endpoint() const override { return endpoint(port_); }

  bool offer(std::unique_ptr<Socket> socket) { return waiting_.try_send(socket); }

 private:
  SimNet& net_;
  const std::uint16_t port_;
  bool closed_ = false;
  Channel<std::unique_ptr<Socket>> waiting_{kBacklog};
};

Duration SimNet::random_delay() {
  const auto limit = options_.net_delay_max.count();
  return Duration(limit > 0 ? static_cast<Duration::rep>(
                                  scheduler_.rng().below(static_cast<std::uint64_t>(limit) + 1))
                            : 0);
}

Result<std::unique_ptr<Listener>> SimNet::listen(std::string_view, std::uint16_t port) {
  while (port == 0 || (port >= kFirstPort && listeners_.contains(port))) port = next_port_++;
  if (listeners_.contains(port))
    return fail(Code::kUnavailable, "binding " + endpoint(port) + ": address already in use");
  auto listener = std::make_unique<SimListener>(*this, port);
  listeners_[port] = listener.get();
  return listener;
}

Result<std::unique_ptr<Socket>> SimNet::connect(std::string_view, std::uint16_t port,
                                                Deadline deadline) {
  const Instant arrival = clock().now() + random_delay();
  if (arrival > deadline) {
    COPPICE_TRY(sleep_until(deadline));
    return fail(Code::kDeadlineExceeded, "deadline exceeded");
  }
  COPPICE_TRY(sleep_until(arrival));
  const auto found = listeners_.find(port);
  auto connection = std::make_shared<Connection>(*this);
  const std::string client = endpoint(next_port_++);
  if (found == listeners_.end() || !found->second->offer(std::make_unique<SimSocket>(
                                       *this, connection, false, endpoint(port), client)))
    return fail(Code::kUnavailable, "connecting to " + endpoint(port) + ": connection refused");
  return std::make_unique<SimSocket>(*this, std::move(connection), true, client, endpoint(port));
}

}  // namespace coppice::fiber
