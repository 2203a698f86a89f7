/* SPDX-License-Identifier: BSD-3-Clause
 * A library that stands between mpix and its host, and counts. */
#ifdef __cplusplus
extern "C" {
#endif

/* Calls of PMPI_Pack and PMPI_Unpack so far. */
int host_packs(void);

#ifdef __cplusplus
}
#endif
