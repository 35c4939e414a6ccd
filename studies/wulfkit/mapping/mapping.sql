-- SPDX-License-Identifier: Apache-2.0
CREATE VIEW measured AS
SELECT torus AS machine, program, size_bytes, map, mean(time_min_ns) / 1e3 AS us FROM torus
GROUP BY torus, program, size_bytes, map
UNION ALL
SELECT torus, 'binomial broadcast', size_bytes, map, mean(min_ns) / 1e3 FROM broadcast
GROUP BY torus, size_bytes, map
UNION ALL
SELECT 'SCC', 'DOPL broadcast', size_bytes, map, mean(min_ns) / 1e3 FROM chip GROUP BY size_bytes, map
UNION ALL
SELECT 'NCUBE', 'nearest-neighbour', size_bytes, map, mean(time_min_ns) / 1e3 FROM cube GROUP BY size_bytes, map;

CREATE VIEW by_map AS
SELECT machine, program, size_bytes, max(us) FILTER (WHERE map = 'linear') AS linear,
       max(us) FILTER (WHERE map = 'random') AS random, max(us) FILTER (WHERE map = 'snake') AS snake,
       max(us) FILTER (WHERE map = 'sub-torus') AS blocks
FROM measured GROUP BY machine, program, size_bytes;

CREATE VIEW table_mapping AS
SELECT machine, program, size_bytes AS "message (bytes)", printf('%.1f', linear) AS linear,
       printf('%.1f', random) AS random, printf('%.1f', snake) AS snake, printf('%.1f', blocks) AS "sub-torus"
FROM by_map ORDER BY program, machine, size_bytes;

CREATE VIEW table_conclusion AS
SELECT machine, program, size_bytes AS "message (bytes)", printf('%+.1f', 100 * (random / linear - 1)) AS random,
       printf('%+.1f', 100 * (snake / linear - 1)) AS snake, printf('%+.1f', 100 * (blocks / linear - 1)) AS "sub-torus"
FROM by_map ORDER BY program, machine, size_bytes;
