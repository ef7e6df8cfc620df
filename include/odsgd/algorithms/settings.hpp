#pragma once

#include <limits>
#include <string>
#include <vector>

#include "odsgd/algorithms/lr_schedule.hpp"
#include "odsgd/base/types.hpp"

namespace odsgd {

/// How servers turn a gradient into a step; see sgd_step.hpp.
enum class Optimizer {
  kSgd,       ///< momentum SGD
  kNesterov,  ///< the same, a step ahead along the velocity
  kLars,      ///< momentum SGD whose rate follows |W| / |g|, key by key
};

/// OD-SGD's local update u, in w = b + u; see local_update.hpp.
enum class LocalRule {
  kNone,    ///< u = 0: pure delay by one step
  kSgd,     ///< momentum SGD with a local velocity
  kDcC,     ///< delay-compensated, with a constant lambda
  kDcA,     ///< with a lambda that follows the mean square of the gradient
  kDcNorm,  ///< with a lambda that follows the norms, key by key
  kMc,      ///< momentum-corrected: the server's step, predicted with the worker's own gradient
  kGlu,     ///< of SSD-SGD: with the global gradient that the last two pulls show
};

/// What the delay compensation takes as displacement of the weights.
enum class DcReference {
  kPrevGlobal,  ///< W^t - W^{t-1}, as OD-SGD's authors
  kCompute,     ///< W^t - w^t: from where the gradient was taken, as DC-ASGD
};

/// What a worker's own gradient counts for in its local update.
enum class LocalScale {
  kWorker,  ///< as the mean gradient
  kGlobal,  ///< as its share of it, 1/M
};

/// How lambda of DC-ASGD goes.
enum class LambdaRule { kConstant, kAdaptive };

/// Names on the command line, in the order of the enumerators.
const std::vector<std::string>& optimizer_names();
Optimizer optimizer_of(const std::string& name);
const std::vector<std::string>& local_rule_names();
LocalRule local_rule_of(const std::string& name);
const std::vector<std::string>& dc_reference_names();
DcReference dc_reference_of(const std::string& name);
const std::vector<std::string>& local_scale_names();
LocalScale local_scale_of(const std::string& name);
const std::vector<std::string>& lambda_rule_names();
LambdaRule lambda_rule_of(const std::string& name);

/// The numbers of an update rule. Learning rates are for the mean gradient: over the local batch in
/// a worker, over all workers as well in a synchronous server.
struct AlgorithmSettings {
  int workers = 1;        ///< M, and
  Clock total_steps = 0;  ///< the length of the run, of local-sgd and easgd

  LrSchedule lr = 0.05F;
  float momentum = 0.9F;
  float weight_decay = 1e-4F;  ///< on weights, not on biases
  Optimizer optimizer = Optimizer::kSgd;
  float lars_trust = 0.001F;
  float clip_value = std::numeric_limits<float>::infinity();  ///< of each number of a gradient
  float clip_norm = std::numeric_limits<float>::infinity();   ///< of a worker's whole gradient

  LocalRule local_rule = LocalRule::kMc;
  LrSchedule local_lr = 0.05F;
  float local_momentum = 0.9F;  ///< of LocalRule::kSgd and kGlu, local-sgd and easgd
  LocalScale local_scale = LocalScale::kWorker;
  Clock warmup_steps = 0;  ///< first steps that run as SSGD

  float lambda = 0.04F;             ///< of kDcC, kDcA, kDcNorm, dc-asgd and dc-s3gd
  float mean_square_decay = 0.95F;  ///< of kDcA and an adaptive dc-asgd
  DcReference dc_reference = DcReference::kCompute;
  LambdaRule lambda_rule = LambdaRule::kAdaptive;

  Clock staleness = 3;    ///< ssp
  Clock delay_steps = 1;  ///< ssd-sgd: from pull to pull
  float glu_alpha = 2;
  float glu_beta = 0.5F;
  float threshold = 0.001F;      ///< cd-sgd: what a number of a compressed push is, up to its sign
  Clock correction_steps = 5;    ///< cd-sgd: every so many steps a push is exact
  Clock local_steps = 8;         ///< local-sgd and easgd: from exchange to exchange
  float outer_lr = 1;            ///< local-sgd: of the mean difference,
  float outer_momentum = 0;      ///< with Nesterov's momentum
  float elastic_alpha = 0.225F;  ///< easgd: how far x and z move towards each other
};

}  // namespace odsgd
