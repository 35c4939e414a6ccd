/* SPDX-License-Identifier: Apache-2.0
 * Computation of a program on the simulated machine: what stands between two calls takes no time by itself. */
#ifndef RINGMESH_H
#define RINGMESH_H
#ifdef __cplusplus
extern "C" {
#endif
/* In cycles of the simulated processor. */
void ringmesh_compute(double cycles);
#define RINGMESH_COMPUTE(cycles) ringmesh_compute(cycles)
/* In floating point operations; the option flops_per_cycle says how many a cycle does. */
void ringmesh_compute_flops(double operations);
#ifdef __cplusplus
}
#endif
#endif
