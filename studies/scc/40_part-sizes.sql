-- SPDX-License-Identifier: Apache-2.0
-- Cube on 48 cores, cell by cell of the thesis' table: its least times, in core cycles of a clock declared as 1 GHz.
-- Timed with a closing barrier; when the first core returned, about where the printed program stops, is in the remark.
-- misses.csv: cuts from where to where miss, and why.

-- What its runs tell of their own scatter: by how much the mean of a cell's five exceeds the least. DOPL, of which no
-- mean is printed, is given the median of Cube's cells of the size.
CREATE VIEW scatter AS
SELECT bytes, part_bytes AS part, 100 * (mean_s / least_s - 1) AS percent FROM "part_sizes.csv";

CREATE VIEW usual_scatter AS
SELECT bytes, median(percent) AS percent FROM scatter GROUP BY bytes;

CREATE VIEW cube_cell AS
SELECT bytes, part, mean(min_cycles) AS cycles, min(min_cycles) AS least, max(min_cycles) AS most,
       mean(first_return_cycles) AS first_return, count(*) AS placements
FROM part_sizes GROUP BY bytes, part;

CREATE VIEW finding_part_sizes AS
SELECT printf('scc.cube.%dB.part%d', told.bytes, part) AS id, 1e9 * least_s AS published,
       scc_cube_cycles(48, told.bytes, part) AS analytic, cycles AS simulated,
       printf('%.2f %%', percent) AS tolerance, miss,
       printf('mean of the published runs: %+.1f %%', 100 * (mean_s / least_s - 1)) ||
       iif(placements = 1, '', printf('; simulated: mean of %d placements of pages, %.3f to %.3f M', placements,
                                      least / 1e6, most / 1e6)) ||
       printf('; the first core returns after %.3f M', first_return / 1e6) AS remark,
       iif(told.bytes = 50000 OR told.bytes = 190000 AND part = 8192, NULL, 'scc.cube.190000B.part8192') AS bar_as
FROM "part_sizes.csv" AS told JOIN cube_cell ON cube_cell.bytes = told.bytes AND part = part_bytes
     JOIN scatter USING (bytes, part)
     LEFT JOIN "misses.csv" AS missed
          ON algorithm = 'cube' AND missed.bytes = told.bytes AND part BETWEEN smallest AND largest;

-- How much slower the published best is than the model's own, at sizes of which all parts were run.
CREATE VIEW cube_best AS
SELECT told.bytes, at_least(part, cycles) AS own, at_least(part_bytes, least_s) AS published_best,
       min(cycles) AS own_cycles,
       min(cycles) FILTER (WHERE part_bytes <= 8192) AS own_cycles_to_8192
FROM "part_sizes.csv" AS told LEFT JOIN cube_cell ON cube_cell.bytes = told.bytes AND part = part_bytes
GROUP BY told.bytes HAVING count(*) = count(cycles);

CREATE VIEW finding_best_part AS
SELECT printf('scc.cube.%dB.best_part', bytes) AS id, cycles / own_cycles AS simulated, 1 AS published,
       printf('%.2f %%', percent) AS tolerance, printf('the model''s own best: %d B', own) AS remark,
       iif(bytes = 50000, NULL, 'scc.cube.50000B.best_part') AS bar_as
FROM cube_best JOIN cube_cell USING (bytes) JOIN scatter USING (bytes, part) WHERE part = published_best;

-- A larger part than what a buffer holds makes no sense, says [004 5.5].
CREATE VIEW larger_parts AS
SELECT count(*) AS sizes, sum(own_cycles_to_8192 = own_cycles) AS holds,
       group_concat(printf('%d B: %d B is best', bytes, own), ', ') AS remark
FROM (SELECT * FROM cube_best ORDER BY bytes);

CREATE VIEW finding_larger_parts AS
SELECT 'scc.cube.larger_parts' AS id, holds AS simulated, sizes AS published, 'simulated: ' || remark AS remark
FROM larger_parts WHERE sizes = (SELECT count(DISTINCT bytes) FROM "part_sizes.csv");

CREATE VIEW table_part_sizes AS
WITH cell AS (
    SELECT told.bytes, told.part_bytes AS cut, printf('%.3f', 1e3 * least_s) AS told,
           iif(cycles IS NULL, NULL, printf('%.3f', cycles / 1e6)) AS ours,
           iif(cycles IS NULL, NULL, printf('%+.1f', 100 * (cycles / (1e9 * least_s) - 1))) AS apart
    FROM "part_sizes.csv" AS told LEFT JOIN cube_cell ON cube_cell.bytes = told.bytes AND part = told.part_bytes)
SELECT printf('%d', cut) AS "part size (bytes)",
       max(told) FILTER (WHERE bytes = 50000) AS "50 KB, published (Mcycles)",
       max(ours) FILTER (WHERE bytes = 50000) AS "50 KB, simulated (Mcycles)",
       max(apart) FILTER (WHERE bytes = 50000) AS "50 KB, difference (%)",
       max(told) FILTER (WHERE bytes = 190000) AS "190 KB, published (Mcycles)",
       max(ours) FILTER (WHERE bytes = 190000) AS "190 KB, simulated (Mcycles)",
       max(apart) FILTER (WHERE bytes = 190000) AS "190 KB, difference (%)",
       max(told) FILTER (WHERE bytes = 1900000) AS "1.9 MB, published (Mcycles)",
       max(ours) FILTER (WHERE bytes = 1900000) AS "1.9 MB, simulated (Mcycles)",
       max(apart) FILTER (WHERE bytes = 1900000) AS "1.9 MB, difference (%)"
FROM cell GROUP BY cut ORDER BY cut DESC;

CREATE VIEW note_part_sizes AS
SELECT 'Millions of core cycles, which are milliseconds of the clock that the thesis declared. '
       || '-: not run by the thesis, or left out here without --full.' AS note;
