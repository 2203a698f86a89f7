// SPDX-License-Identifier: BSD-3-Clause
// Random datatypes, grown from the inside out: the same on every rank. They may overlap
// themselves, lie below their address and have any extent.
#pragma once

#include <random>

#include "common/check.hpp"

namespace mpitest {

class RandomTypes {
  public:
    explicit RandomTypes(std::uint32_t seed) : engine_(seed) {}

    // Of at most `most` bytes of data, in which `levels` constructors were tried.
    Type make(int levels, MPI_Aint most) {
        Type type = base();
        for (int i = 0; i < levels; i++) {
            Type next = around(type);
            int size = 0;
            MPI_Aint lower = 0, reach = 0;
            MPI_Type_size(next, &size);
            MPI_Type_get_true_extent(next, &lower, &reach);
            if (size > 0 && size <= most && reach < 20 * most) type.swap(next);
        }
        return type;
    }

    int between(int low, int high) {
        return low + static_cast<int>(engine_() % static_cast<std::uint32_t>(high - low + 1));
    }

  private:
    Type base() {
        const MPI_Datatype bases[] = {MPI_CHAR,       MPI_SHORT,     MPI_INT,      MPI_DOUBLE,
                                      MPI_DOUBLE_INT, MPI_SHORT_INT, MPI_LONG_INT, MPI_FLOAT_INT};
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_dup(bases[between(0, 7)], &type);
        return Type(type);
    }

    std::vector<int> numbers(std::size_t many, int low, int high) {
        std::vector<int> drawn(many);
        for (int& number : drawn) number = between(low, high);
        return drawn;
    }
    std::vector<MPI_Aint> places(std::size_t many) {
        std::vector<MPI_Aint> drawn(many);
        for (MPI_Aint& place : drawn) place = 8 * between(-20, 60);
        return drawn;
    }
    std::size_t few() { return static_cast<std::size_t>(between(1, 12)); }

    Type around(MPI_Datatype inner) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        const std::size_t n = few();
        const int blocks = static_cast<int>(n);
        switch (between(0, 9)) {
        case 0: MPI_Type_contiguous(blocks, inner, &made); break;
        case 1: MPI_Type_vector(blocks, between(1, 3), between(-4, 6), inner, &made); break;
        case 2:
            MPI_Type_create_hvector(blocks, between(1, 3), 8 * between(-9, 30), inner, &made);
            break;
        case 3:
            MPI_Type_indexed(blocks, numbers(n, 0, 3).data(), numbers(n, -9, 40).data(), inner,
                             &made);
            break;
        case 4:
            MPI_Type_create_hindexed(blocks, numbers(n, 0, 3).data(), places(n).data(), inner,
                                     &made);
            break;
        case 5:
            MPI_Type_create_indexed_block(blocks, between(1, 3), numbers(n, -9, 40).data(), inner,
                                          &made);
            break;
        case 6:
            MPI_Type_create_hindexed_block(blocks, between(1, 3), places(n).data(), inner, &made);
            break;
        case 7: return structure(inner, n);
        case 8: return subarray(inner);
        default: MPI_Type_create_resized(inner, 8 * between(-4, 4), 8 * between(0, 40), &made);
        }
        return Type(made);
    }

    Type structure(MPI_Datatype inner, std::size_t members) {
        const Type other = base();
        std::vector<MPI_Datatype> types(members);
        for (MPI_Datatype& type : types) type = between(0, 1) == 0 ? inner : other;
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(static_cast<int>(members), numbers(members, 0, 3).data(),
                               places(members).data(), types.data(), &made);
        return Type(made);
    }

    Type subarray(MPI_Datatype inner) {
        const auto dimensions = static_cast<std::size_t>(between(1, 4));
        std::vector<int> sizes = numbers(dimensions, 1, 5), parts, starts;
        for (const int size : sizes) {
            parts.push_back(between(1, size));
            starts.push_back(between(0, size - parts.back()));
        }
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_subarray(
            static_cast<int>(dimensions), sizes.data(), parts.data(), starts.data(),
            between(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, inner, &made);
        return Type(made);
    }

    std::mt19937 engine_;
};

} // namespace mpitest
