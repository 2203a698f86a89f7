// SPDX-License-Identifier: BSD-3-Clause
//
// The test framework's own part, a third of a minute to compile: once for all test programs.
#pragma once

// Runs the cases that the arguments choose, all without any, and returns how many failed, or what
// is wrong with the arguments. They may name another reporter.
int run_cases(int argc, char** argv, const char* reporter);
