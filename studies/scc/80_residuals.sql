-- SPDX-License-Identifier: Apache-2.0
-- Simulation against formula, over size and distance: where a formula leaves its domain.

CREATE VIEW residuals AS
WITH both(place, formula, curve, over, at, simulated, analytic) AS (
SELECT 1, 'buffer read [PG]', 'through the mesh', 'hops', hops, mean_cycles, scc_buffer_read_cycles(hops)
FROM buffer_read WHERE variant = 'base'
UNION ALL
SELECT 2, 'memory read [PG]', 'a dword', 'hops', hops, mean_cycles, scc_memory_read_cycles(hops) FROM memory_read
UNION ALL
SELECT 3, 'RCCE ping-pong (docs/reference/programs/rcce.md)', printf('%d hops', hops), 'bytes', size_bytes, cycles,
       scc_ping_pong_cycles(size_bytes, hops) FROM default_trip)
SELECT *, 100 * (simulated - analytic) / analytic AS residual_percent FROM both;
