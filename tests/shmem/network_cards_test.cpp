// SPDX-License-Identifier: BSD-3-Clause
// Network cards, in a folder as the kernel would have it.
#include "catch2.hpp"
#include "comm/network_cards.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace mpix::comm;
namespace fs = std::filesystem;

namespace {

class Classes {
  public:
    Classes() { fs::create_directories(root); }
    Classes(const Classes&) = delete;
    Classes& operator=(const Classes&) = delete;
    ~Classes() { fs::remove_all(root); }

    void add_port(const std::string& card, int port, const std::string& state) {
        const fs::path folder = root / "infiniband" / card / "ports" / std::to_string(port);
        fs::create_directories(folder);
        std::ofstream(folder / "state") << state << '\n';
    }
    void add_cxi(const std::string& card) { fs::create_directories(root / "cxi" / card); }

    const fs::path root =
        fs::temp_directory_path() / ("mpix-network-cards-" + std::to_string(getpid()));
};

} // namespace

TEST_CASE("cards that have a link are counted") {
    Classes classes;
    CHECK(count_cards(classes.root) == 0);
    CHECK(count_cards(classes.root / "nothing") == 0);
    classes.add_port("mlx5_0", 1, "1: DOWN");
    CHECK(count_cards(classes.root) == 0);
    classes.add_port("mlx5_0", 2, "4: ACTIVE");
    classes.add_port("mlx5_1", 1, "4: ACTIVE");
    classes.add_port("mlx5_2", 1, "2: INIT");
    CHECK(count_cards(classes.root) == 2);
    classes.add_cxi("cxi0");
    CHECK(count_cards(classes.root) == 3);
}

TEST_CASE("the node with the fewest cards counts") {
    for (const int cards : {0, 1, 2, 8, 63}) {
        CHECK(fewest_cards(missing_cards(cards)) == cards);
        CHECK(fewest_cards(missing_cards(cards) | missing_cards(4)) == std::min(cards, 4));
    }
}
