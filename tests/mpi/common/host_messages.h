/* SPDX-License-Identifier: BSD-3-Clause
 * How often the library between the program and its host has sent a message, how often it has
 * begun a collective, and how often it has asked whether requests are done: in all, and before it
 * sent the latest message. */
#ifndef HOST_MESSAGES_H
#define HOST_MESSAGES_H

#ifdef __cplusplus
extern "C" {
#endif
int host_sends(void);
int host_collectives(void);
int host_asked(void);
int host_asked_at_send(void);
#ifdef __cplusplus
}
#endif

#endif
