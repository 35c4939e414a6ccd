-- SPDX-License-Identifier: Apache-2.0
-- A packet is sent (1 - p)^-h times on h cables; each try but the last costs an echo time-out of 20 us.
CREATE VIEW formula_ring AS
WITH RECURSIVE hops(h) AS (SELECT 1 UNION ALL SELECT h + 1 FROM hops WHERE h < 7)
SELECT rate, 20e3 * (SELECT avg(pow(1 - rate, -h) - 1) FROM hops) AS ns FROM (SELECT DISTINCT rate FROM ring);

-- Two rings of four: 0 to 3 cables on each, not none on both.
CREATE VIEW formula_torus AS
WITH RECURSIVE hops(h) AS (SELECT 0 UNION ALL SELECT h + 1 FROM hops WHERE h < 3)
SELECT rate,
       20e3 * (SELECT sum(pow(1 - rate, -x.h) + pow(1 - rate, -y.h) - 2) / 15 FROM hops AS x, hops AS y) AS ns
FROM (SELECT DISTINCT rate FROM torus);

CREATE VIEW finding_costs AS
SELECT printf('faults.ring.%g', rate) AS id, formula_ring.ns AS analytic,
       ring.latency_mean_ns - (SELECT avg(latency_mean_ns) FROM ring_alone) AS simulated
FROM ring JOIN formula_ring USING (rate)
UNION ALL
SELECT printf('faults.torus.%g', rate), formula_torus.ns,
       torus.latency_mean_ns - (SELECT avg(latency_mean_ns) FROM torus_alone)
FROM torus JOIN formula_torus USING (rate)
UNION ALL
SELECT printf('faults.echoes.%g', rate), 0,
       100 * (ring_echoes.latency_mean_ns / (SELECT avg(latency_mean_ns) FROM ring_alone) - 1)
FROM ring_echoes;
