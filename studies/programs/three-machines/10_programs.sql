-- SPDX-License-Identifier: Apache-2.0
-- What OSU prints: lines of a size and a time or rate. Its header lines have other words.
CREATE VIEW osu AS
SELECT l.variant, l.first AS bytes, l.second AS latency_us, b.second AS mb_per_s
FROM latency AS l LEFT JOIN bandwidth AS b ON b.variant = l.variant AND b.first = l.first AND b.words = ''
WHERE l.words = '';

CREATE VIEW beside AS
SELECT o.variant, o.bytes, o.latency_us, p.latency_avg_ns / 1e3 AS own_us, o.mb_per_s,
       1e3 * s.size_bytes / s.ns_per_message AS own_mb_per_s
FROM osu AS o LEFT JOIN ping_pong AS p ON p.variant = o.variant AND p.size_bytes = o.bytes
     LEFT JOIN stream AS s ON s.variant = o.variant AND s.size_bytes = o.bytes;

CREATE VIEW table_osu AS
SELECT variant AS machine, bytes AS "message (bytes)", printf('%.2f', latency_us) AS "osu_latency (us)",
       iif(own_us IS NULL, NULL, printf('%.2f', own_us)) AS "ping-pong (us)",
       printf('%.2f', mb_per_s) AS "osu_bw (MB/s)",
       iif(own_mb_per_s IS NULL, NULL, printf('%.2f', own_mb_per_s)) AS "stream (MB/s)"
FROM beside WHERE bytes IN (1, 64, 1024, 16384, 65536, 1048576) ORDER BY variant DESC, bytes;

CREATE VIEW by_map AS
SELECT variant, kernel, map, mean(rank_time_ns) / 1e6 AS ms FROM kernels WHERE call = 'all'
GROUP BY variant, kernel, map;

CREATE VIEW by_machine AS
SELECT kernel, max(ms) FILTER (WHERE variant = 'torus') AS torus, max(ms) FILTER (WHERE variant = 'chip') AS chip,
       max(ms) FILTER (WHERE variant = 'cube') AS cube
FROM by_map WHERE map = 'linear' GROUP BY kernel;

CREATE VIEW table_machines AS
SELECT kernel, printf('%.2f', torus) AS "torus 4x4, ScaMPI", printf('%.2f', chip) AS "SCC, iRCCE",
       printf('%.1f', cube) AS "NCUBE, Vertex", printf('%.2f', chip / torus) AS "SCC to torus",
       printf('%.0f', cube / torus) AS "NCUBE to torus"
FROM by_machine ORDER BY kernel;

CREATE VIEW slower AS
SELECT b.variant, b.kernel, b.map, 100 * (b.ms / l.ms - 1) AS percent
FROM by_map AS b JOIN by_map AS l ON l.variant = b.variant AND l.kernel = b.kernel AND l.map = 'linear'
WHERE b.map <> 'linear';

CREATE VIEW table_maps AS
SELECT variant AS machine, kernel, printf('%+.1f', max(percent) FILTER (WHERE map = 'random')) AS random,
       printf('%+.1f', max(percent) FILTER (WHERE map = 'snake')) AS snake,
       printf('%+.1f', max(percent) FILTER (WHERE map = 'sub-torus')) AS "sub-torus"
FROM slower GROUP BY variant, kernel ORDER BY variant DESC, kernel;

CREATE VIEW by_size AS
SELECT l.kernel, k.ms AS small, mean(l.rank_time_ns) FILTER (WHERE l.map = 'linear') / 1e6 AS large,
       mean(l.rank_time_ns) FILTER (WHERE l.map = 'random') / 1e6 AS random
FROM larger AS l JOIN by_map AS k ON k.kernel = l.kernel AND k.variant = 'torus' AND k.map = 'linear'
WHERE l.call = 'all' GROUP BY l.kernel;

CREATE VIEW table_sizes AS
SELECT kernel, printf('%.2f', small) AS "16 ranks", printf('%.2f', large) AS "64 ranks",
       printf('%.2f', random) AS "64 ranks, random map"
FROM by_size ORDER BY kernel;

CREATE VIEW answer AS
SELECT printf('Of %d NAS kernels on 16 nodes, %d communicate faster on the SCC over iRCCE than on a 4x4 torus over '
                  || 'ScaMPI (%.2f to %.2f times its time); the NCUBE takes %.0f to %.0f times as long as the torus.',
              count(*), sum(chip < torus), min(chip / torus), max(chip / torus), min(cube / torus), max(cube / torus))
           AS answer
FROM by_machine
UNION ALL
SELECT printf('A random map costs up to %.0f %% on the torus, %.0f %% on the SCC and %.0f %% on the hypercube.',
              max(percent) FILTER (WHERE variant = 'torus'), max(percent) FILTER (WHERE variant = 'chip'),
              max(percent) FILTER (WHERE variant = 'cube'))
FROM slower WHERE map = 'random';

-- Sentences, each with its number.
CREATE VIEW table_conclusion AS
SELECT 'osu_latency differs from ping-pong by at most (%)' AS what,
       printf('%.2f', max(100 * abs(latency_us / own_us - 1))) AS value FROM beside
UNION ALL
SELECT 'osu_bw differs from stream at 1 MiB by at most (%)', printf('%.2f', max(100 * abs(mb_per_s / own_mb_per_s - 1)))
FROM beside WHERE bytes = 1048576
UNION ALL
SELECT printf('%s: osu_latency at 1 byte, published %.2f (%s)', f.variant, f.value, f.source),
       printf('%.2f us', o.latency_us)
FROM "figures.csv" AS f JOIN osu AS o ON o.variant = f.variant AND o.bytes = 1 WHERE f.quantity = 'latency'
UNION ALL
SELECT printf('%s: osu_bw at 1 MiB, published %.2f (%s)', f.variant, f.value, f.source),
       printf('%.2f MB/s', o.mb_per_s)
FROM "figures.csv" AS f JOIN osu AS o ON o.variant = f.variant AND o.bytes = 1048576 WHERE f.quantity = 'bandwidth'
UNION ALL
SELECT printf('programs that are faster on the SCC than on the torus, of %d', count(*)), printf('%d', sum(chip < torus))
FROM by_machine
UNION ALL
SELECT printf('%s: the worst of the other maps, over all programs: %s under %s', variant, map, kernel),
       printf('%+.1f %%', max(percent)) FROM slower GROUP BY variant;
