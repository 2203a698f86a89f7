// SPDX-License-Identifier: BSD-3-Clause
//
// What a program of its own needs of the test framework's version 2 or 3 to tell what has happened.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <catch2/reporters/catch_reporter_streaming_base.hpp>

namespace catch2 {

using Listener = Catch::EventListenerBase;
template<class>
using Reporter = Catch::StreamingReporterBase;
using Kept = void; // what assertionEnded returns

} // namespace catch2
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>

namespace catch2 {

using Listener = Catch::TestEventListenerBase;
template<class Own>
using Reporter = Catch::StreamingReporterBase<Own>;
using Kept = bool;

} // namespace catch2
#endif
