// SPDX-License-Identifier: BSD-3-Clause
//
// What the drivers' headers would say stands here, as far as it is used: a driver's library is
// never linked. A library may be loaded at any time, so they are looked for again when the process
// has loaded something.
#include "host/device_memory.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace mpix::host {
namespace {

// Of cuda.h. A pointer that is none of CUDA's is an error there.
bool is_cuda_device(void* library, const void* address) {
    using Ask = int(void* data, int attribute, unsigned long long pointer);
    constexpr int memory_type = 2, is_managed = 8; // CUpointer_attribute
    constexpr unsigned on_device = 2;              // CUmemorytype
    auto* const ask = reinterpret_cast<Ask*>(dlsym(library, "cuPointerGetAttribute"));
    const auto pointer = reinterpret_cast<std::uintptr_t>(address);
    unsigned type = 0, managed = 0;
    if (!ask || ask(&type, memory_type, pointer) != 0 || type != on_device) return false;
    return ask(&managed, is_managed, pointer) != 0 || managed == 0;
}

// Of hip_runtime_api.h. Here too an unknown pointer is an error, which the program must not find as
// its last one.
template<int on_device> // hipMemoryType: the numbers are others since 6.0
bool is_hip_device(void* library, const void* address) {
    struct Attributes {
        int type;
        int device;
        void* device_pointer;
        void* host_pointer;
        int is_managed;
        unsigned flags;
        char more[64];
    };
    using Ask = int(Attributes*, const void*);
    using LastError = int();
    auto* const ask = reinterpret_cast<Ask*>(dlsym(library, "hipPointerGetAttributes"));
    auto* const peek = reinterpret_cast<LastError*>(dlsym(library, "hipPeekAtLastError"));
    auto* const take = reinterpret_cast<LastError*>(dlsym(library, "hipGetLastError"));
    const bool has_failed_before = peek && peek() != 0;
    Attributes found{};
    if (!ask) return false;
    if (ask(&found, address) == 0) return found.type == on_device && found.is_managed == 0;
    if (take && !has_failed_before) take();
    return false;
}

struct Driver {
    const char* name;
    bool (*is_device)(void* library, const void* address);
    std::atomic<void*> library{nullptr}; // kept; relaxed: dlopen has seen to what it leads to
};
Driver drivers[] = {{"libcuda.so.1", is_cuda_device},
                    {"libamdhip64.so.7", is_hip_device<2>},
                    {"libamdhip64.so.6", is_hip_device<2>},
                    {"libamdhip64.so.5", is_hip_device<1>}};

// Release and acquire pair: who finds the number finds the libraries.
constinit std::atomic<unsigned long long> loads_seen{0};

unsigned long long loads_so_far() {
    unsigned long long loads = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            *static_cast<unsigned long long*>(to) = info->dlpi_adds;
            return 1;
        },
        &loads);
    return loads;
}

const ElfW(Dyn) * dynamic_section(const dl_phdr_info& info) {
    for (int i = 0; i < info.dlpi_phnum; ++i)
        if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
            return reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    return nullptr;
}

// Empty if it has none.
std::string_view soname_of(const dl_phdr_info& info) {
    ElfW(Addr) names = 0;
    std::optional<ElfW(Xword)> soname;
    for (auto* entry = dynamic_section(info); entry && entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) names = entry->d_un.d_ptr;
        if (entry->d_tag == DT_SONAME) soname = entry->d_un.d_val;
    }
    if (!names || !soname) return {};
    // The loader has made it an address, but where the section cannot be written.
    if (names < info.dlpi_addr) names += info.dlpi_addr;
    return reinterpret_cast<const char*>(names + *soname);
}

// dlopen alone would look for the file of what is not loaded, in many folders.
std::array<bool, std::size(drivers)> find_loaded() {
    std::array<bool, std::size(drivers)> found{};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            auto& all = *static_cast<decltype(found)*>(to);
            const std::string_view soname = soname_of(*info);
            for (std::size_t i = 0; i < all.size(); ++i)
                if (soname == drivers[i].name) all[i] = true;
            return 0;
        },
        &found);
    return found;
}

void find_drivers() {
    const unsigned long long loads = loads_so_far();
    if (loads == loads_seen.load(std::memory_order_acquire)) return;
    const auto is_loaded = find_loaded();
    for (std::size_t i = 0; i < std::size(drivers); ++i)
        if (is_loaded[i] && !drivers[i].library.load(std::memory_order_relaxed))
            drivers[i].library.store(dlopen(drivers[i].name, RTLD_LAZY | RTLD_NOLOAD),
                                     std::memory_order_relaxed);
    loads_seen.store(loads, std::memory_order_release);
}

} // namespace

bool may_have_devices() noexcept {
    find_drivers();
    return std::any_of(std::begin(drivers), std::end(drivers), [](const Driver& driver) {
        return driver.library.load(std::memory_order_relaxed) != nullptr;
    });
}

bool is_device_memory(const void* address) noexcept {
    find_drivers();
    return address &&
           std::any_of(std::begin(drivers), std::end(drivers), [&](const Driver& driver) {
               void* const library = driver.library.load(std::memory_order_relaxed);
               return library && driver.is_device(library, address);
           });
}

} // namespace mpix::host
