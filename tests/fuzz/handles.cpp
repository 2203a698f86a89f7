// SPDX-License-Identifier: BSD-3-Clause
// Each inner datatype is freed as soon as the outer one stands.
#include "handles.hpp"

#include <array>
#include <utility>

namespace fuzz {
namespace {

MPI_Datatype predefined(Base base) {
    switch (base) {
    case Base::character: return MPI_CHAR;
    case Base::byte: return MPI_BYTE;
    case Base::signed_char: return MPI_SIGNED_CHAR;
    case Base::unsigned_char: return MPI_UNSIGNED_CHAR;
    case Base::short_int: return MPI_SHORT;
    case Base::unsigned_short: return MPI_UNSIGNED_SHORT;
    case Base::integer: return MPI_INT;
    case Base::unsigned_int: return MPI_UNSIGNED;
    case Base::long_int: return MPI_LONG;
    case Base::unsigned_long: return MPI_UNSIGNED_LONG;
    case Base::single: return MPI_FLOAT;
    case Base::real: return MPI_DOUBLE;
    case Base::complex: return MPI_C_DOUBLE_COMPLEX;
    case Base::two_ints: return MPI_2INT;
    case Base::real_and_int: return MPI_DOUBLE_INT;
    case Base::long_and_int: return MPI_LONG_INT;
    default: return MPI_SHORT_INT;
    }
}

bool is_predefined(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    MUST(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    return combiner == MPI_COMBINER_NAMED;
}

MPI_Datatype construct(const Type& type, std::vector<MPI_Datatype>& inner) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int* lengths = type.lengths.data();
    const std::vector<MPI_Aint> bytes(type.places.begin(), type.places.end());
    const std::vector<int> places(type.places.begin(), type.places.end());
    const auto blocks = static_cast<int>(places.size());
    switch (type.constructor) {
    case Constructor::named: return predefined(type.base);
    case Constructor::contiguous: MUST(MPI_Type_contiguous(lengths[0], inner[0], &made)); break;
    case Constructor::vector:
        MUST(MPI_Type_vector(lengths[0], lengths[1], places[0], inner[0], &made));
        break;
    case Constructor::hvector:
        MUST(MPI_Type_create_hvector(lengths[0], lengths[1], bytes[0], inner[0], &made));
        break;
    case Constructor::indexed:
        MUST(MPI_Type_indexed(blocks, lengths, places.data(), inner[0], &made));
        break;
    case Constructor::hindexed:
        MUST(MPI_Type_create_hindexed(blocks, lengths, bytes.data(), inner[0], &made));
        break;
    case Constructor::indexed_block:
        MUST(MPI_Type_create_indexed_block(blocks, lengths[0], places.data(), inner[0], &made));
        break;
    case Constructor::structure:
        MUST(MPI_Type_create_struct(blocks, lengths, bytes.data(), inner.data(), &made));
        break;
    case Constructor::resized:
        MUST(MPI_Type_create_resized(inner[0], bytes[0], bytes[1], &made));
        break;
    case Constructor::duplicate: MUST(MPI_Type_dup(inner[0], &made)); break;
    }
    return made;
}

MPI_Datatype build(const Types& types, int number) {
    std::vector<MPI_Datatype> inner;
    for (const int part : types[number].inner) inner.push_back(build(types, part));
    const MPI_Datatype made = construct(types[number], inner);
    for (MPI_Datatype& part : inner) free_type(part);
    return made;
}

void hold_against(const Layout& layout, MPI_Datatype type, const std::string& text) {
    MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    int size = 0;
    MUST(MPI_Type_get_extent(type, &lower, &extent));
    MUST(MPI_Type_get_true_extent(type, &true_lower, &true_extent));
    MUST(MPI_Type_size(type, &size));
    if (lower != layout.lower || extent != layout.extent() || size != layout.size ||
        true_lower != layout.true_lower || true_extent != layout.true_upper - layout.true_lower)
        fail("the host has other bounds for " + text + ": lower " + std::to_string(lower) +
             ", extent " + std::to_string(extent) + ", size " + std::to_string(size) +
             ", true lower " + std::to_string(true_lower) + ", true extent " +
             std::to_string(true_extent) + "; expected " + std::to_string(layout.lower) + ", " +
             std::to_string(layout.extent()) + ", " + std::to_string(layout.size) + ", " +
             std::to_string(layout.true_lower) + ", " +
             std::to_string(layout.true_upper - layout.true_lower));
}

// ---- Operations of the user ----

struct UserFunction {
    const Layout* layout = nullptr;
    Function function = Function::user_sum;
};

constexpr std::size_t user_functions = 16;
UserFunction user_function[user_functions];

template<std::size_t slot>
void apply(void* in, void* inout, int* length, MPI_Datatype*) {
    const auto [layout, function] = user_function[slot];
    for (long i = 0; i < *length; i++)
        for (const Entry& entry : layout->map) {
            const Offset place = i * layout->extent() + entry.offset;
            combine(function, entry.base, static_cast<const std::byte*>(in) + place,
                    static_cast<std::byte*>(inout) + place);
        }
}

template<std::size_t... slots>
constexpr std::array<MPI_User_function*, sizeof...(slots)> all(std::index_sequence<slots...>) {
    return {&apply<slots>...};
}
constexpr auto user_entries = all(std::make_index_sequence<user_functions>());

// ---- Communicators ----

MPI_Comm join(const Program& program, const Communicator& made, MPI_Comm parent, int own) {
    MPI_Comm local = MPI_COMM_NULL, joined = MPI_COMM_NULL;
    const int colour = made.colours[at(own)];
    MUST(MPI_Comm_split(parent, colour < 0 ? MPI_UNDEFINED : colour, made.keys[at(own)], &local));
    if (local == MPI_COMM_NULL) return joined;
    const int leader = made.members[at(colour == 0 ? made.first_group : 0)];
    const int remote = program.comms[at(made.parent)].member_of(leader);
    MUST(MPI_Intercomm_create(local, 0, parent, remote, 90, &joined));
    MUST(MPI_Comm_free(&local));
    return joined;
}

MPI_Comm make_graph(const Communicator& made, MPI_Comm parent) {
    std::vector<int> index, edges;
    for (const auto& list : made.destinations) {
        edges.insert(edges.end(), list.begin(), list.end());
        index.push_back(static_cast<int>(edges.size()));
    }
    edges.push_back(0); // an empty list has an address too
    MPI_Comm graph = MPI_COMM_NULL;
    MUST(MPI_Graph_create(parent, made.size(), index.data(), edges.data(), 0, &graph));
    return graph;
}

// To Open MPI 5 a graph that was made of a Cartesian communicator is one, and it looks for its
// dimensions at address 0.
const bool keeps_topologies = open_mpi_version() >= 50000;

MPI_Comm make_dist_graph(const Communicator& made, MPI_Comm of, int own) {
    MPI_Comm parent = of;
    if (keeps_topologies) MUST(MPI_Comm_split(of, 0, own, &parent));
    std::vector<int> sources = made.sources[at(own)], destinations = made.destinations[at(own)];
    const auto in = static_cast<int>(sources.size()), out = static_cast<int>(destinations.size());
    sources.push_back(0);
    destinations.push_back(0);
    const std::vector<int> in_weights(sources.size(), 1), out_weights(destinations.size(), 1);
    MPI_Comm graph = MPI_COMM_NULL;
    MUST(MPI_Dist_graph_create_adjacent(parent, in, sources.data(), in_weights.data(), out,
                                        destinations.data(), out_weights.data(), MPI_INFO_NULL, 0,
                                        &graph));
    if (parent != of) MUST(MPI_Comm_free(&parent));
    return graph;
}

} // namespace

MPI_Datatype make_type(const Types& types, int number) {
    MPI_Datatype made = build(types, number);
    if (types[number].constructor != Constructor::named) MUST(MPI_Type_commit(&made));
    hold_against(types[number].layout, made, types.text(number));
    return made;
}

void free_type(MPI_Datatype& type) {
    if (type != MPI_DATATYPE_NULL && !is_predefined(type)) MUST(MPI_Type_free(&type));
    type = MPI_DATATYPE_NULL;
}

MPI_Op make_op(const Types& types, const Operation& operation) {
    static const MPI_Op predefined_ops[] = {MPI_SUM,  MPI_PROD, MPI_MIN,    MPI_MAX,
                                            MPI_BAND, MPI_BOR,  MPI_BXOR,   MPI_LAND,
                                            MPI_LOR,  MPI_LXOR, MPI_MINLOC, MPI_MAXLOC};
    if (!is_user(operation.function))
        return predefined_ops[static_cast<std::size_t>(operation.function)];
    const std::size_t slot = at(operation.slot);
    user_function[slot] = {&types[operation.element].layout, operation.function};
    MPI_Op op = MPI_OP_NULL;
    MUST(MPI_Op_create(user_entries[slot], operation.says_commutative, &op));
    return op;
}

void free_op(MPI_Op& op, const Operation& operation) {
    if (op != MPI_OP_NULL && is_user(operation.function)) MUST(MPI_Op_free(&op));
    op = MPI_OP_NULL;
}

MPI_Comm make_comm(const Program& program, int number, const std::vector<MPI_Comm>& comms,
                   int world_rank) {
    using Made = Communicator::Made;
    const Communicator& made = program.comms[at(number)];
    const MPI_Comm parent = comms[at(made.parent)];
    MPI_Comm comm = MPI_COMM_NULL;
    if (parent == MPI_COMM_NULL) return comm;
    const int own = program.comms[at(made.parent)].member_of(world_rank);
    if (made.copied) {
        MUST(MPI_Comm_dup(parent, &comm));
        return comm;
    }
    switch (made.made) {
    case Made::world: break;
    case Made::split:
        MUST(MPI_Comm_split(parent, made.colours[at(own)] < 0 ? MPI_UNDEFINED : 7,
                            made.keys[at(own)], &comm));
        break;
    case Made::cartesian:
        MUST(MPI_Cart_create(parent, static_cast<int>(made.dims.size()), made.dims.data(),
                             made.periods.data(), 0, &comm));
        break;
    case Made::graph: return make_graph(made, parent);
    case Made::dist_graph: return make_dist_graph(made, parent, own);
    case Made::inter: return join(program, made, parent, own);
    }
    return comm;
}

} // namespace fuzz
