-- SPDX-License-Identifier: Apache-2.0
-- A packet is sent (1 - p)^-h times on h cables; each try but the last costs an echo time-out of 20 us. The number m of
-- lost tries is geometric, of variance m (1 + m); bars are three standard errors of its mean over all packets.
CREATE VIEW formula_ring AS
WITH RECURSIVE hops(h) AS (SELECT 1 UNION ALL SELECT h + 1 FROM hops WHERE h < 7),
lost(rate, n, m) AS (SELECT rate, delivered, pow(1 - rate, -h) - 1 FROM ring, hops)
SELECT rate, 20e3 * avg(m) AS ns, 3 * sqrt((avg(m * (1 + m) + m * m) - pow(avg(m), 2)) / n) / avg(m) AS bar
FROM lost GROUP BY rate;

-- Two rings of four: 0 to 3 cables on each, not none on both.
CREATE VIEW formula_torus AS
WITH RECURSIVE hops(h) AS (SELECT 0 UNION ALL SELECT h + 1 FROM hops WHERE h < 3),
lost(rate, n, x, y) AS (
    SELECT rate, delivered, pow(1 - rate, -x.h) - 1, pow(1 - rate, -y.h) - 1
    FROM torus, hops AS x, hops AS y WHERE x.h + y.h > 0)
SELECT rate, 20e3 * avg(x + y) AS ns,
       3 * sqrt((avg(x * (1 + x) + y * (1 + y) + pow(x + y, 2)) - pow(avg(x + y), 2)) / n) / avg(x + y) AS bar
FROM lost GROUP BY rate;

-- Of a short message over DECK the receiver waits for one packet alone. Three standard errors of the mean number of
-- tries that were lost, a part q of all, over n messages are 3 / sqrt(q n) of it; a run sends 20000.
CREATE VIEW formula_short AS
SELECT rate, 20e3 * (1 / (1 - rate) - 1) AS ns, 3 / sqrt(rate * 20000 * count(*)) AS bar FROM short GROUP BY rate;

-- Where software sends again, it waits for a response to the message and for one to the read position: two requests and
-- two responses, any of which costs the response time-out of 100 us, but for what waiting for a response takes anyway.
CREATE VIEW formula_software AS
WITH alone(wait) AS (
    SELECT ((SELECT avg(latency_avg_ns) FROM software_alone) - avg(latency_avg_ns)) / 2 FROM short_alone)
SELECT rate, 2 * (100e3 - wait) * (pow(1 - rate, -2) - 1) AS ns,
       3 / sqrt(2 * (1 - pow(1 - rate, 2)) * 20000 * count(*)) AS bar
FROM software, alone GROUP BY rate;

-- Stores to consecutive places go by 8 stream buffers in turn, a block in t; alone a buffer is busy for r. A block of
-- which request or response is lost, with chance `once` or more often, `losses` times on average, keeps its buffer for
-- 20 us more each time, which stalls the stores when its turn comes again, 8 t - r later than an answer in time. Of the
-- 7 blocks that were under way meanwhile those lost once cost nothing; one lost twice stalls the stores again.
CREATE VIEW formula_stores AS
WITH alone(t, r) AS (
    SELECT 64e3 / (SELECT bandwidth_mb_per_s FROM stores_alone WHERE size_bytes = 65536),
           64e3 / (SELECT bandwidth_mb_per_s FROM stores_alone WHERE size_bytes = 64)),
lost(rate, once, twice, losses) AS (
    SELECT DISTINCT rate, 1 - pow(1 - rate, 2), 1 - pow(1 - rate, 2) * (1 + 2 * rate), 2 * rate / (1 - rate)
    FROM stores),
again(rate, chance) AS (SELECT rate, 1 - pow(1 - twice, 7) FROM lost),
stalls(rate, blocks, ns) AS (
    SELECT rate, chance / twice + (1 - chance) / once,
           (1 - chance) * (20e3 * losses / once - (8 * t - r)) + chance * 20e3
    FROM lost JOIN again USING (rate), alone),
runs(rate, sent) AS (SELECT rate, count(*) * 102400 FROM stores GROUP BY rate)
-- The number of stalls among so many blocks: three standard errors, by the part of the time that is stalls
SELECT rate, 64e3 / (t + ns / blocks) AS mb_per_s,
       3 / once / sqrt(blocks * sent) * (ns / blocks) / (t + ns / blocks) AS bar
FROM stalls JOIN runs USING (rate) JOIN lost USING (rate), alone;

CREATE VIEW finding_echoes AS
SELECT printf('faults.echoes.%g', rate) AS id, 0 AS analytic,
       100 * (ring_echoes.latency_mean_ns / (SELECT avg(latency_mean_ns) FROM ring_alone) - 1) AS simulated
FROM ring_echoes;

CREATE VIEW finding_costs AS
SELECT printf('faults.ring.%g', rate) AS id, formula_ring.ns AS analytic,
       ring.latency_mean_ns - (SELECT avg(latency_mean_ns) FROM ring_alone) AS simulated,
       printf('%.2g %%', 100 * bar) AS tolerance
FROM ring JOIN formula_ring USING (rate)
UNION ALL
SELECT printf('faults.torus.%g', rate), formula_torus.ns,
       torus.latency_mean_ns - (SELECT avg(latency_mean_ns) FROM torus_alone), printf('%.2g %%', 100 * bar)
FROM torus JOIN formula_torus USING (rate)
UNION ALL
SELECT printf('faults.short.%g', rate), formula_short.ns,
       avg(short.latency_avg_ns) - (SELECT avg(latency_avg_ns) FROM short_alone), printf('%.2g %%', 100 * bar)
FROM short JOIN formula_short USING (rate) GROUP BY rate
UNION ALL
SELECT printf('faults.software.%g', rate), formula_software.ns,
       avg(software.latency_avg_ns) - (SELECT avg(latency_avg_ns) FROM software_alone), printf('%.2g %%', 100 * bar)
FROM software JOIN formula_software USING (rate) GROUP BY rate
UNION ALL
SELECT printf('faults.stores.%g', rate), formula_stores.mb_per_s, avg(stores.bandwidth_mb_per_s),
       printf('%.2g %%', 100 * bar)
FROM stores JOIN formula_stores USING (rate) GROUP BY rate;
