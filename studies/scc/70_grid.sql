-- SPDX-License-Identifier: Apache-2.0
-- What the thesis does not state, in all combinations, against its cells of 50000 and 190000 bytes: core clock, how the
-- algorithm's library copies (RCCE for Cube, iRCCE for DOPL), version of RCCE.

CREATE VIEW grid_error AS
SELECT 'cube' AS algorithm, clock_tile_dividers AS divider, copies, width, version,
       100 * (declared_min_s / least_s - 1) AS error
FROM grid_cube JOIN "part_sizes.csv" AS told ON told.bytes = size_bytes AND told.part_bytes = grid_cube.part_bytes
UNION ALL
SELECT 'dopl', clock_tile_dividers, copies, width, version, 100 * (declared_min_s / least_s - 1)
FROM grid_dopl JOIN "pipe_sizes.csv" AS told ON told.bytes = size_bytes AND told.pipe_bytes = grid_dopl.pipe_bytes;

CREATE VIEW grid_combination AS
SELECT algorithm, divider, copies, width, version, mean(abs(error)) AS mean, at_most(error, abs(error)) AS worst,
       printf('%d MHz', 1600 / divider) AS clock,
       printf('%s, by %s', copies, iif(width = 1, 'bytes', '4 bytes')) AS copying
FROM grid_error GROUP BY algorithm, divider, copies, width, version;

CREATE VIEW table_grid AS
SELECT cube.clock AS cores, cube.copying AS "the algorithm's library copies", cube.version AS RCCE,
       printf('%.1f', cube.mean) AS "Cube, mean (%)", printf('%+.1f', cube.worst) AS "Cube, worst (%)",
       printf('%.1f', dopl.mean) AS "DOPL, mean (%)", printf('%+.1f', dopl.worst) AS "DOPL, worst (%)"
FROM grid_combination AS cube JOIN grid_combination AS dopl USING (divider, copies, width, version)
WHERE cube.algorithm = 'cube' AND dopl.algorithm = 'dopl'
ORDER BY divider DESC, copies = 'pipelined', copies = 'prefetching', width, version DESC;

CREATE VIEW note_grid AS
SELECT 'Simulated against published, cells of 50000 and 190000 bytes: mean of the errors'' sizes, and the largest with '
       || 'its sign. RCCE copies for Cube, iRCCE for DOPL.' AS note
UNION ALL
SELECT printf('Closest for %s: %s, %s, RCCE %s, %.1f %% off in the mean.', iif(algorithm = 'cube', 'Cube', 'DOPL'),
              clock, copying, version, mean)
FROM (SELECT *, rank() OVER (PARTITION BY algorithm ORDER BY mean) AS place FROM grid_combination) WHERE place = 1;
