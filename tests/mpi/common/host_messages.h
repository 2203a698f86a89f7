/* SPDX-License-Identifier: BSD-3-Clause
 * How often the library between the program and its host has sent a message, and how often it has
 * begun a collective. */
#ifndef HOST_MESSAGES_H
#define HOST_MESSAGES_H

#ifdef __cplusplus
extern "C" {
#endif
int host_sends(void);
int host_collectives(void);
#ifdef __cplusplus
}
#endif

#endif
