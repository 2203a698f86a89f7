// SPDX-License-Identifier: BSD-3-Clause
//
// The tool information interface: the host's variables, and beside them settings of the library as
// control variables and what its plans did as performance variables. What is the host's goes to it.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept::tools {

// ---- beginning and end; any number of times, also outside MPI_Init and MPI_Finalize ----
int init_thread(int required, int* provided);
int finalize();
bool has_begun();

// ---- control variables ----
int cvar_get_num(int* num_cvar);
int cvar_get_info(int cvar_index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype,
                  MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* scope);
int cvar_get_index(const char* name, int* cvar_index);
int cvar_handle_alloc(int cvar_index, void* obj_handle, MPI_T_cvar_handle* handle, int* count);
int cvar_handle_free(MPI_T_cvar_handle* handle);
int cvar_read(MPI_T_cvar_handle handle, void* buf);
int cvar_write(MPI_T_cvar_handle handle, const void* buf);

// ---- performance variables ----
int pvar_get_num(int* num_pvar);
int pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class,
                  MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                  int* bind, int* readonly, int* continuous, int* atomic);
int pvar_get_index(const char* name, int var_class, int* pvar_index);
int pvar_session_create(MPI_T_pvar_session* session);
int pvar_session_free(MPI_T_pvar_session* session);
int pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void* obj_handle,
                      MPI_T_pvar_handle* handle, int* count);
int pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle);
int pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf);
int pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* buf);
int pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf);

// ---- categories ----
int category_get_num(int* num_cat);
int category_get_info(int cat_index, char* name, int* name_len, char* desc, int* desc_len,
                      int* num_cvars, int* num_pvars, int* num_categories);
int category_get_index(const char* name, int* cat_index);
int category_get_cvars(int cat_index, int len, int indices[]);
int category_get_pvars(int cat_index, int len, int indices[]);
int category_get_categories(int cat_index, int len, int indices[]);
int category_get_num_events(int cat_index, int* num_events);
int category_get_events(int cat_index, int len, int indices[]);

} // namespace mpix::intercept::tools
