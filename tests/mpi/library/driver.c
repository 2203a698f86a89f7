/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A driver of GPUs that has none: it says so of what it is told to call the memory of a device, or
 * managed. TYPE_ON_DEVICE chooses between CUDA (not defined), and HIP before and since 6.0. */
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

static uintptr_t first, end;
static int is_managed;

EXPORT void driver_has(const void* memory, size_t bytes, int managed) {
    first = (uintptr_t)memory;
    end = first + bytes;
    is_managed = managed;
}

static int is_mine(uintptr_t address) { return address >= first && address < end; }

#ifndef TYPE_ON_DEVICE

EXPORT int driver_last_error(void) { return 0; }

EXPORT int cuPointerGetAttribute(void* data, int attribute, unsigned long long pointer) {
    enum { memory_type = 2, managed = 8, on_device = 2, invalid_value = 1 };
    if (!is_mine((uintptr_t)pointer)) return invalid_value;
    if (attribute != memory_type && attribute != managed) return invalid_value;
    *(unsigned*)data = attribute == memory_type ? on_device : (unsigned)is_managed;
    return 0;
}

#else

static int last_error;

struct attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    int is_managed;
    unsigned flags;
};

EXPORT int driver_last_error(void) { return last_error; }
EXPORT int hipPeekAtLastError(void) { return last_error; }
EXPORT int hipGetLastError(void) {
    const int last = last_error;
    last_error = 0;
    return last;
}

EXPORT int hipPointerGetAttributes(struct attributes* into, const void* pointer) {
    if (!is_mine((uintptr_t)pointer)) return last_error = 1;
    *into = (struct attributes){.type = TYPE_ON_DEVICE, .is_managed = is_managed};
    return 0;
}

#endif
