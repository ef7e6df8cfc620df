#include "columns.hpp"

#include <utility>

namespace odsgd {
namespace {

template <class Row, class T>
Column<Row> column(T Row::*member, ColumnSpec spec) {
  return {[member](const Row& row) { return Cell(row.*member); },
          [member](Row& row, const Cell& cell) { row.*member = std::get<T>(cell); },
          std::move(spec)};
}

template <class Row>
Column<Row> integer(std::int64_t Row::*member, std::string name, std::string units,
                    std::string description) {
  return column(member, {std::move(name), std::move(units), std::move(description),
                         ColumnSpec::Type::kInteger, false});
}

template <class Row>
Column<Row> real(double Row::*member, std::string name, std::string units,
                 std::string description) {
  return column(member, {std::move(name), std::move(units), std::move(description),
                         ColumnSpec::Type::kReal, false});
}

template <class Row>
Column<Row> measured(Column<Row> column) {
  column.spec.is_measured = true;
  return column;
}

/// A column that older logs may not have.
template <class Row>
Column<Row> later(Column<Row> column) {
  column.spec.is_later = true;
  return column;
}

/// The columns of what a worker's time goes into, in an epoch or a step.
template <class Row>
std::vector<Column<Row>> time_columns() {
  return {
      measured(real(&Row::seconds, "seconds", "s", "all of it")),
      measured(real(&Row::compute, "compute", "s",
                    "forward and backward passes; on a server the update rule")),
      measured(later(real(&Row::input, "input", "s", "waiting for the batch"))),
      measured(real(&Row::wait, "wait", "s",
                    "exposed communication: computing stood still for the exchange")),
      measured(real(&Row::local_update, "local_update", "s",
                    "changing the local weights without the servers")),
      measured(later(real(&Row::post, "post", "s", "handing pushes and pulls to the transport"))),
      measured(later(real(&Row::push, "push", "s", "at least one push was under way"))),
      measured(later(real(&Row::pull, "pull", "s", "at least one pull was under way"))),
      measured(real(&Row::in_flight, "in_flight", "s",
                    "communication: at least one push or pull was under way")),
  };
}

/// Three columns of an OverlapRow.
void add_spread(std::vector<Column<OverlapRow>>& list, Spread OverlapRow::*spread,
                const std::string& name, const std::string& units, const std::string& description) {
  const auto add = [&](double Spread::*which, const char* suffix, const char* adjective) {
    list.push_back(
        {[=](const OverlapRow& row) { return Cell(row.*spread.*which); },
         [=](OverlapRow& row, const Cell& cell) { row.*spread.*which = std::get<double>(cell); },
         {name + suffix, units, std::string(adjective) + " over the workers: " + description,
          ColumnSpec::Type::kReal, true}});
  };
  add(&Spread::min, "_min", "smallest");
  add(&Spread::mean, "_mean", "mean");
  add(&Spread::max, "_max", "largest");
}

}  // namespace

template <>
std::vector<Column<TrainRow>> columns() {
  using R = TrainRow;
  return {
      integer(&R::step, "step", "steps", "steps done"),
      real(&R::epoch, "epoch", "epochs", "passes over the training data done"),
      real(&R::loss, "loss", "nats", "mean loss over the samples of the logging interval"),
      real(&R::accuracy, "accuracy", "1", "share of the interval's samples classified right"),
      real(&R::lr, "lr", "1", "learning rate of the interval's last step"),
      later(
          real(&R::local_lr, "local_lr", "1", "that of the local update; NaN: the rule has none")),
      integer(&R::samples, "samples", "images", "trained on since the start by all workers"),
      measured(
          real(&R::seconds, "seconds", "s", "training time since the start, without evaluations")),
      measured(real(&R::images_per_s, "images_per_s", "images/s",
                    "all workers together, in the logging interval")),
  };
}

template <>
std::vector<Column<EvalRow>> columns() {
  using R = EvalRow;
  return {
      integer(&R::epoch, "epoch", "epochs", "epochs done"),
      integer(&R::step, "step", "steps", "steps done: the clock of the weights"),
      real(&R::loss, "loss", "nats", "mean loss over the test set, global weights"),
      real(&R::top1, "top1", "1", "share of the test set whose label has the highest score"),
      real(&R::top5, "top5", "1", "share of the test set whose label is among the five highest"),
      integer(&R::samples, "samples", "images", "evaluated, each exactly once"),
      measured(real(&R::seconds, "seconds", "s", "time that the evaluation took")),
  };
}

template <>
std::vector<Column<StepRow>> columns() {
  using R = StepRow;
  std::vector<Column<R>> list{integer(&R::step, "step", "steps", "number of the step, from 1"),
                              integer(&R::rank, "rank", "1", "rank of the worker")};
  for (Column<R>& column : time_columns<R>()) list.push_back(std::move(column));
  return list;
}

template <>
std::vector<Column<TimingRow>> columns() {
  using R = TimingRow;
  std::vector<Column<R>> list{integer(&R::epoch, "epoch", "epochs", "number of the epoch, from 1"),
                              integer(&R::rank, "rank", "1", "rank of the process"),
                              integer(&R::role, "role", "1", "0: server, 1: worker"),
                              integer(&R::index, "index", "1", "number of the worker or server"),
                              later(integer(&R::steps, "steps", "steps", "of the epoch"))};
  for (Column<R>& column : time_columns<R>()) list.push_back(std::move(column));
  const std::vector<Column<R>> more{
      measured(real(&R::other, "other", "s", "the rest of the epoch")),
      later(integer(&R::measured_steps, "measured_steps", "steps",
                    "of the epoch, without the first steps of the run")),
      measured(later(real(&R::measured_wait, "measured_wait", "s", "wait in measured_steps"))),
      measured(later(
          real(&R::measured_in_flight, "measured_in_flight", "s", "in_flight in measured_steps"))),
      measured(real(&R::hidden_share, "hidden_share", "1",
                    "share of communication during which computing went on: "
                    "1 - measured_wait / measured_in_flight")),
      measured(later(real(&R::progress_cpu, "progress_cpu", "s",
                          "processor time of the thread that moves messages"))),
      integer(&R::bytes_pushed, "bytes_pushed", "bytes", "content of gradients sent"),
      integer(&R::bytes_pulled, "bytes_pulled", "bytes", "content of weights received"),
      measured(integer(&R::peak_memory_bytes, "peak_memory_bytes", "bytes",
                       "largest resident memory of the process so far")),
  };
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

template <>
std::vector<Column<OverlapRow>> columns() {
  using R = OverlapRow;
  std::vector<Column<R>> list{integer(&R::epoch, "epoch", "epochs", "number of the epoch, from 1")};
  add_spread(list, &R::step, "step", "s", "time of a step");
  add_spread(list, &R::compute, "compute", "s", "computing in a step");
  add_spread(list, &R::wait, "wait", "s", "exposed communication in a step");
  add_spread(list, &R::local_update, "local_update", "s", "local update in a step");
  add_spread(list, &R::push, "push", "s", "pushes under way in a step");
  add_spread(list, &R::pull, "pull", "s", "pulls under way in a step");
  add_spread(list, &R::in_flight, "in_flight", "s", "communication in a step");
  add_spread(list, &R::hidden_share, "hidden_share", "1", "hidden share of the measured steps");
  return list;
}

template <>
std::vector<Column<StalenessRow>> columns() {
  using R = StalenessRow;
  return {
      integer(&R::value, "value", "updates",
              "updates of the weights between a gradient's weights and its own update"),
      integer(&R::count, "count", "1", "pushes of slices that were so stale, whole run so far"),
  };
}

}  // namespace odsgd
