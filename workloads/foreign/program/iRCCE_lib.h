/* SPDX-License-Identifier: Apache-2.0
 * What programs take of iRCCE's inner header. */
#ifndef IRCCE_LIB_H
#define IRCCE_LIB_H
#include "RCCE_lib.h"
#include "iRCCE.h"
#endif
