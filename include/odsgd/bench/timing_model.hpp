#pragma once

#include <span>

namespace odsgd {

// How long a step takes, by formulas: what a measurement is held against. Steps are counted in the
// steady state, all times are in seconds, all workers are equal unless said otherwise.
// predict_step() covers what no formula does.

/// One worker's step, and the exchange that goes with it, when nothing of it overlaps.
struct StepCosts {
  double compute_s = 0;       ///< C: forward and backward pass
  double local_update_s = 0;  ///< U: the local step of OD-SGD
  double push_s = 0;          ///< P: with latency, and with waiting for the server's link
  double server_s = 0;        ///< S: sum and update
  double pull_s = 0;          ///< Q: as P

  double exchange_s() const { return push_s + server_s + pull_s; }  ///< M = P + S + Q
};

/// D bytes from every worker to all servers, or back: P = Q = (D / b) max(1, workers / servers),
/// where b is the bandwidth of each rank's link in each direction.
double transfer_s(double bytes, double bytes_per_s, int workers, int servers);

/// SSGD without overlap between layers: T = C + M.
double ssgd_step_s(const StepCosts& costs);

/// OD-SGD where a push waits for the pull before it, as with one buffer for both:
/// T = max(C + U, M).
double od_sgd_step_s(const StepCosts& costs);

/// OD-SGD where a push may overlap the pull before it, with buffers of their own and full duplex:
/// T = max(C + U, (C + U + M) / 2, P, S, Q).
double od_sgd_separate_buffers_step_s(const StepCosts& costs);

/// ASGD, one worker that has the server to itself: T = C + M.
double asgd_step_s(const StepCosts& costs);

/// ASGD, updates of all workers in a second: the lesser of sum_i 1 / T_i and
/// 1 / max(P, S, Q) of the server. `server` says what one push and pull takes of the server: its
/// link's time in each direction and the update.
double asgd_updates_per_s(std::span<const StepCosts> workers, const StepCosts& server);

/// The exchange of one layer. Spans of these are in the order of the forward pass.
struct LayerCosts {
  double ready_s = 0;  ///< k: its gradient is there so long after the backward pass has begun
  double push_s = 0;
  double server_s = 0;
  double pull_s = 0;

  double exchange_s() const { return push_s + server_s + pull_s; }  ///< m
};

/// SSGD, layer by layer, when one exchange excludes all others, first come, first served:
///   e_L = k_L + m_L,  e_l = max(k_l, e_{l+1}) + m_l,  T = F + e_1.
double layerwise_ssgd_step_s(double forward_s, std::span<const LayerCosts> layers);

/// The same when pushes, server and pulls are three queues one behind the other:
///   p_l = max(k_l, p_{l+1}) + P_l,  s_l = max(p_l, s_{l+1}) + S_l,  q_l = max(s_l, q_{l+1}) + Q_l,
///   T = F + q_1.
double pipelined_ssgd_step_s(double forward_s, std::span<const LayerCosts> layers);

/// OD-SGD, layer by layer: T = max(C + U_1, sum_l m_l), one exchange excluding all others. Of the
/// local step only what follows the last gradient counts: U_1, of the first layer.
double layerwise_od_sgd_step_s(double compute_s, double first_update_s,
                               std::span<const LayerCosts> layers);

}  // namespace odsgd
