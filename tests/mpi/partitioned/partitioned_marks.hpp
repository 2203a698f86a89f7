// SPDX-License-Identifier: BSD-3-Clause
// All the ways to mark partitions and to ask for them, in random order.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <thread>

#include "common/chance.hpp"
#include "partitioned/partitioned_operation.hpp"

namespace mpitest {

// The number of partitions that all segments have at least.
inline int least_parts(const std::vector<Part>& parts, int segments) {
    std::vector<int> has(static_cast<std::size_t>(segments));
    for (const Part& part : parts) has[static_cast<std::size_t>(part.segment)]++;
    return has.empty() ? 0 : *std::min_element(has.begin(), has.end());
}

inline std::vector<int> linear_numbers(std::span<const Part> parts) {
    std::vector<int> numbers;
    for (const Part& part : parts) numbers.push_back(part.linear);
    return numbers;
}

inline std::vector<int> indices_of(std::span<const Part> parts) {
    std::vector<int> numbers;
    for (const Part& part : parts) numbers.push_back(part.index);
    return numbers;
}

enum class Marking { one, list, range, extended, extended_list, extended_range, all_dests };
inline constexpr int markings = 7;

class Marker {
  public:
    Marker(PartedOperation& operation, std::uint32_t seed)
        : operation_(operation), random_(seed), left_(operation.sends()) {}

    // Writes and marks all but `held`, a linear number.
    void mark_all(Marking way, int held = -1);
    void mark(const Part& part, Marking way) { mark_run({&part, 1}, way); }

  private:
    // Consecutive in the list: what one call can take.
    void mark_run(std::span<const Part> run, Marking way);
    void mark_for_all();
    void mark_runs(Marking way);
    bool is_extended(Marking way) const { return way >= Marking::extended; }
    int dest_of(int segment) {
        if (!operation_.shapes().send_is_one()) return segment;
        const int peer = operation_.shapes().peer_of_sent();
        return peer < 0 || random_() % 2 == 0 ? MPIX_ALL_DESTS : peer;
    }

    PartedOperation& operation_;
    Random random_;
    std::vector<Part> left_;
};

inline void Marker::mark_run(std::span<const Part> run, Marking way) {
    for (const Part& part : run) operation_.write(part);
    const Part &first = run.front(), &last = run.back();
    std::vector<int> numbers = is_extended(way) ? indices_of(run) : linear_numbers(run);
    const auto length = static_cast<int>(numbers.size());
    const int dest = dest_of(first.segment);
    MPI_Request& request = operation_.request;
    switch (way) {
    case Marking::one: CHECK_MPI(MPI_Pready(first.linear, request)); break;
    case Marking::list: CHECK_MPI(MPI_Pready_list(length, numbers.data(), request)); break;
    case Marking::range: CHECK_MPI(MPI_Pready_range(first.linear, last.linear, request)); break;
    case Marking::extended_list:
        CHECK_MPI(MPIX_Pready_list_extended(length, numbers.data(), dest, &request));
        break;
    case Marking::extended_range:
        CHECK_MPI(MPIX_Pready_range_extended(first.index, last.index, dest, &request));
        break;
    default: CHECK_MPI(MPIX_Pready_extended(first.index, dest, &request));
    }
}

// What all segments have, in random order.
inline void Marker::mark_for_all() {
    const int segments = operation_.shapes().segments_sent();
    std::vector<int> common(static_cast<std::size_t>(least_parts(left_, segments)));
    std::iota(common.begin(), common.end(), 0);
    std::shuffle(common.begin(), common.end(), random_);
    for (const int index : common) {
        for (const Part& part : left_)
            if (part.index == index) operation_.write(part);
        CHECK_MPI(MPIX_Pready_extended(index, MPIX_ALL_DESTS, &operation_.request));
    }
    std::erase_if(left_,
                  [&](const Part& part) { return part.index < static_cast<int>(common.size()); });
}

// A range is a run of neighbours, of one segment where the call wants that; a list is any.
inline void Marker::mark_runs(Marking way) {
    const bool is_range = way == Marking::range || way == Marking::extended_range;
    const bool is_list = way == Marking::list || way == Marking::extended_list;
    if (!is_range) std::shuffle(left_.begin(), left_.end(), random_);
    if (is_list && is_extended(way))
        std::stable_sort(left_.begin(), left_.end(),
                         [](const Part& a, const Part& b) { return a.segment < b.segment; });
    std::vector<std::span<const Part>> runs;
    for (std::size_t at = 0; at < left_.size();) {
        const std::size_t most =
            is_range || is_list ? static_cast<std::size_t>(draw(random_, 1, 5)) : 1;
        std::size_t end = at + 1;
        while (end < left_.size() && end - at < most &&
               (!is_range || left_[end].linear == left_[end - 1].linear + 1) &&
               (!is_extended(way) || left_[end].segment == left_[at].segment))
            end++;
        runs.push_back({&left_[at], end - at});
        at = end;
    }
    std::shuffle(runs.begin(), runs.end(), random_);
    for (const auto& run : runs) mark_run(run, way);
}

inline void Marker::mark_all(Marking way, int held) {
    std::erase_if(left_, [&](const Part& part) { return part.linear == held; });
    if (way == Marking::all_dests && held < 0) mark_for_all();
    mark_runs(way);
    left_.clear();
}

enum class Asking { one, extended, all_sources, any, some };
inline constexpr int askings = 5;

// Asks for partitions until they are there, and looks at the data of each as it comes.
class Asker {
  public:
    Asker(PartedOperation& operation, std::uint32_t seed)
        : operation_(operation), random_(seed), left_(operation.receives()) {}
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;
    ~Asker() { CHECK(error_ == ""); }

