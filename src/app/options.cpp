#include "options.hpp"

#include <fmt/format.h>

#include <utility>

namespace odsgd {
namespace {

std::string to_toml(const std::string& value) {
  std::string quoted = "\"";
  for (const char c : value) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {  // a control character
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string to_toml(bool value) { return value ? "true" : "false"; }

std::string to_toml(std::int64_t value) { return fmt::to_string(value); }

/// The shortest text that reads back as the same number, with a point so that it is a TOML float.
std::string to_toml(double value) {
  std::string digits = fmt::format("{}", value);
  if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
  return digits;
}

}  // namespace

OptionList list_options(const TrainOptions& o) {
  OptionList list{{"data", o.data},
                  {"output", o.output},
                  {"model", o.model},
                  {"device", o.device},
                  {"threads", std::int64_t{o.threads}},
                  {"exchange", o.exchange},
                  {"servers", o.servers}};
  if (o.workers) list.emplace_back("workers", std::int64_t{*o.workers});
  list.emplace_back("server-threads", std::int64_t{o.server_threads});
  if (o.message_kib) list.emplace_back("message-kib", std::int64_t{*o.message_kib});
  list.emplace_back("push-dtype", o.push_dtype);
  list.emplace_back("priority", o.priority);
  list.emplace_back("timeout", o.timeout);
  list.emplace_back("batch-per-worker", std::int64_t{o.batch_per_worker});
  list.emplace_back("epochs", std::int64_t{o.epochs});
  list.emplace_back("seed", static_cast<std::int64_t>(o.seed));
  list.emplace_back("label-smoothing", o.label_smoothing);
  for (auto& option : list_update_options(o)) list.push_back(std::move(option));
  list.emplace_back("log-every", std::int64_t{o.log_every});
  list.emplace_back("log-steps", std::int64_t{o.log_steps});
  list.emplace_back("save-weights", o.save_weights);
  list.emplace_back("progress", o.progress);
  list.emplace_back("inject-delay-us", std::int64_t{o.inject_delay_us});
  if (!o.trace.empty()) list.emplace_back("trace", o.trace);
  if (o.compute_ms) {
    list.emplace_back("compute-ms", *o.compute_ms);
    list.emplace_back("compute-jitter", o.compute_jitter.value_or(0));
  }
  return list;
}

std::string to_toml(const TrainOptions& options) {
  std::string toml;
  for (const auto& [name, value] : list_options(options)) {
    toml += name + " = " + std::visit([](const auto& v) { return to_toml(v); }, value) + "\n";
  }
  return toml;
}

}  // namespace odsgd
