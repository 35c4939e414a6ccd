-- SPDX-License-Identifier: Apache-2.0
-- Messages of RCCE between core 0 and cores at 0, 1, 3, 5 and 8 links: the least round trip, as [004 3.2] took it. Its
-- sizes begin at 256 bytes.

CREATE VIEW trip AS
SELECT variant AS clocks, nullif(variant, '800_800_1066') AS alternative, size_bytes, hops,
       round_trip_min_cycles AS cycles
FROM thesis_ping_pong;

CREATE VIEW finding_distance AS
WITH step AS (
    SELECT clocks, alternative, size_bytes,
           cycles > lag(cycles, 1, 0) OVER (PARTITION BY clocks, size_bytes ORDER BY hops) AS longer
    FROM trip WHERE size_bytes >= 256),
by_size AS (SELECT clocks, alternative, size_bytes, min(longer) AS grows FROM step GROUP BY clocks, size_bytes)
SELECT 'scc.ping_pong.distance.' || clocks AS id, alternative, sum(grows) AS simulated, count(*) AS published
FROM by_size GROUP BY clocks;

-- "Way more": at least a tenth is asked, which was chosen here. Cores 1 and 2 are 0 and 1 links away, core 47 is 8.
CREATE VIEW finding_farthest_core AS
WITH by_size AS (
    SELECT clocks, alternative, size_bytes,
           max(cycles) FILTER (WHERE hops = 8) / max(cycles) FILTER (WHERE hops = 0) AS of_core_1,
           max(cycles) FILTER (WHERE hops = 8) / max(cycles) FILTER (WHERE hops = 1) AS of_core_2
    FROM trip WHERE size_bytes >= 256 GROUP BY clocks, size_bytes),
by_clocks AS (
    SELECT clocks, alternative, sum(of_core_1 >= 1.1 AND of_core_2 >= 1.1) AS holds, count(*) AS sizes,
           printf('simulated: %.2f to %.2f of core 1''s, %.2f to %.2f of core 2''s', min(of_core_1), max(of_core_1),
                  min(of_core_2), max(of_core_2)) AS words
    FROM by_size WHERE clocks <> '533_800_800' GROUP BY clocks)
SELECT 'scc.ping_pong.farthest.' || clocks AS id, alternative, holds AS simulated, sizes AS published,
       words || iif(alternative IS NULL, '; the other clock that the mesh may have had gives '
                    || (SELECT other.holds FROM by_clocks AS other WHERE other.alternative IS NOT NULL), '') AS remark
FROM by_clocks;

CREATE VIEW finding_small_round_trip AS
SELECT 'scc.ping_pong.32B.tile' AS id, round_trip_min_ns / 1e3 AS simulated,
       printf('simulated: %.0f cycles', round_trip_min_cycles) AS remark
FROM small_round_trip;

CREATE VIEW finding_payload AS
SELECT 'scc.ping_pong.payload.1.1' AS id, rises_after(size_bytes, round_trip_min_cycles) AS simulated FROM payload_1_1
UNION ALL
SELECT 'scc.ping_pong.payload.1.0.13', rises_after(size_bytes, round_trip_min_cycles) FROM payload_1_0_13
UNION ALL
SELECT 'scc.ping_pong.payload.whole_buffer', rises_after(size_bytes, round_trip_min_cycles) FROM payload_1_1;

-- The formula has the guide's latencies, which are of the default clocks.
CREATE VIEW default_trip AS
SELECT size_bytes, hops, round_trip_min_cycles AS cycles FROM ping_pong;

CREATE VIEW finding_round_trip AS
SELECT printf('scc.ping_pong.4096B.hops%d', hops) AS id, cycles AS simulated,
       scc_ping_pong_cycles(size_bytes, hops) AS analytic
FROM default_trip WHERE size_bytes = 4096;

CREATE VIEW finding_distance_adds AS
SELECT 'scc.ping_pong.4096B.distance' AS id, far.cycles - own.cycles AS simulated,
       scc_ping_pong_cycles(4096, far.hops) - scc_ping_pong_cycles(4096, own.hops) AS analytic
FROM default_trip AS own JOIN default_trip AS far USING (size_bytes)
WHERE size_bytes = 4096 AND own.hops = 0 AND far.hops = 8;

CREATE VIEW table_round_trips AS
SELECT printf('%d', size_bytes) AS "message (bytes)",
       printf('%.0f', max(cycles) FILTER (WHERE hops = 0)) AS "0 hops (cycles)",
       printf('%.0f', max(cycles) FILTER (WHERE hops = 1)) AS "1 hop (cycles)",
       printf('%.0f', max(cycles) FILTER (WHERE hops = 3)) AS "3 hops (cycles)",
       printf('%.0f', max(cycles) FILTER (WHERE hops = 5)) AS "5 hops (cycles)",
       printf('%.0f', max(cycles) FILTER (WHERE hops = 8)) AS "8 hops (cycles)"
FROM default_trip WHERE size_bytes IN (32, 256, 512, 1024, 2048, 4096, 7936, 8192)
GROUP BY size_bytes;
