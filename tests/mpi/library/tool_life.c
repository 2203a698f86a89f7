/* SPDX-License-Identifier: BSD-3-Clause
 * A tool from before MPI_Init until after MPI_Finalize: what it finds keeps its index while the
 * host adds variables, settings are written until MPI begins, and counts are there when MPI is
 * gone. With an argument: the library is switched off, and nothing of it is to be seen. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest = 4096, most = 4096, rounds = 7 };

static int wrong;
static char names[2][most][256];
static int counts[2];

static void expect(int condition, const char* what) {
    if (condition) return;
    fprintf(stderr, "wrong: %s\n", what);
    wrong = 1;
}
static void expect_code(int code, int wanted, const char* what) {
    if (code == wanted) return;
    fprintf(stderr, "wrong: %s: %d, not %d\n", what, code, wanted);
    wrong = 1;
}

/* Empty where there is none. */
static void get_name(int is_pvar, int index, char name[256]) {
    int length = 256, code;
    name[0] = '\0';
    if (is_pvar)
        code = MPI_T_pvar_get_info(index, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                   NULL, NULL, NULL);
    else
        code = MPI_T_cvar_get_info(index, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    if (code != MPI_SUCCESS) name[0] = '\0';
}

static int number(int is_pvar) {
    int all = -1;
    expect_code(is_pvar ? MPI_T_pvar_get_num(&all) : MPI_T_cvar_get_num(&all), MPI_SUCCESS,
                "number");
    return all;
}

static void note_names(void) {
    for (int is_pvar = 0; is_pvar < 2; is_pvar++) {
        counts[is_pvar] = number(is_pvar);
        expect(counts[is_pvar] <= most, "too many variables for this test");
        for (int i = 0; i < counts[is_pvar] && i < most; i++)
            get_name(is_pvar, i, names[is_pvar][i]);
    }
}

static void compare_names(const char* when) {
    char name[256];
    for (int is_pvar = 0; is_pvar < 2; is_pvar++) {
        expect(number(is_pvar) >= counts[is_pvar], "there are fewer variables than before");
        for (int i = 0; i < counts[is_pvar] && i < most; i++) {
            get_name(is_pvar, i, name);
            /* A host may close what had variables. */
            const int is_gone = !name[0] && strncmp(names[is_pvar][i], "mpix_", 5) != 0;
            expect(is_gone || strcmp(name, names[is_pvar][i]) == 0, when);
        }
    }
}

static int count_own(void) {
    int found = 0;
    char name[256];
    for (int is_pvar = 0; is_pvar < 2; is_pvar++)
        for (int i = number(is_pvar) - 1; i >= 0; i--) {
            get_name(is_pvar, i, name);
            found += strncmp(name, "mpix_", 5) == 0;
        }
    return found;
}

static MPI_T_cvar_handle setting(const char* name) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int index = -1, count = 0;
    expect_code(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS, name);
    expect_code(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count), MPI_SUCCESS, name);
    expect(count <= longest, "a setting is too long for this test");
    return handle;
}

static void expect_setting(const char* name, const char* wanted) {
    char text[longest] = "";
    MPI_T_cvar_handle handle = setting(name);
    expect_code(MPI_T_cvar_read(handle, text), MPI_SUCCESS, name);
    if (strcmp(text, wanted) != 0)
        fprintf(stderr, "wrong: %s is %s, not %s\n", name, text, wanted), wrong = 1;
    MPI_T_cvar_handle_free(&handle);
}

static void set(const char* name, const char* text, int wanted) {
    MPI_T_cvar_handle handle = setting(name);
    expect_code(MPI_T_cvar_write(handle, text), wanted, name);
    MPI_T_cvar_handle_free(&handle);
}

/* Each kind of setting, with what it may not be. */
static void change_settings(void) {
    set("mpix_race", "5", MPI_SUCCESS);
    expect_setting("mpix_race", "5");
    set("mpix_race", "five", MPI_T_ERR_INVALID);
    set("mpix_race", "", MPI_T_ERR_INVALID);
    expect_setting("mpix_race", "5");
    set("mpix_measure", "0", MPI_SUCCESS);
    set("mpix_measure", "2", MPI_T_ERR_INVALID);
    expect_setting("mpix_measure", "0");
    set("mpix_transport", "moon", MPI_T_ERR_INVALID);
    set("mpix_transport", "host", MPI_SUCCESS);
    expect_setting("mpix_transport", "host");
    set("mpix_yield", "1", MPI_SUCCESS);
    expect_setting("mpix_yield", "1");
    set("mpix_yield", "", MPI_SUCCESS);
    expect_setting("mpix_yield", "");
    set("mpix_plan", "bcast_chain", MPI_SUCCESS);
    set("mpix_disable", "1", MPI_T_ERR_CVAR_SET_NEVER);
    expect_setting("mpix_disable", "0");
}

