-- SPDX-License-Identifier: Apache-2.0
-- DOPL on 48 cores, cell by cell of the thesis' table, in core cycles of a clock declared as 1 GHz; parts of 8192
-- bytes. Its program times a closing barrier, which the schedules of the formula lack.

CREATE VIEW dopl_cell AS
SELECT bytes, pipe, mean(min_cycles) AS cycles, min(min_cycles) AS least, max(min_cycles) AS most,
       count(*) AS placements
FROM pipe_sizes GROUP BY bytes, pipe;

-- The thesis prints no means here: what Cube's runs of the same size tell of their scatter (view usual_scatter).
CREATE VIEW finding_pipe_sizes AS
SELECT printf('scc.dopl.%dB.pipe%d', told.bytes, pipe) AS id, 1e9 * least_s AS published,
       scc_dopl_cycles(48, told.bytes, 8192, pipe) AS analytic, cycles AS simulated,
       printf('%.2f %%', percent) AS tolerance, miss,
       iif(placements = 1, NULL, printf('simulated: mean of %d placements of pages, %.3f to %.3f M', placements,
                                        least / 1e6, most / 1e6)) AS remark,
       iif(told.bytes = 50000 OR told.bytes = 190000 AND pipe = 2048, NULL, 'scc.dopl.190000B.pipe2048') AS bar_as
FROM "pipe_sizes.csv" AS told JOIN dopl_cell ON dopl_cell.bytes = told.bytes AND pipe = pipe_bytes
     JOIN usual_scatter ON usual_scatter.bytes = told.bytes
     LEFT JOIN "misses.csv" AS missed
          ON algorithm = 'dopl' AND missed.bytes = told.bytes AND pipe BETWEEN smallest AND largest;

-- How much slower the published best is than the model's own, at sizes of which all pipes were run.
CREATE VIEW dopl_best AS
SELECT told.bytes, at_least(pipe, cycles) AS own, at_least(pipe_bytes, least_s) AS published_best,
       min(cycles) AS own_cycles
FROM "pipe_sizes.csv" AS told LEFT JOIN dopl_cell ON dopl_cell.bytes = told.bytes AND pipe = pipe_bytes
GROUP BY told.bytes HAVING count(*) = count(cycles);

CREATE VIEW finding_best_pipe AS
SELECT printf('scc.dopl.%dB.best_pipe', bytes) AS id, cycles / own_cycles AS simulated, 1 AS published,
       printf('%.2f %%', percent) AS tolerance, printf('the model''s own best: %d B', own) AS remark,
       iif(bytes = 50000, NULL, 'scc.dopl.50000B.best_pipe') AS bar_as
FROM dopl_best JOIN dopl_cell USING (bytes) JOIN usual_scatter USING (bytes) WHERE pipe = published_best;

CREATE VIEW table_pipe_sizes AS
WITH cell AS (
    SELECT told.bytes, told.pipe_bytes AS cut, printf('%.3f', 1e3 * least_s) AS told,
           iif(cycles IS NULL, NULL, printf('%.3f', cycles / 1e6)) AS ours,
           iif(cycles IS NULL, NULL, printf('%+.1f', 100 * (cycles / (1e9 * least_s) - 1))) AS apart
    FROM "pipe_sizes.csv" AS told LEFT JOIN dopl_cell ON dopl_cell.bytes = told.bytes AND pipe = told.pipe_bytes)
SELECT printf('%d', cut) AS "pipe size (bytes)",
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

CREATE VIEW note_pipe_sizes AS
SELECT 'Millions of core cycles, which are milliseconds of the clock that the thesis declared. '
       || '-: left out without --full.' AS note;
