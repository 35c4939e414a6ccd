/* SPDX-License-Identifier: Apache-2.0
 * What programs take of RCCE's inner header. */
#ifndef RCCE_LIB_H
#define RCCE_LIB_H
#include <string.h>

#include "RCCE.h"

#define PAD32byte(n) (((n) + 31) / 32 * 32)
typedef volatile unsigned int* t_vintp;
typedef volatile unsigned char t_vchar;
typedef volatile unsigned int t_vint;
#endif
