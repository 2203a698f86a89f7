// SPDX-License-Identifier: BSD-3-Clause
//
// What a call of the Fortran modules does with its arguments before and after the call in C.
// Objects that write something back do so when they end, after the call.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpix/mpix.h>

#include "buffer.hpp"
#include "intercept/languages.h"

#include <algorithm>
#include <new>
#include <string>
#include <vector>

// A call of the module mpix, and the same one of mpix_f08: by another name, since a compiler that
// sees both modules expects different types of arguments.
#define MPIX_FORTRAN extern "C" [[gnu::visibility("default")]]
#define MPIX_F08_ALIAS(result, name, parameters)                                                   \
    extern "C" [[gnu::visibility("default"),                                                       \
                 gnu::alias("mpix_fortran_" #name)]] result mpix_f08_##name parameters

namespace mpix::fortran {

static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of INTEGER are handed on as they are");

// An array of handles that is read; null where an optional one is absent.
template<auto convert>
class Handles {
  public:
    Handles(const MPI_Fint* handles, int n) : is_there_(handles) {
        if (handles)
            std::transform(handles, handles + std::max(n, 0), std::back_inserter(all_), convert);
    }
    // Datatypes, which are not looked at where the buffer is in place.
    Handles(const MPI_Fint* handles, const Buffer& buffer, int n)
        : Handles(handles, buffer.is_in_place() ? 0 : n) {}
    auto* data() const { return is_there_ ? all_.data() : nullptr; }

  private:
    bool is_there_;
    std::vector<decltype(convert(0))> all_;
};
// MPI's conversions may be macros.
using Datatypes = Handles<[](MPI_Fint handle) { return MPI_Type_f2c(handle); }>;
using Infos = Handles<[](MPI_Fint handle) { return MPI_Info_f2c(handle); }>;
using Requests = Handles<[](MPI_Fint handle) { return MPI_Request_f2c(handle); }>;

// How many blocks there are, each with its datatype.
int ranks(MPI_Comm comm);
int ranks(MPI_Comm comm, int root); // at root, elsewhere 0
int sources(MPI_Comm comm);
int destinations(MPI_Comm comm);

// A request that the call gets and may replace.
class HeldRequest {
  public:
    explicit HeldRequest(MPI_Fint& place) : place_(place), request_(MPI_Request_f2c(place)) {}
    ~HeldRequest() { place_ = MPI_Request_c2f(request_); }
    HeldRequest(const HeldRequest&) = delete;
    HeldRequest& operator=(const HeldRequest&) = delete;
    MPI_Request* address() { return &request_; }

  private:
    MPI_Fint& place_;
    MPI_Request request_;
};

// A request that the call makes; nothing is written after an error.
class NewRequest {
  public:
    explicit NewRequest(MPI_Fint& place) : place_(place) {}
    ~NewRequest() {
        if (request_ != MPI_REQUEST_NULL) place_ = MPI_Request_c2f(request_);
    }
    NewRequest(const NewRequest&) = delete;
    NewRequest& operator=(const NewRequest&) = delete;
    MPI_Request* address() { return &request_; }

  private:
    MPI_Fint& place_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

class WrittenRequests {
  public:
    WrittenRequests(MPI_Fint* places, int n)
        : places_(places), all_(std::size_t(std::max(n, 0)), MPI_REQUEST_NULL) {}
    ~WrittenRequests() {
        std::transform(all_.begin(), all_.end(), places_,
                       [](MPI_Request request) { return MPI_Request_c2f(request); });
    }
    WrittenRequests(const WrittenRequests&) = delete;
    WrittenRequests& operator=(const WrittenRequests&) = delete;
    MPI_Request* data() { return all_.data(); }

  protected:
    MPI_Fint* const places_;
    std::vector<MPI_Request> all_;
};

// After an error all that were not made are MPI_REQUEST_NULL.
using NewRequests = WrittenRequests;

class HeldRequests : public WrittenRequests {
  public:
    HeldRequests(MPI_Fint* places, int n) : WrittenRequests(places, n) {
        std::transform(places, places + all_.size(), all_.begin(),
                       [](MPI_Fint handle) { return MPI_Request_f2c(handle); });
    }
};

// A place in an array, which Fortran counts from one.
class Place {
  public:
    explicit Place(MPI_Fint* place) : place_(place) {}
    ~Place() { *place_ = value_ == MPI_UNDEFINED ? value_ : value_ + 1; }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    int* address() { return &value_; }

  private:
    MPI_Fint* const place_;
    int value_ = MPI_UNDEFINED;
};

// As many places as the call says that it has found.
class Places {
  public:
    Places(MPI_Fint* places, MPI_Fint* found) : places_(places), found_(found) { *found = 0; }
    ~Places() {
        for (MPI_Fint i = 0; i < *found_; ++i) ++places_[i];
    }
    Places(const Places&) = delete;
    Places& operator=(const Places&) = delete;
    MPI_Fint* data() const { return places_; }

  private:
    MPI_Fint* const places_;
    MPI_Fint* const found_;
};

// Makes the call; ierror is null where the program has left it out.
template<class Body>
void answer(MPI_Fint* ierror, const char* call, MPI_Comm comm, Body body) {
    int code;
    try {
        code = body();
    } catch (const NoDatatype& refused) {
        code =
            MPIX_Raise(comm, MPI_ERR_BUFFER, (std::string(call) + ": " + refused.text()).c_str());
    } catch (const std::bad_alloc&) {
        code = MPIX_Raise(comm, MPI_ERR_NO_MEM, call);
    }
    if (ierror) *ierror = code;
}

// The MPIX_Ibind calls: out gets handles of Fortran when completion calls end the binds.
void begin_to_bind(const char* call, const MPI_Fint* in, MPI_Fint* out, int n,
                   const MPI_Fint* slackness, const MPI_Fint* info, MPI_Fint* ierror);

} // namespace mpix::fortran
