// SPDX-License-Identifier: BSD-3-Clause
//
// The plan tier's test program; it links no MPI.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
