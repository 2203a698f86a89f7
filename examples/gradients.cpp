// SPDX-License-Identifier: BSD-3-Clause
// Training a small neural network on all ranks: each has examples of its own, and in each step the
// gradients of all of them are summed. They are computed from the last layer to the first, and a
// layer's are large: this is the allreduce of machine learning.
//
//     gradients [neurons in a layer [layers [examples of each rank [steps [repetitions]]]]]
//
// Without partitions one allreduce sums the gradients of all layers when the first layer has its
// own. With them a layer is a partition: it is marked as soon as it is computed, and is summed
// while those before it are computed. The weights of a layer are changed when its sum has arrived.
//
// The weights at the end are compared with those of a training on one rank that knows all examples.

#include "race.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

struct Shape {
  int neurons, layers, examples, steps; // examples of each rank

  int weights() const { return neurons * neurons; } // of a layer
};

float noise(std::uint64_t seed) {
  seed = (seed ^ seed >> 31) * 0x9e3779b97f4a7c15u;
  seed = (seed ^ seed >> 29) * 0xbf58476d1ce4e5b9u;
  return static_cast<float>(seed >> 40) * 0x1p-23f - 1;
}

// ---- The network, which does not communicate

// Layer l maps x to tanh(W x). All layers stand one behind the other, in the weights and in the
// gradients: as partitions need it.
class Network {
public:
  Network(const Shape& shape, int first_example, int examples);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  void reset();
  void forward();
  // Of one layer, the last one first: its gradients, from what comes back from the layer behind it.
  void backward(int layer);
  // One step down, by gradients that are summed over `examples`.
  void descend(int layer, const float* sums, int examples);

  float* gradients() { return gradients_; }
  const std::vector<float>& weights() const { return weights_; }

private:
  // The values of all examples in front of a layer, or behind the last one.
  float* values(int layer) { return &values_[at(layer) * static_cast<std::size_t>(examples_)]; }
  std::size_t at(int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(shape_.neurons);
  }
  std::size_t begin(int layer) const { return at(layer * shape_.neurons); }

  const Shape shape_;
  const int examples_;
  std::vector<float> weights_, values_, targets_;
  std::vector<float> back_, further_back_; // what comes back, example by example
  float* gradients_;
};

Network::Network(const Shape& shape, int first_example, int examples)
    : shape_(shape), examples_(examples) {
  const std::size_t weights = begin(shape.layers), values = at(examples);
  weights_.resize(weights);
  values_.resize(values * static_cast<std::size_t>(shape.layers + 1));
  for (std::vector<float>* each : {&targets_, &back_, &further_back_}) each->resize(values);
  gradients_ = static_cast<float*>(new_shared(weights * sizeof(float)));
  const std::size_t seed = at(first_example);
  for (std::size_t i = 0; i < values; ++i) {
    values_[i] = noise(2 * (seed + i) + 1);
    targets_[i] = noise(2 * (seed + i) + 2) / 2;
  }
}

Network::~Network() { MPI_Free_mem(gradients_); }

void Network::reset() {
  const float scale = 1.5f / std::sqrt(static_cast<float>(shape_.neurons));
  for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = scale * noise(~i);
  std::fill_n(gradients_, weights_.size(), NAN);
}

void Network::forward() {
  const int n = shape_.neurons;
  for (int layer = 0; layer < shape_.layers; ++layer) {
    const float *weights = &weights_[begin(layer)], *from = values(layer);
    float* to = values(layer + 1);
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      for (int e = 0; e < examples_; ++e) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < n; ++j) sum += weights[at(i) + j] * from[at(e) + j];
        to[at(e) + i] = std::tanh(sum);
      }
  }
  for (std::size_t i = 0; i < back_.size(); ++i) back_[i] = values(shape_.layers)[i] - targets_[i];
}

void Network::backward(int layer) {
  const int n = shape_.neurons;
  const float *weights = &weights_[begin(layer)], *from = values(layer), *to = values(layer + 1);
  float* gradients = gradients_ + begin(layer);
  for (std::size_t i = 0; i < back_.size(); ++i) back_[i] *= 1 - to[i] * to[i]; // tanh
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
      std::fill_n(gradients + at(i), n, 0.0f);
      for (int e = 0; e < examples_; ++e) {
        const float factor = back_[at(e) + i];
#pragma omp simd
        for (int j = 0; j < n; ++j) gradients[at(i) + j] += factor * from[at(e) + j];
      }
    }
#pragma omp for
    for (int first = 0; first < n; first += 64) {
      const int last = std::min(first + 64, n);
      for (int e = 0; e < examples_; ++e) {
        float* further = &further_back_[at(e)];
        std::fill(further + first, further + last, 0.0f);
        for (int i = 0; i < n; ++i) {
          const float factor = back_[at(e) + i];
#pragma omp simd
          for (int j = first; j < last; ++j) further[j] += factor * weights[at(i) + j];
        }
      }
    }
  }
  std::swap(back_, further_back_);
}

