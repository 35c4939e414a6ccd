-- SPDX-License-Identifier: Apache-2.0
-- A read of each line of a buffer, over and over.

CREATE VIEW finding_second_level AS
SELECT 'scc.cached_read.second_level' AS id, mean_cycles AS simulated, scc_second_level_hit_cycles() AS analytic
FROM cached_read WHERE variant = 'contiguous' AND size_bytes = 65536;

CREATE VIEW table_caches AS
SELECT printf('%.0f', size_bytes / 1024.0) AS "buffer (KiB)",
       printf('%.1f', max(mean_cycles) FILTER (WHERE variant = 'contiguous')) AS "pages contiguous (cycles)",
       printf('%.1f', max(mean_cycles) FILTER (WHERE variant = 'random')) AS "pages at random (cycles)"
FROM cached_read GROUP BY size_bytes;

CREATE VIEW note_caches AS
SELECT 'Pages of 4 KiB at random places share sets of the cache by chance, so that a buffer well below 256 KiB '
       || 'already misses.' AS note;
