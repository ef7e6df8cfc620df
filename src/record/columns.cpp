#include "columns.hpp"

#include <utility>

namespace odsgd {
namespace {

template <class Row>
Column<Row> integer(std::int64_t Row::*member, std::string name, std::string units,
                    std::string description) {
  return {member,
          {std::move(name), std::move(units), std::move(description), ColumnSpec::Type::kInteger,
           false}};
}

template <class Row>
Column<Row> real(double Row::*member, std::string name, std::string units,
                 std::string description) {
  return {
      member,
      {std::move(name), std::move(units), std::move(description), ColumnSpec::Type::kReal, false}};
}

template <class Row>
Column<Row> measured(Column<Row> column) {
  column.spec.is_measured = true;
  return column;
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
std::vector<Column<TimingRow>> columns() {
  using R = TimingRow;
  return {
      integer(&R::epoch, "epoch", "epochs", "number of the epoch, from 1"),
      integer(&R::rank, "rank", "1", "rank of the process"),
      integer(&R::role, "role", "1", "0: server, 1: worker"),
      integer(&R::index, "index", "1", "number of the worker or server"),
      measured(real(&R::seconds, "seconds", "s", "whole epoch")),
      measured(real(&R::compute, "compute", "s",
                    "forward and backward passes; on a server the update rule")),
      measured(real(&R::wait, "wait", "s",
                    "exposed communication: computing stood still until weights came")),
      measured(real(&R::local_update, "local_update", "s",
                    "changing the local weights without the servers")),
      measured(real(&R::in_flight, "in_flight", "s", "at least one pull was under way")),
      measured(real(&R::other, "other", "s", "the rest of the epoch")),
      integer(&R::bytes_pushed, "bytes_pushed", "bytes", "content of gradients sent"),
      integer(&R::bytes_pulled, "bytes_pulled", "bytes", "content of weights received"),
      measured(real(&R::hidden_share, "hidden_share", "1",
                    "share of in_flight during which computing went on: 1 - wait / in_flight")),
      measured(integer(&R::peak_memory_bytes, "peak_memory_bytes", "bytes",
                       "largest resident memory of the process so far")),
  };
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
