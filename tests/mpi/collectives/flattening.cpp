// SPDX-License-Identifier: BSD-3-Clause
// Derived types are packed and unpacked as the host's MPI_Pack and MPI_Unpack do it: byte for byte,
// with the gaps untouched. What is sent as a type is received as bytes, and the other way round.
// They are flattened at init: a start does not ask the host to pack, but where there is no other
// way.
#include "common/elements.hpp"
#include "common/host_packs.h"
#include "common/random_types.hpp"

using namespace mpitest;

namespace {

// An alltoallw in which a rank deals with its neighbour in a ring, to the right for what it sends.
// That of one or two ranks is the same on both sides.
struct Exchange {
    std::vector<int> send_counts, recv_counts, places;
    std::vector<MPI_Datatype> send_types, recv_types;
    int right = (rank_of() + 1) % size_of(), left = (rank_of() + size_of() - 1) % size_of();
    MPI_Request request = MPI_REQUEST_NULL;

    Exchange(const void* from, int send_count, MPI_Datatype send_type, void* to, int recv_count,
             MPI_Datatype recv_type) {
        const auto ranks = static_cast<std::size_t>(size_of());
        places.resize(ranks);
        send_counts.resize(ranks);
        recv_counts.resize(ranks);
        send_types.assign(ranks, send_type);
        recv_types.assign(ranks, recv_type);
        send_counts[static_cast<std::size_t>(right)] = send_count;
        recv_counts[static_cast<std::size_t>(left)] = recv_count;
        CHECK_MPI(MPI_Alltoallw_init(from, send_counts.data(), places.data(), send_types.data(), to,
                                     recv_counts.data(), places.data(), recv_types.data(),
                                     MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    }
    ~Exchange() { free_request(request); }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
};

enum class Packed { by_library, by_host };

// Runs a request, and looks who packs.
void run(MPI_Request& request, Packed packed) {
    const int before = host_packs();
    start_and_wait(request);
    CHECK((host_packs() > before) == (packed == Packed::by_host));
}

void send_typed(MPI_Datatype type, int count, Packed packed = Packed::by_library) {
    Elements data(type, count), theirs(type, count);
    Bytes arrived(static_cast<std::size_t>(data.size()));
    Exchange exchange(data.data(), count, type, arrived.data(), data.size(), MPI_BYTE);
    for (int round = 0; round < 2; round++) {
        data.fill(rank_of(), round);
        theirs.fill(exchange.left, round);
        std::fill(arrived.begin(), arrived.end(), std::uint8_t{0});
        run(exchange.request, packed);
        CHECK(difference(theirs.packed(), arrived) == "");
    }
}

void receive_typed(MPI_Datatype type, int count, Packed packed = Packed::by_library) {
    Elements data(type, count), expected(type, count);
    if (data.overlap()) return;
    Bytes bytes(static_cast<std::size_t>(data.size())), theirs(bytes.size());
    Exchange exchange(bytes.data(), data.size(), MPI_BYTE, data.data(), count, type);
    for (int round = 0; round < 2; round++) {
        for (std::size_t i = 0; i < bytes.size(); i++) {
            bytes[i] = static_cast<std::uint8_t>(value_at(rank_of(), 7 + round, i));
            theirs[i] = static_cast<std::uint8_t>(value_at(exchange.left, 7 + round, i));
        }
        data.fill(rank_of(), round);
        expected.fill(rank_of(), round);
        expected.unpack(theirs);
        run(exchange.request, packed);
        CHECK(difference(expected.memory(), data.memory()) == "");
    }
}

// A reduction of one rank copies elements from one buffer to the other.
void copy_elements(MPI_Datatype type, int count, Packed packed = Packed::by_library) {
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    Elements from(type, count), to(type, count), expected(type, count);
    if (extent < 0 || to.overlap()) return;
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &op);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(from.data(), to.data(), count, type, op, MPI_COMM_SELF,
                                 MPI_INFO_NULL, &request));
    from.fill(rank_of(), 3);
    to.fill(rank_of(), 4);
    expected.fill(rank_of(), 4);
    expected.unpack(from.packed());
    run(request, packed);
    CHECK(difference(expected.memory(), to.memory()) == "");
    free_request(request);
    MPI_Op_free(&op);
}

void compare_with_host(const Type& type, const char* name) {
    for (const int count : {0, 1, 2, 5}) {
        INFO(name << ", " << count << " elements");
        send_typed(type, count);
        receive_typed(type, count);
        if (count > 0) copy_elements(type, count);
    }
}

template<class Make>
void compare_with_host(const char* name, Make make) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    make(&type);
    compare_with_host(Type(type), name);
}

Type structure(const std::vector<int>& lengths, const std::vector<MPI_Aint>& places,
               const std::vector<MPI_Datatype>& types) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), places.data(),
                           types.data(), &type);
    return Type(type);
}

Type subarray(const std::vector<int>& sizes, const std::vector<int>& parts,
              const std::vector<int>& starts, int order, MPI_Datatype of) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), parts.data(),
                             starts.data(), order, of, &type);
    return Type(type);
}

} // namespace

