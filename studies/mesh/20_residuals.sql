-- SPDX-License-Identifier: Apache-2.0
-- Simulation against the formula for a mesh without load, over load: where it leaves its domain.

CREATE VIEW residuals AS
SELECT 1 AS place, 'no load (docs/reference/evidence/analytic.md)' AS formula, printf('%d flit%s a packet', flits,
       iif(flits > 1, 's', '')) AS curve,
       'flits per node and cycle' AS over, load AS at, latency_mean_cycles AS simulated,
       mesh_mean_latency_cycles(8, 8, 5, 2, flits) AS analytic,
       100 * (latency_mean_cycles / mesh_mean_latency_cycles(8, 8, 5, 2, flits) - 1) AS residual_percent
FROM peer;
