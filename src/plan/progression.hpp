// SPDX-License-Identifier: BSD-3-Clause
//
// A value for each rank or block. If each differs as much from the one before, and most do, it
// takes no more memory for a million than for two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace mpix::plan {

// Of numbers. Other values have functions of their own beside them.
constexpr std::int64_t moved(std::int64_t value, std::int64_t distance) { return value + distance; }
constexpr int moved(int value, std::int64_t distance) { return static_cast<int>(value + distance); }
constexpr std::int64_t distance_from(std::int64_t value, std::int64_t to) { return to - value; }

template<class Value>
class Progression {
  public:
    Progression() = default;
    Progression(std::initializer_list<Value> values) { append(values); }
    Progression(const std::vector<Value>& values) { append(values); }
    // `count` values, each so far from the one before.
    static Progression regular(const Value& first, std::int64_t stride, std::size_t count) {
        Progression made;
        made.first_ = first;
        made.stride_ = stride;
        made.count_ = count;
        return made;
    }

    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    // Constant: what is assigned to it would be lost.
    const Value operator[](std::size_t i) const { return list_.empty() ? by_rule(i) : list_[i]; }
    Value front() const { return (*this)[0]; }
    Value back() const { return (*this)[count_ - 1]; }
    bool is_regular() const { return list_.empty(); }
    std::int64_t stride() const { return stride_; } // where it is

    void push_back(const Value& value) {
        if (list_.empty() && count_ == 1) stride_ = distance_from(first_, value);
        if (count_ == 0)
            first_ = value;
        else if (!list_.empty() || !(value == by_rule(count_)))
            listed().push_back(value);
        ++count_;
    }
    void set(std::size_t i, const Value& value) {
        if ((*this)[i] == value) return;
        if (count_ == 1 && list_.empty())
            first_ = value;
        else
            listed()[i] = value;
    }
    // `count` of them, from number `first` on.
    Progression part(std::size_t first, std::size_t count) const {
        if (is_regular()) return regular((*this)[first], stride_, count);
        Progression made;
        for (std::size_t i = 0; i < count; ++i) made.push_back(list_[first + i]);
        return made;
    }

    class Iterator {
      public:
        using iterator_concept = std::forward_iterator_tag;
        using iterator_category = std::input_iterator_tag;
        using value_type = Value;
        using difference_type = std::ptrdiff_t;
        using pointer = const Value*;
        using reference = Value;

        Iterator() = default;
        Iterator(const Progression* of, std::size_t at) : of_(of), at_(at) {}
        Value operator*() const { return (*of_)[at_]; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) { return {of_, at_++}; }
        bool operator==(const Iterator&) const = default;

      private:
        const Progression* of_ = nullptr;
        std::size_t at_ = 0;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, count_}; }

    bool operator==(const Progression& other) const {
        if (count_ != other.count_) return false;
        for (std::size_t i = 0; i < count_; ++i)
            if (!((*this)[i] == other[i])) return false;
        return true;
    }

  private:
    Value by_rule(std::size_t i) const {
        return moved(first_, stride_ * static_cast<std::int64_t>(i));
    }
    template<class Values>
    void append(const Values& values) {
        for (const Value& value : values) push_back(value);
    }
    std::vector<Value>& listed() {
        if (list_.empty()) {
            list_.reserve(count_ + 1);
            for (std::size_t i = 0; i < count_; ++i) list_.push_back(by_rule(i));
        }
        return list_;
    }

    Value first_{};
    std::int64_t stride_ = 0;
    std::size_t count_ = 0;
    std::vector<Value> list_; // of all of them, where they are not regular
};

} // namespace mpix::plan
