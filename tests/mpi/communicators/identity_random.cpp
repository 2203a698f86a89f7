// SPDX-License-Identifier: BSD-3-Clause
// Random families of communicators: made of each other by every call that makes one, freed, and
// made again.
#include "communicators/creations.hpp"

using namespace mpitest;

namespace {

class Family {
  public:
    explicit Family(unsigned seed) : draw_(seed), live_{MPI_COMM_WORLD, MPI_COMM_SELF} {
        for (const MPI_Comm comm : live_) seen_.add(comm, "predefined");
    }
    ~Family() {
        while (live_.size() > 2) drop(live_.size() - 1);
    }
    Family(const Family&) = delete;
    Family& operator=(const Family&) = delete;

    // Members make some of a communicator; whether it has one group or two only they know.
    void grow(std::size_t kind) {
        const std::size_t parent = pick();
        const MPI_Comm of = live_[parent];
        const auto seed = static_cast<unsigned>(draw_.below(1 << 20));
        Made made(most, MPI_COMM_NULL);
        std::string how = "child of " + std::to_string(parent);
        if (of != MPI_COMM_NULL) how = make(of, seed, kind, made) + " of " + std::to_string(parent);
        for (const MPI_Comm comm : made) {
            seen_.add(comm, how);
            live_.push_back(comm);
        }
        drop_unknown();
        while (live_.size() > 40) drop(2 + static_cast<std::size_t>(draw_.below(38)));
    }

  private:
    static constexpr std::size_t most = 4;

    static std::string make(MPI_Comm of, unsigned seed, std::size_t kind, Made& made) {
        const auto& rows = is_inter(of) ? creations_of_two : creations_of_one;
        const Creation& row = rows[kind % rows.size()];
        made.resize(row.made, MPI_COMM_NULL);
        Draw draw(seed);
        row.make(of, draw, made);
        made.resize(most, MPI_COMM_NULL);
        return row.name;
    }

    // The newest half as often as all others: deep families.
    std::size_t pick() {
        const auto all = static_cast<int>(live_.size());
        const int from = draw_.below(2) == 0 ? all / 2 : 0;
        return static_cast<std::size_t>(from + draw_.below(all - from));
    }

    // Those that no process has.
    void drop_unknown() {
        std::vector<int> has;
        for (const MPI_Comm comm : live_) has.push_back(comm != MPI_COMM_NULL);
        MPI_Allreduce(MPI_IN_PLACE, has.data(), static_cast<int>(has.size()), MPI_INT, MPI_MAX,
                      MPI_COMM_WORLD);
        for (std::size_t i = has.size(); i-- > 0;)
            if (!has[i]) drop(i);
    }

    void drop(std::size_t which) {
        if (live_[which] != MPI_COMM_NULL) free_comm(live_[which]);
        live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(which));
    }

    Draw draw_;
    std::vector<MPI_Comm> live_;
    Seen seen_;
};

} // namespace

TEST_CASE("members of communicators made at random agree on numbers that no other one has") {
    for (unsigned seed = 1; seed <= 8; seed++) {
        INFO("seed " << seed);
        Family family(seed);
        for (std::size_t step = 0; step < 55; step++) family.grow(step);
    }
}
