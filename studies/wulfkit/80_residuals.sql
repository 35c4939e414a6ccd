-- SPDX-License-Identifier: Apache-2.0
-- Simulation against formula, over size, load and number of nodes: where a formula leaves its domain.

CREATE VIEW residuals AS
WITH both(place, formula, curve, over, at, simulated, analytic) AS (
SELECT 1, 'ping-pong [000 eq. 18, 21 to 25]', printf('%d hops', hops), 'bytes', size_bytes, latency_min_ns,
       sci_ping_pong_ns(hops, size_bytes) FROM ping_pong
UNION ALL
SELECT 2, 'torus average [000 eq. 17]', printf('%d dimensions', dimensions), 'nodes', nodes, simulated_ns, formula_ns
FROM sized WHERE system = 'current'
UNION ALL
SELECT 3, 'loaded ring (docs/reference/evidence/analytic.md)', printf('%d nodes, flow control %s', nodes, word),
       '% of saturation', percent, latency_mean_ns, sci_loaded_ns(nodes, load) FROM loaded)
SELECT *, 100 * (simulated - analytic) / analytic AS residual_percent FROM both WHERE analytic IS NOT NULL;
