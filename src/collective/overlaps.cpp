// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of types with gaps may interleave without sharing a byte. So where the regions of blocks
// overlap they are unpacked, one after another, into a map of the bytes that each of them writes.
#include "collective/overlaps.hpp"

#include "collective/neighborhood.hpp"
#include "datatype/layout.hpp"

#include <algorithm>
#include <numeric>

namespace mpix::collective {
namespace {

// A block, and the bytes from its first to its last.
struct Region {
    std::size_t block;
    std::int64_t count;
    MPI_Datatype type;
    std::int64_t size, extent; // of an element
    std::int64_t begin;
    std::int64_t end;
};

Region region_of(const Side& side, std::size_t block) {
    const TypedBlock data = typed_block(side, block);
    const datatype::Bounds bounds(data.type);
    const std::int64_t first = data.address - side.buffer;
    const std::int64_t last = first + (data.count - 1) * bounds.extent;
    return {block,
            data.count,
            data.type,
            data.size,
            data.extent,
            std::min(first, last) + bounds.true_lb,
            std::max(first, last) + bounds.true_lb + bounds.true_extent};
}

// The numbers of the blocks that are received.
std::vector<std::size_t> blocks_of(const Arguments& arguments) {
    std::vector<std::size_t> blocks;
    const plan::Kind of = kind(arguments.collective);
    if (of == plan::Kind::neighbor) { // not those of MPI_PROC_NULL
        for (const Neighbor& edge : neighborhood(arguments.comm).sources)
            blocks.push_back(edge.block);
        return blocks;
    }
    if (of != plan::Kind::gather && of != plan::Kind::allgather && of != plan::Kind::alltoall)
        return blocks; // one at most
    int is_inter = 0, ranks = 1;
    HOST(Comm_test_inter)(arguments.comm, &is_inter);
    is_inter ? HOST(Comm_remote_size)(arguments.comm, &ranks)
             : HOST(Comm_size)(arguments.comm, &ranks);
    blocks.resize(static_cast<std::size_t>(ranks));
    std::iota(blocks.begin(), blocks.end(), std::size_t{0});
    return blocks;
}

std::vector<Region> regions_of(const Arguments& arguments) {
    std::vector<Region> regions;
    if (arguments.recv.types.empty()) return regions;
    for (const std::size_t i : blocks_of(arguments))
        if (const Region region = region_of(arguments.recv, i); region.count > 0 && region.size > 0)
            regions.push_back(region);
    std::sort(regions.begin(), regions.end(),
              [](const Region& a, const Region& b) { return a.begin < b.begin; });
    return regions;
}

// Which bytes from `begin` to `end` are written, as 0 or 1 each.
class Map {
  public:
    Map(std::int64_t begin, std::int64_t end)
        : begin_(begin), bytes_(static_cast<std::size_t>(end - begin)) {}

    // Marks the block. False if it writes a byte that was marked.
    bool mark(const Region& region) {
        const auto before = marked();
        const std::int64_t bytes = region.count * region.size;
        const std::vector<std::byte> ones(static_cast<std::size_t>(bytes), std::byte{1});
        int position = 0;
        const std::int64_t element = region.size;
        for (std::int64_t i = 0; i < region.count; ++i) {
            position = 0;
            HOST(Unpack)
            (ones.data(), static_cast<int>(element), &position, place(region, i), 1, region.type,
             host::self());
        }
        return marked() - before == bytes;
    }

  private:
    std::byte* place(const Region& region, std::int64_t element) {
        const datatype::Bounds bounds(region.type);
        const std::int64_t lowest = region.extent < 0 ? (region.count - 1) * region.extent : 0;
        return bytes_.data() + (region.begin - bounds.true_lb - lowest - begin_) +
               element * region.extent;
    }
    std::int64_t marked() const { return std::count(bytes_.begin(), bytes_.end(), std::byte{1}); }

    std::int64_t begin_;
    std::vector<std::byte> bytes_;
};

bool share_a_byte(const Region& a, const Region& b) {
    Map map(std::min(a.begin, b.begin), std::max(a.end, b.end));
    map.mark(a);
    return !map.mark(b);
}

} // namespace

std::string overlapping_blocks(const Arguments& arguments) {
    const std::vector<Region> regions = regions_of(arguments);
    for (std::size_t i = 0; i < regions.size(); ++i)
        for (std::size_t j = i + 1; j < regions.size() && regions[j].begin < regions[i].end; ++j)
            if (share_a_byte(regions[i], regions[j])) {
                const auto [low, high] = std::minmax(regions[i].block, regions[j].block);
                return "receive blocks " + std::to_string(low) + " and " + std::to_string(high) +
                       " overlap";
            }
    return "";
}

} // namespace mpix::collective