TEST_CASE("the host's own types with gaps") {
    for (const MPI_Datatype type :
         {MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT, MPI_FLOAT_INT})
        compare_with_host("a pair", [&](MPI_Datatype* made) { MPI_Type_dup(type, made); });
    compare_with_host("F90 real", [](MPI_Datatype* made) {
        MPI_Datatype real = MPI_DATATYPE_NULL;
        MPI_Type_create_f90_real(12, MPI_UNDEFINED, &real);
        MPI_Type_vector(3, 2, 4, real, made);
    });
}

TEST_CASE("vectors of every length of block") {
    for (int length = 1; length <= 70; length++) {
        const Type bytes = vector_of(9, length, length + 3, MPI_CHAR);
        compare_with_host(bytes, "a vector of blocks");
    }
}

TEST_CASE("vectors") {
    compare_with_host(vector_of(1000, 1, 8, MPI_DOUBLE), "strided doubles");
    compare_with_host(vector_of(5, 2, 2), "without gaps");
    compare_with_host(vector_of(5, 2, -3), "backwards");
    compare_with_host(vector_of(4, 3, 0), "the same again and again");
    compare_with_host(vector_of(3, 2, 5, vector_of(4, 1, 2)), "of vectors");
    compare_with_host(resized(vector_of(6, 1, 4), 0, sizeof(int)), "a column");
    compare_with_host(resized(vector_of(6, 1, 4), 8, 20), "with a lower bound above its data");
    compare_with_host(
        "of bytes", [](MPI_Datatype* made) { MPI_Type_create_hvector(7, 2, 13, MPI_SHORT, made); });
    compare_with_host("an extent below zero", [](MPI_Datatype* made) {
        MPI_Type_create_resized(vector_of(3, 1, 2), 0, -24, made);
    });
}

TEST_CASE("lists of blocks") {
    compare_with_host(indexed({1, 2, 1}, {4, 0, 7}), "permuted");
    compare_with_host(indexed({1, 2, 1}, {3, 0, 2}), "permuted without gaps");
    compare_with_host(indexed({2, 0, 3, 1}, {0, 5, 2, 5}), "that touch");
    compare_with_host(indexed({3, 3, 3, 3}, {0, 5, 10, 15}), "regular ones");
    compare_with_host(indexed({1, 1, 1, 1, 2}, {0, 2, 4, 6, 7}), "of which the last two touch");
    compare_with_host(indexed({2, 2, 2}, {0, 9, 13}, vector_of(3, 1, 2)), "of vectors");
    compare_with_host(indexed({1, 1, 1, 1}, {0, 1, 4, 5}, vector_of(3, 1, 2)), "in pairs");
    std::vector<int> places, lengths;
    for (int i = 0; i < 900; i++) {
        places.push_back(i * 7 + static_cast<int>(mix(1, 2, static_cast<std::uint32_t>(i)) % 5u));
        lengths.push_back(1 + i % 2);
    }
    for (const MPI_Datatype of : {MPI_CHAR, MPI_DOUBLE, MPI_SHORT_INT}) {
        compare_with_host(indexed(std::vector<int>(900, 1), places, of), "irregular");
        compare_with_host(indexed(lengths, places, of), "irregular in length too");
        compare_with_host(indexed(std::vector<int>(900, 1), places, vector_of(2, 1, 3, of)),
                          "irregular vectors");
    }
}

// More pieces than the library keeps: the host packs them.
TEST_CASE("a type too irregular to flatten") {
    std::vector<int> lengths, places;
    for (int i = 0, place = 0; i < 200'000; i++) {
        lengths.push_back(1 + static_cast<int>(mix(3, static_cast<std::uint32_t>(i)) % 2u));
        places.push_back(place);
        place += 3 + static_cast<int>(mix(5, static_cast<std::uint32_t>(i)) % 3u);
    }
    const Type type = indexed(lengths, places, MPI_CHAR);
    send_typed(type, 2, Packed::by_host);
    receive_typed(type, 2, Packed::by_host);
    copy_elements(type, 2, Packed::by_host);
}

TEST_CASE("structures") {
    compare_with_host(structure({1, 1, 1}, {0, 8, 20}, {MPI_CHAR, MPI_DOUBLE, MPI_INT}), "members");
    compare_with_host(structure({2, 1, 2}, {40, -8, 0}, {MPI_SHORT_INT, MPI_DOUBLE, MPI_INT}),
                      "out of order, below the address");
    const Type inner = structure({1, 1}, {0, 8}, {MPI_CHAR, MPI_DOUBLE});
    compare_with_host(structure({1, 1, 1}, {0, 16, 24}, {inner, MPI_INT, inner}), "of structures");
    compare_with_host(structure({1, 3, 1}, {0, 16, 64}, {MPI_INT, inner, MPI_INT}),
                      "with an array");
    compare_with_host(structure({1, 1}, {0, 4}, {MPI_INT, MPI_INT}), "without gaps");
    compare_with_host(structure({0, 1, 0}, {0, 4, 8}, {MPI_INT, MPI_INT, MPI_INT}), "almost empty");
    compare_with_host(structure({}, {}, {}), "empty");
    compare_with_host(resized(structure({1, 1}, {0, 16}, {inner, vector_of(2, 1, 2)}), 0, 56),
                      "repeated");
}