void Network::descend(int layer, const float* sums, int examples) {
  const float rate = 0.02f / static_cast<float>(examples);
  float* weights = &weights_[begin(layer)];
  sums += begin(layer);
#pragma omp parallel for simd
  for (int i = 0; i < shape_.weights(); ++i) weights[i] -= rate * sums[i];
}

// ---- Training

class Training {
public:
  Training(const Shape& shape, const Race& race);
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  void step_whole();
  void step_parts();
  Network& network() { return network_; }
  void forget_sums() { std::fill_n(sums_, network_.weights().size(), NAN); }

private:
  void descend_arrived();

  const Shape shape_;
  const int all_examples_;
  Network network_;
  float* sums_;
  std::vector<int> left_; // layers whose weights are still those of the last step
  MPI_Request requests_[ways];
};

Training::Training(const Shape& shape, const Race& race)
    : shape_(shape), all_examples_(shape.examples * race.ranks),
      network_(shape, shape.examples * race.rank, shape.examples) {
  const std::size_t weights = network_.weights().size();
  sums_ = static_cast<float*>(new_shared(weights * sizeof(float)));
  MPI_Allreduce_init(network_.gradients(), sums_, static_cast<int>(weights), MPI_FLOAT, MPI_SUM,
                     race.comm, MPI_INFO_NULL, &requests_[whole]);
  // The same elements, in a partition for each layer. Reductions want the same partitions on all
  // ranks: a layer is summed once it is marked on every one of them.
  MPIX_Pallreduce_init(network_.gradients(), sums_, shape.layers, shape.weights(), MPI_FLOAT,
                       MPI_SUM, race.comm, MPI_INFO_NULL, &requests_[parts]);
}

Training::~Training() {
  for (MPI_Request& request : requests_) MPI_Request_free(&request);
  MPI_Free_mem(sums_);
}

void Training::step_whole() {
  network_.forward();
  for (int layer = shape_.layers - 1; layer >= 0; --layer) network_.backward(layer);
  MPI_Start(&requests_[whole]);
  MPI_Wait(&requests_[whole], MPI_STATUS_IGNORE);
  for (int layer = 0; layer < shape_.layers; ++layer) network_.descend(layer, sums_, all_examples_);
}

// Changes the weights of layers whose sums are there. Asking also moves the sums that are not.
void Training::descend_arrived() {
  std::erase_if(left_, [&](int layer) {
    int flag;
    MPI_Parrived(requests_[parts], layer, &flag);
    if (flag) network_.descend(layer, sums_, all_examples_);
    return flag != 0;
  });
}

void Training::step_parts() {
  network_.forward();
  MPI_Start(&requests_[parts]);
  for (int layer = shape_.layers - 1; layer >= 0; --layer) {
    network_.backward(layer);
    // From here on layer's gradients may not be written, and its weights are needed no more.
    MPI_Pready(layer, requests_[parts]);
    left_.push_back(layer);
    descend_arrived();
  }
  while (!left_.empty()) descend_arrived();
  MPI_Wait(&requests_[parts], MPI_STATUS_IGNORE);
}

// ---- The check

std::vector<float> train_alone(const Shape& shape, int ranks) {
  const int examples = shape.examples * ranks;
  Network network(shape, 0, examples);
  network.reset();
  for (int step = 0; step < shape.steps; ++step) {
    network.forward();
    for (int layer = shape.layers - 1; layer >= 0; --layer) network.backward(layer);
    for (int layer = 0; layer < shape.layers; ++layer)
      network.descend(layer, network.gradients(), examples);
  }
  return network.weights();
}

// But for rounding: the order of the sums is another.
bool equal(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](float x, float y) { return std::abs(x - y) < 1e-5f; }); // NaN is not
}

bool compare(const Shape& shape, Race& race, int repetitions) {
  Training training(shape, race);
  const std::vector<float> expected = train_alone(shape, race.ranks);
  bool right = true;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (int turn = 0; turn < ways; ++turn) {
      const Way way = way_of(repetition, turn);
      training.network().reset();
      training.forget_sums();
      start_clock(&race);
      for (int step = 0; step < shape.steps; ++step) {
        if (way == whole)
          training.step_whole();
        else
          training.step_parts();
      }
      stop_clock(&race, way);
      right = right && equal(training.network().weights(), expected);
    }
  return right;
}

} // namespace

int main(int argc, char** argv) {
  Race race = begin_race(&argc, &argv);
  const Shape shape = {number(argc, argv, 1, 512), number(argc, argv, 2, 8),
                       number(argc, argv, 3, 1), number(argc, argv, 4, 5)};
  const int repetitions = number(argc, argv, 5, 10);
  if (shape.neurons > 8192 || shape.layers > (1 << 30) / shape.weights())
    give_up("gradients: too many weights");
  if (race.rank == 0)
    std::printf("gradients: ranks %d, threads %d, layers %d of %d weights, steps %d\n", race.ranks,
                omp_get_max_threads(), shape.layers, shape.weights(), shape.steps);
  const bool right = compare(shape, race, repetitions);
  return end_race(&race, right);
}