/* Begun, used and ended. */
static void end(MPI_T_pvar_session* session, MPI_T_pvar_handle* handle) {
    int index = -1, count = 0;
    MPI_T_cvar_handle race = setting("mpix_race");
    char text[longest];
    unsigned long long value = 0;
    MPI_T_pvar_get_index("mpix_starts", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_session_create(session);
    expect_code(MPI_T_pvar_handle_alloc(*session, index, NULL, handle, &count), MPI_SUCCESS,
                "handle");
    expect_code(MPI_T_pvar_start(*session, *handle), MPI_SUCCESS, "start");
    expect_code(MPI_T_finalize(), MPI_SUCCESS, "finalize");
    expect_code(MPI_T_cvar_get_num(&count), MPI_T_ERR_NOT_INITIALIZED, "number, ended");
    expect_code(MPI_T_cvar_get_index("mpix_race", &count), MPI_T_ERR_NOT_INITIALIZED,
                "index, ended");
    expect_code(MPI_T_cvar_read(race, text), MPI_T_ERR_NOT_INITIALIZED, "setting, ended");
    expect_code(MPI_T_pvar_read(*session, *handle, &value), MPI_T_ERR_NOT_INITIALIZED,
                "read, ended");
    expect_code(MPI_T_pvar_handle_alloc(*session, index, NULL, handle, &count),
                MPI_T_ERR_NOT_INITIALIZED, "handle, ended");
}

static void begin(void) {
    int provided;
    expect_code(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS, "init");
}

/* MPICH 4.0 crashes where the interface begins once more; Open MPI 4.1 where it or a session ends
 * after MPI_Finalize. */
static int is_openmpi(void) {
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    return strstr(text, "Open MPI") != NULL;
}

static void end_and_begin(void) {
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    unsigned long long value;
    begin();
    end(&session, &handle);
    begin();
    expect_code(MPI_T_pvar_read(session, handle, &value), MPI_T_ERR_INVALID_HANDLE,
                "a handle of before");
}

/* What Open MPI 4.1 has not is in the library. */
typedef int (*BcastInit)(void*, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*);

static void run_rounds(void) {
    BcastInit bcast_init;
    MPI_Request request;
    char data[1024] = "";
    *(void**)&bcast_init = dlsym(RTLD_DEFAULT, "MPI_Bcast_init");
    bcast_init(data, 1024, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < rounds; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static int use(int argc, char** argv) {
    int provided, index = -1, count = 0;
    unsigned long long value = 0;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    expect_code(MPI_T_pvar_get_num(&count), MPI_T_ERR_NOT_INITIALIZED, "number before all else");
    is_openmpi() ? end_and_begin() : begin();
    change_settings();
    note_names();
    MPI_T_pvar_get_index("mpix_bcast_starts", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_session_create(&session);
    expect_code(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count), MPI_SUCCESS,
                "handle");
    expect_code(MPI_T_pvar_start(session, handle), MPI_SUCCESS, "start");
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    compare_names("a name after MPI_Init");
    expect_setting("mpix_race", "5");
    set("mpix_race", "6", MPI_T_ERR_CVAR_SET_NEVER);
    run_rounds();
    expect_code(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS, "read");
    expect(value == rounds, "starts within MPI");
    MPI_Finalize();
    compare_names("a name after MPI_Finalize");
    expect_setting("mpix_race", "5");
    value = 0;
    expect_code(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS, "read after MPI_Finalize");
    expect(value == rounds, "starts after MPI_Finalize");
    expect_code(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS, "free");
    if (is_openmpi()) return wrong;
    expect_code(MPI_T_pvar_session_free(&session), MPI_SUCCESS, "session");
    end(&session, &handle);
    return wrong;
}

static int use_nothing(int argc, char** argv) {
    int provided, category = -1;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    expect(count_own() == 0, "variables before MPI_Init");
    MPI_Init(&argc, &argv);
    expect(count_own() == 0, "variables within MPI");
    expect_code(MPI_T_category_get_index("mpix", &category), MPI_T_ERR_INVALID_NAME, "category");
    MPI_Finalize();
    return wrong;
}

int main(int argc, char** argv) { return argc > 1 ? use_nothing(argc, argv) : use(argc, argv); }