TEST_CASE("parts of arrays") {
    for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN})
        for (const MPI_Datatype of : {MPI_DOUBLE, MPI_CHAR, MPI_SHORT_INT}) {
            compare_with_host(subarray({7}, {3}, {2}, order, of), "1-D");
            compare_with_host(subarray({5, 7}, {3, 2}, {1, 4}, order, of), "2-D");
            compare_with_host(subarray({5, 7}, {2, 7}, {1, 0}, order, of), "rows");
            compare_with_host(subarray({5, 6, 7}, {3, 4, 1}, {1, 1, 5}, order, of), "a face");
            compare_with_host(subarray({5, 6, 7}, {1, 6, 7}, {3, 0, 0}, order, of), "another");
            compare_with_host(subarray({3, 4, 5, 6}, {2, 3, 2, 4}, {1, 0, 3, 2}, order, of), "4-D");
        }
}

TEST_CASE("distributed arrays") {
    struct Case {
        std::vector<int> sizes, distributions, arguments, grid;
    };
    const int block = MPI_DISTRIBUTE_BLOCK, cyclic = MPI_DISTRIBUTE_CYCLIC,
              none = MPI_DISTRIBUTE_NONE, usual = MPI_DISTRIBUTE_DFLT_DARG;
    const Case cases[] = {{{10}, {block}, {usual}, {4}},
                          {{17}, {cyclic}, {3}, {4}},
                          {{6, 9}, {block, cyclic}, {usual, 2}, {2, 2}},
                          {{6, 9}, {cyclic, none}, {usual, usual}, {4, 1}},
                          {{5, 6, 7}, {block, none, cyclic}, {3, usual, usual}, {2, 1, 2}}};
    for (const Case& one : cases)
        for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN})
            for (int rank = 0; rank < 4; rank++) {
                INFO("rank " << rank << " of 4, " << one.sizes.size() << " dimensions");
                compare_with_host("a share", [&](MPI_Datatype* made) {
                    MPI_Type_create_darray(4, rank, static_cast<int>(one.sizes.size()),
                                           one.sizes.data(), one.distributions.data(),
                                           one.arguments.data(), one.grid.data(), order, MPI_INT,
                                           made);
                });
            }
}

#if MPI_VERSION >= 4
TEST_CASE("types made with large counts") {
    const MPI_Count lengths[] = {1, 2, 3}, places[] = {10, 0, 24};
    const MPI_Count sizes[] = {6, 7}, parts[] = {4, 5}, starts[] = {1, 2};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_CHAR};
    using Made = MPI_Datatype*;
    compare_with_host("contiguous", [](Made made) { MPI_Type_contiguous_c(3, MPI_INT, made); });
    compare_with_host("vector", [](Made made) { MPI_Type_vector_c(3, 2, 5, MPI_INT, made); });
    compare_with_host("hvector",
                      [](Made made) { MPI_Type_create_hvector_c(3, 2, 50, MPI_INT, made); });
    compare_with_host("indexed",
                      [&](Made made) { MPI_Type_indexed_c(3, lengths, places, MPI_INT, made); });
    compare_with_host("hindexed", [&](Made made) {
        MPI_Type_create_hindexed_c(3, lengths, places, MPI_SHORT, made);
    });
    compare_with_host("indexed_block", [&](Made made) {
        MPI_Type_create_indexed_block_c(3, 7, places, MPI_INT, made);
    });
    compare_with_host("hindexed_block", [&](Made made) {
        MPI_Type_create_hindexed_block_c(3, 2, places, MPI_INT, made);
    });
    compare_with_host(
        "struct", [&](Made made) { MPI_Type_create_struct_c(3, lengths, places, types, made); });
    for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN})
        compare_with_host("subarray", [&](Made made) {
            MPI_Type_create_subarray_c(2, sizes, parts, starts, order, MPI_INT, made);
        });
    const int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[] = {2, 2};
    compare_with_host("darray", [&](Made made) {
        MPI_Type_create_darray_c(4, 1, 2, sizes, distributions, arguments, grid, MPI_ORDER_C,
                                 MPI_INT, made);
    });
    compare_with_host("resized",
                      [](Made made) { MPI_Type_create_resized_c(MPI_INT, -4, 40, made); });
}
#endif

TEST_CASE("random types") {
    for (std::uint32_t seed = 0; seed < 600; seed++) {
        RandomTypes random(seed);
        const Type type = random.make(random.between(1, 5), 3000);
        compare_with_host(type, ("seed " + std::to_string(seed)).c_str());
    }
}
