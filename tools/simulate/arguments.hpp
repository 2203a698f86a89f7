// SPDX-License-Identifier: BSD-3-Clause
//
// What stands on command lines: operations, bytes, constants of the machine. What is wrong with
// them is thrown as std::invalid_argument.
#pragma once

#include "plan/model.hpp"
#include "plan/problem.hpp"

#include <string>
#include <vector>

namespace mpix::simulate {

std::vector<std::string> split(const std::string& text); // at its commas
plan::Kind parse_kind(const std::string& text);
plan::Bytes parse_bytes(const std::string& text); // K and M are understood
int parse_number(const std::string& text);        // from 1 on
void set_constant(plan::Model& model, std::string word);

// The words of a command line, and the values of options among them.
class Words {
  public:
    Words(int count, char** words) : count_(count), words_(words) {}
    bool next(std::string& word) {
        if (++at_ >= count_) return false;
        word = words_[at_];
        return true;
    }
    std::string value();

  private:
    int count_, at_ = 0;
    char** words_;
};

} // namespace mpix::simulate
