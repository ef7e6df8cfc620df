#include "options.hpp"

#include <fmt/format.h>

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

std::vector<std::pair<std::string, OptionValue>> list_options(const TrainOptions& o) {
  std::vector<std::pair<std::string, OptionValue>> list{
      {"data", o.data},
      {"output", o.output},
      {"model", o.model},
      {"algorithm", o.algorithm},
      {"device", o.device},
      {"threads", std::int64_t{o.threads}},
      {"exchange", o.exchange},
      {"servers", o.servers},
      {"server-threads", std::int64_t{o.server_threads}},
      {"push-dtype", o.push_dtype},
      {"priority", o.priority},
      {"timeout", o.timeout},
      {"batch-per-worker", std::int64_t{o.batch_per_worker}},
      {"epochs", std::int64_t{o.epochs}},
      {"seed", static_cast<std::int64_t>(o.seed)},
      {"lr", o.lr},
      {"momentum", o.momentum},
      {"weight-decay", o.weight_decay},
      {"local-rule", o.local_rule},
      {"local-lr", o.local_lr.value_or(o.lr)},
      {"local-momentum", o.local_momentum.value_or(o.momentum)},
      {"warmup-steps", std::int64_t{o.warmup_steps}},
      {"log-every", std::int64_t{o.log_every}},
      {"log-steps", std::int64_t{o.log_steps}},
      {"save-weights", o.save_weights},
      {"progress", o.progress},
      {"inject-delay-us", std::int64_t{o.inject_delay_us}},
  };
  if (o.message_kib) list.insert(list.begin() + 9, {"message-kib", std::int64_t{*o.message_kib}});
  if (o.workers) list.insert(list.begin() + 8, {"workers", std::int64_t{*o.workers}});
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
