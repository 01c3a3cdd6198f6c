// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/run/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>

#include "tilewright/sweep/run/solve.h"

namespace tilewright {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe");
    }
    read = PipeEnd(ends[0]);
    write = PipeEnd(ends[1]);
  }
  PipeEnd read;
  PipeEnd write;
};

// False if the other end is gone.
bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool read_all(int file, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = read(file, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

template <typename Number>
std::string_view bytes_of(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// The life of a worker: numbers of problems in, rows out, each after its length.
[[noreturn]] void work(const SweepPlan& plan, int in, int out, std::uint64_t most_memory) {
  // Ctrl-C is for the process that stores; if that one dies, so does this one.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (most_memory > 0) {
    const rlimit limit{most_memory, most_memory};
    setrlimit(RLIMIT_AS, &limit);
  }
  SweepSolver solver(plan);
  std::uint64_t number = 0;
  while (read_all(in, reinterpret_cast<char*>(&number), sizeof number)) {
    const Row row = solver.solve(number);
    const std::string bytes = rows_to_bytes(std::span(&row, 1));
    const std::uint64_t size = bytes.size();
    if (!write_all(out, std::string(bytes_of(size)) + bytes)) break;
  }
  _exit(0);
}

// How a process ended, in words.
std::string ending_text(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("its process was ended by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  }
  return fmt::format("its process ended with code {}", WEXITSTATUS(status));
}

}  // namespace

PipeEnd::~PipeEnd() {
  if (number_ >= 0) close(number_);
}

Worker::Worker(const SweepPlan& plan, std::uint64_t most_memory) {
  Pipe tasks;
  Pipe rows;
  process_ = fork();
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process_ == 0) {
    tasks.write = PipeEnd();
    rows.read = PipeEnd();
    work(plan, tasks.read.number(), rows.write.number(), most_memory);
  }
  tasks_ = std::move(tasks.write);
  rows_ = std::move(rows.read);
  fcntl(rows_.number(), F_SETFL, O_NONBLOCK);
}

Worker::~Worker() {
  kill();
  end();
}

double Worker::seconds_at_problem() const {
  if (problems_.empty()) return 0;
  return std::chrono::duration<double>(Clock::now() - begun_).count();
}

void Worker::give(const std::vector<std::uint64_t>& numbers) {
  if (problems_.empty()) begun_ = Clock::now();
  problems_.insert(problems_.end(), numbers.begin(), numbers.end());
  std::string bytes;
  for (const std::uint64_t number : numbers) bytes += bytes_of(number);
  // If it is gone, `take_rows` will say so.
  write_all(tasks_.number(), bytes);
}

bool Worker::take_rows(const std::function<void(std::uint64_t number, Row row)>& take) {
  buffer_.resize(1 << 16);
  while (true) {
    const ssize_t count = read(rows_.number(), buffer_.data(), buffer_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return true;
    if (count == 0) return false;
    arrived_.append(buffer_.data(), static_cast<std::size_t>(count));
    std::uint64_t size = 0;
    while (arrived_.size() >= sizeof size) {
      std::memcpy(&size, arrived_.data(), sizeof size);
      if (arrived_.size() < sizeof size + size) break;
      std::vector<Row> rows = rows_from_bytes(std::string_view(arrived_).substr(sizeof size, size));
      const std::uint64_t number = problems_.front();
      problems_.pop_front();
      begun_ = Clock::now();
      take(number, std::move(rows.front()));
      arrived_.erase(0, sizeof size + size);
    }
  }
}

void Worker::kill() const {
  if (process_ > 0) ::kill(process_, SIGKILL);
}

std::string Worker::end() {
  if (process_ <= 0) return "";
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  return ending_text(status);
}

}  // namespace tilewright
