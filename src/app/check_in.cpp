#include "check_in.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <sstream>

#include "notes.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {
namespace {

using nlohmann::json;

std::string to_text(const Hello& h) {
  return json{{"error", h.error},     {"is_usage_error", h.is_usage_error},
              {"options", h.options}, {"name", h.name},
              {"host", h.host},       {"cpus_allowed", h.cpus_allowed}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Hello hello_of(const json& j) {
  return {j.at("error"), j.at("is_usage_error"), j.at("options"),
          j.at("name"),  j.at("host"),           j.at("cpus_allowed")};
}

/// The first line in which two option texts differ: "got X, want Y" with the line of each.
std::string difference(const std::string& got, const std::string& want) {
  std::istringstream a(got);
  std::istringstream b(want);
  for (std::string x, y;;) {
    const bool more_a = static_cast<bool>(std::getline(a, x));
    const bool more_b = static_cast<bool>(std::getline(b, y));
    if (!more_a && !more_b) return "got the same";
    if (!more_a) x = "nothing";
    if (!more_b) y = "nothing";
    if (x != y) return fmt::format("got {}, want {} as on rank 0", x, y);
  }
}

std::vector<std::string> judge(const std::vector<Hello>& ranks) {
  // The same error on many ranks is one line.
  std::vector<std::pair<std::string, std::vector<std::size_t>>> by_text;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    std::string text = ranks[r].error;
    if (text.empty() && ranks[0].error.empty() && ranks[r].options != ranks[0].options) {
      text = "options: " + difference(ranks[r].options, ranks[0].options) +
             " (all ranks must be started with the same options)";
    }
    if (text.empty()) continue;
    const auto same = std::find_if(by_text.begin(), by_text.end(),
                                   [&](const auto& entry) { return entry.first == text; });
    if (same != by_text.end()) {
      same->second.push_back(r);
    } else {
      by_text.push_back({text, {r}});
    }
  }
  std::vector<std::string> lines;
  for (const auto& [text, who] : by_text) {
    if (who.size() == ranks.size()) {
      lines.push_back(text);
    } else {
      const std::string others = who.size() > 1 ? fmt::format(" and {} more", who.size() - 1) : "";
      lines.push_back(
          fmt::format("{}{} on {}: {}", ranks[who[0]].name, others, ranks[who[0]].host, text));
    }
  }
  return lines;
}

/// 64 bits at random, so that no two runs have the same.
std::string make_run_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

/// The next note of `topic`; other messages are put aside.
Message wait_for(Endpoint& endpoint, Topic topic, double end_s, std::vector<Message>& early,
                 const std::string& what) {
  for (;;) {
    ODSGD_REQUIRE(now_s() < end_s, "start: {} (did it start, and are the ranks connected?)", what);
    auto message = endpoint.receive(std::chrono::milliseconds(5));
    if (!message) continue;
    const Header header = header_of(*message);
    if (header.kind == MessageKind::kNote && topic_of(*message) == topic)
      return std::move(*message);
    early.push_back(std::move(*message));
  }
}

void post_text(Endpoint& endpoint, int rank, Topic topic, const std::string& text) {
  post_note(endpoint, rank, make_note(endpoint.buffers(), topic, std::as_bytes(std::span(text))));
}

/// Sends what is still queued: nobody else drives the endpoint yet.
void flush(Endpoint& endpoint, double end_s, std::vector<Message>& early) {
  while (endpoint.unsent() > 0 && now_s() < end_s) {
    if (auto message = endpoint.receive(std::chrono::microseconds(100)))
      early.push_back(std::move(*message));
  }
}

}  // namespace

CheckIn check_in(Endpoint& endpoint, const Hello& hello, double timeout_s) {
  const double end_s = now_s() + timeout_s;
  CheckIn result;
  json verdict;
  if (endpoint.rank() == 0) {
    const auto size = static_cast<std::size_t>(endpoint.size());
    std::vector<std::optional<Hello>> heard(size);
    heard[0] = hello_of(json::parse(to_text(hello)));  // as the others come: all are compared
    for (std::size_t missing = size - 1; missing > 0; --missing) {
      const auto silent = std::find(heard.begin(), heard.end(), std::nullopt) - heard.begin();
      const Message note =
          wait_for(endpoint, Topic::kHello, end_s, result.early,
                   fmt::format("nothing heard from rank {} for {} s", silent, timeout_s));
      heard[static_cast<std::size_t>(note.source)] = hello_of(json::parse(text_of(note)));
    }
    for (auto& h : heard) result.ranks.push_back(std::move(*h));
    result.errors = judge(result.ranks);
    verdict["errors"] = result.errors;
    verdict["run_id"] = make_run_id();
    verdict["is_usage_error"] = std::any_of(result.ranks.begin(), result.ranks.end(),
                                            [](const Hello& h) { return h.is_usage_error; });
    for (const Hello& h : result.ranks) verdict["ranks"].push_back(json::parse(to_text(h)));
    const std::string text = verdict.dump(-1, ' ', false, json::error_handler_t::replace);
    for (int r = 1; r < endpoint.size(); ++r) post_text(endpoint, r, Topic::kVerdict, text);
  } else {
    post_text(endpoint, 0, Topic::kHello, to_text(hello));
    const Message note = wait_for(endpoint, Topic::kVerdict, end_s, result.early,
                                  fmt::format("nothing heard from rank 0 for {} s", timeout_s));
    verdict = json::parse(text_of(note));
    for (const json& h : verdict.at("ranks")) result.ranks.push_back(hello_of(h));
    result.errors = verdict.at("errors").get<std::vector<std::string>>();
  }
  result.is_usage_error = verdict.at("is_usage_error");
  result.run_id = verdict.at("run_id");
  flush(endpoint, end_s, result.early);
  return result;
}

}  // namespace odsgd
