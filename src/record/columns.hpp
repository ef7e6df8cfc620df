#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "odsgd/record/rows.hpp"
#include "odsgd/record/table.hpp"

namespace odsgd {

/// A column and what of the row it holds: a cell of the column's type.
template <class Row>
struct Column {
  std::function<Cell(const Row& row)> get;
  std::function<void(Row& row, const Cell& cell)> set;
  ColumnSpec spec;
};

/// The one list of a table's columns: writing, reading and printing all go by it.
template <class Row>
std::vector<Column<Row>> columns();
template <>
std::vector<Column<TrainRow>> columns();
template <>
std::vector<Column<EvalRow>> columns();
template <>
std::vector<Column<StepRow>> columns();
template <>
std::vector<Column<TimingRow>> columns();
template <>
std::vector<Column<OverlapRow>> columns();
template <>
std::vector<Column<StalenessRow>> columns();

template <class Row>
std::vector<ColumnSpec> specs() {
  std::vector<ColumnSpec> list;
  for (const Column<Row>& column : columns<Row>()) list.push_back(column.spec);
  return list;
}

template <class Row>
std::vector<Cell> cells(const Row& row) {
  std::vector<Cell> list;
  for (const Column<Row>& column : columns<Row>()) list.push_back(column.get(row));
  return list;
}

/// The inverse of cells(); each cell has its column's type.
template <class Row>
Row row_of(const std::vector<Cell>& list) {
  Row row;
  std::size_t i = 0;
  for (const Column<Row>& column : columns<Row>()) column.set(row, list.at(i++));
  return row;
}

}  // namespace odsgd
