// SPDX-License-Identifier: BSD-3-Clause
//
// The program of the plan and node tiers; it links no MPI.
#include "runner.hpp"

int main(int argc, char** argv) { return run_cases(argc, argv, "console"); }
