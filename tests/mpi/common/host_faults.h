/* SPDX-License-Identifier: BSD-3-Clause
 * One call of mpix to its host that is refused, and does nothing. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Of the next calls, those from number `first` to number `last` are refused, where 0 is the next;
 * none if first is negative. */
void refuse_host_calls(long first, long last);
/* How many there were since then. */
long host_calls(void);

#ifdef __cplusplus
}
#endif
