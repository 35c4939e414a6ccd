-- SPDX-License-Identifier: Apache-2.0
-- One core of tile (0,0) on an idle chip; cycles are the core's. Each access is timed with its loop, as [BF] did. The
-- guide leaves the loop out, so what was not measured is judged by the guide and by what [BF] has more than it.

CREATE VIEW finding_buffer_read AS
WITH guide AS (
    SELECT *, scc_buffer_read_cycles(hops) AS cycles,
           published('scc.mpb_read.hops1') - scc_buffer_read_cycles(1) AS loop
    FROM buffer_read WHERE variant = 'base')
SELECT printf('scc.mpb_read.hops%d', hops) AS id, mean_cycles AS simulated,
       cycles + iif(hops IN (1, 8), 0, loop) AS analytic,
       iif(hops IN (1, 8), 'analytic: the guide', printf('analytic: the guide''s %.2f and %.2f', cycles, loop)) ||
       iif(hops = 0, '; the own buffer, through the mesh interface and the own router', '') AS remark
FROM guide;

CREATE VIEW finding_bypass AS
SELECT 'scc.mpb_read.own_bypass' AS id, mean_cycles AS simulated, scc_own_buffer_read_cycles() AS analytic
FROM buffer_read WHERE variant = 'bypass' AND hops = 0;

CREATE VIEW finding_hop AS
SELECT 'scc.mpb_read.per_hop' AS id, (far.mean_cycles - own.mean_cycles) / far.hops AS simulated,
       scc_hop_cycles() AS analytic
FROM buffer_read AS own, buffer_read AS far
WHERE own.variant = 'base' AND own.hops = 0 AND far.variant = 'base' AND far.hops = 8;

-- [BF] has 1 and 8 links.
CREATE VIEW finding_measured_hop AS
SELECT 'scc.mpb_read.per_hop_measured' AS id,
       (far.mean_cycles - near.mean_cycles) / (far.hops - near.hops) AS simulated,
       scc_hop_cycles() AS analytic,
       (published('scc.mpb_read.hops8') - published('scc.mpb_read.hops1')) / (far.hops - near.hops) AS published
FROM buffer_read AS near, buffer_read AS far
WHERE near.variant = 'base' AND near.hops = 1 AND far.variant = 'base' AND far.hops = 8;

CREATE VIEW finding_farthest AS
SELECT 'scc.mesh.farthest_routers' AS id, 1.0 + max(hops) AS simulated, scc_routers(0, 47) AS analytic FROM buffer_read;

CREATE VIEW finding_write AS
SELECT printf('scc.mpb_write_line.hops%d', hops) AS id, mean_cycles AS simulated FROM buffer_write
WHERE variant = 'base' AND hops IN (0, 1, 4, 8)
UNION ALL
SELECT 'scc.mpb_write_line.own_bypass', mean_cycles FROM buffer_write WHERE variant = 'bypass' AND hops = 0;

CREATE VIEW finding_memory_read AS
WITH guide AS (
    SELECT *, scc_memory_read_cycles(hops) AS cycles,
           published('scc.memory_read.hops0') - scc_memory_read_cycles(0) AS loop
    FROM memory_read)
SELECT printf('scc.memory_read.hops%d', hops) AS id, mean_cycles AS simulated,
       cycles + iif(hops = 0, 0, loop) AS analytic,
       iif(hops = 0, 'analytic: the guide', printf('analytic: the guide''s %.2f and %.2f', cycles, loop)) AS remark
FROM guide;