    // Only those that `wanted` says.
    template<class Wanted>
    void await(Asking way, Wanted wanted) {
        std::erase_if(left_, [&](const Part& part) { return !wanted(part); });
        const auto begin = std::chrono::steady_clock::now();
        while (!left_.empty()) {
            ask(way);
            std::this_thread::yield(); // ranks outnumber cores
            if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20)) break;
        }
        CHECK(missing() == "");
    }
    void await_all(Asking way) {
        await(way, [](const Part&) { return true; });
    }
    void ask(Asking way);
    bool has(const Part& part, Asking way = Asking::one);

  private:
    std::string missing() const {
        std::string text;
        for (const Part& part : left_)
            text += " " + std::to_string(part.index) + " of " + std::to_string(part.segment);
        return text;
    }
    void arrived(const Part& part) {
        if (error_.empty()) error_ = operation_.arrival_error(part);
        std::erase_if(left_, [&](const Part& one) { return one.linear == part.linear; });
    }
    void note(int code) { // asked too often for a check of each
        if (code != MPI_SUCCESS && error_.empty()) error_ = error_text(code);
    }
    int source_of(int segment) {
        if (!operation_.shapes().recv_is_one()) return segment;
        const int peer = operation_.shapes().peer_of_received();
        return peer < 0 || random_() % 2 == 0 ? MPIX_ALL_SOURCES : peer;
    }
    void ask_any();
    void ask_some();
    void ask_all_sources();

    PartedOperation& operation_;
    Random random_;
    std::vector<Part> left_;
    std::string error_;
};

inline bool Asker::has(const Part& part, Asking way) {
    int flag = -1;
    if (way == Asking::one)
        note(MPI_Parrived(operation_.request, part.linear, &flag));
    else
        note(MPIX_Parrived_extended(&operation_.request, part.index, source_of(part.segment),
                                    &flag));
    return flag == 1;
}

inline void Asker::ask_any() {
    const std::vector<int> numbers = linear_numbers(left_);
    int index = -5, flag = -5;
    note(MPIX_Parrived_any(operation_.request, static_cast<int>(numbers.size()), numbers.data(),
                           &index, &flag));
    if (flag == 0 && index != MPI_UNDEFINED) error_ = "Parrived_any: an index without a flag";
    if (flag == 1) arrived(Part(left_[static_cast<std::size_t>(index)]));
}

inline void Asker::ask_some() {
    const std::vector<Part> all = left_;
    const std::vector<int> numbers = linear_numbers(all);
    std::vector<int> indices(numbers.size());
    int count = -5;
    note(MPIX_Parrived_some(operation_.request, static_cast<int>(numbers.size()), numbers.data(),
                            &count, indices.data()));
    for (int i = 0; i < count; i++)
        arrived(all[static_cast<std::size_t>(indices[static_cast<std::size_t>(i)])]);
    if (!std::is_sorted(indices.begin(), indices.begin() + count))
        error_ = "Parrived_some: indices are not ascending";
}

// What all segments have; then what is left.
inline void Asker::ask_all_sources() {
    const int segments = operation_.shapes().segments_received();
    const int common = least_parts(operation_.receives(), segments);
    for (int index = 0; index < common; index++) {
        int flag = -1;
        note(MPIX_Parrived_extended(&operation_.request, index, MPIX_ALL_SOURCES, &flag));
        const std::vector<Part> all = left_;
        for (const Part& part : all)
            if (part.index == index && flag == 1) arrived(part);
    }
    if (left_.empty() || left_.front().index < common) return;
    ask(Asking::extended);
}

inline void Asker::ask(Asking way) {
    if (left_.empty()) return;
    if (way == Asking::any) return ask_any();
    if (way == Asking::some) return ask_some();
    if (way == Asking::all_sources) return ask_all_sources();
    const auto last = static_cast<int>(left_.size()) - 1;
    const Part part = left_[static_cast<std::size_t>(draw(random_, 0, last))];
    if (has(part, way)) arrived(part);
}

} // namespace mpitest
