-- SPDX-License-Identifier: Apache-2.0
-- Tables 1 to 3 of [001]. Times are us.

CREATE VIEW six(place, name) AS VALUES (1, 'E'), (2, 'R'), (3, 'S'), (4, 'F'), (5, 'U'), (6, 'A');

CREATE VIEW timed(name, size_bytes, us) AS
SELECT 'E', size_bytes, E_us FROM timing UNION ALL
SELECT 'R', size_bytes, R_us FROM timing UNION ALL
SELECT 'S', size_bytes, S_us FROM timing UNION ALL
SELECT 'F', size_bytes, F_us FROM timing UNION ALL
SELECT 'U', size_bytes, U_us FROM timing UNION ALL
SELECT 'A', size_bytes, A_us FROM timing UNION ALL
SELECT 'R_S', size_bytes, R_S_us FROM timing UNION ALL
SELECT 'F_S', size_bytes, F_S_us FROM timing UNION ALL
SELECT 'F_E_U', size_bytes, F_E_U_us FROM timing UNION ALL
SELECT 'A_U', size_bytes, A_U_us FROM timing;

CREATE VIEW timed_with_float(name, size_bytes, us) AS
SELECT 'E', size_bytes, E_us FROM timing_float UNION ALL
SELECT 'R', size_bytes, R_us FROM timing_float UNION ALL
SELECT 'S', size_bytes, S_us FROM timing_float UNION ALL
SELECT 'F', size_bytes, F_us FROM timing_float UNION ALL
SELECT 'U', size_bytes, U_us FROM timing_float UNION ALL
SELECT 'A', size_bytes, A_us FROM timing_float;

-- Least squares through the simulated values, and through Table 1.
CREATE VIEW line AS
SELECT name, intercept(size_bytes, us) AS base, slope(size_bytes, us) AS slope,
       largest_residual(size_bytes, us) AS residual, intercept(size_bytes, table_us) AS table_base,
       slope(size_bytes, table_us) AS table_slope
FROM (SELECT *, published(printf('ncube.%s.%dB', name, size_bytes)) AS table_us FROM timed)
GROUP BY name;

CREATE VIEW finding_sum AS
SELECT printf('ncube.%s.%dB', name, size_bytes) AS id, us AS simulated,
       printf('the line through Table 1 gives %.1f us', table_base + table_slope * size_bytes) AS remark
FROM timed JOIN line USING (name) WHERE name IN ('R_S', 'F_S', 'F_E_U', 'A_U');

CREATE VIEW finding_value AS
SELECT printf('ncube.%s.%dB', name, size_bytes) AS id, us AS simulated, ncube_time_us(name, size_bytes) AS analytic,
       printf('the line through Table 1 gives %.1f us', table_base + table_slope * size_bytes) AS remark
FROM timed JOIN line USING (name) JOIN six USING (name);

CREATE VIEW finding_distance AS
SELECT printf('ncube.E.distance%d', distance) AS id, E_us AS simulated, published('ncube.E.500B') AS published,
       printf('E of 500 B by the echoes of distance %d and %d', distance, distance - 1) AS quantity
FROM echoes WHERE distance > 1;

CREATE VIEW finding_idle AS
SELECT 'ncube.idle_gain' AS id, mean(E_us - E_idle_us) AS simulated FROM timing;

-- Of the formulas the line through Table 1 stands beside the printed one.
CREATE VIEW finding_line AS
SELECT printf('ncube.line.%s.base', name) AS id, base AS simulated, table_base AS analytic
FROM line JOIN six USING (name)
UNION ALL
SELECT printf('ncube.line.%s.slope', name), slope, table_slope FROM line JOIN six USING (name);

CREATE VIEW finding_float AS
SELECT printf('ncube.float.%s.%dB', name, size_bytes) AS id, us AS simulated,
       ncube_time_us(name, size_bytes) AS analytic
FROM timed_with_float;

-- What the report says of its tables, by its own measure: it asks for values to within 50 us.
CREATE VIEW beside AS
SELECT name, size_bytes, whole.us AS us, fraction.us AS float_us,
       published(printf('ncube.%s.%dB', name, size_bytes)) AS table_us,
       published(printf('ncube.float.%s.%dB', name, size_bytes)) AS table_float_us
FROM timed AS whole JOIN timed_with_float AS fraction USING (name, size_bytes);

CREATE VIEW finding_statement AS
SELECT 'ncube.statement.lines' AS id, 6 AS published, sum(residual < 50) AS simulated, NULL AS analytic,
       printf('at most %.1f us off', max(residual)) AS remark
FROM line JOIN six USING (name)
UNION ALL
SELECT 'ncube.statement.float', count(*), sum(abs(float_us - us) < 50), sum(abs(table_float_us - table_us) < 50),
       printf('at most %.1f us, in the tables %.0f', max(abs(float_us - us)), max(abs(table_float_us - table_us)))
FROM beside
UNION ALL
SELECT 'ncube.statement.by_size', count(*), sum((large.us > 2 * small.us) = (large.name IN ('E', 'F', 'U'))), NULL,
       group_concat(printf('%s %.2f times', large.name, large.us / small.us), ', ')
FROM (SELECT * FROM six JOIN timed USING (name) WHERE size_bytes = 2000 ORDER BY place) AS large
     JOIN timed AS small ON small.name = large.name AND small.size_bytes = 16;

-- Standard deviations of five times 100 trials, which the grain of the timer makes.
CREATE VIEW scatter AS
WITH one(name, size_bytes, us) AS (
    SELECT 'E', size_bytes, E_us FROM timing_at_random UNION ALL
    SELECT 'R', size_bytes, R_us FROM timing_at_random UNION ALL
    SELECT 'S', size_bytes, S_us FROM timing_at_random UNION ALL
    SELECT 'F', size_bytes, F_us FROM timing_at_random UNION ALL
    SELECT 'U', size_bytes, U_us FROM timing_at_random UNION ALL
    SELECT 'A', size_bytes, A_us FROM timing_at_random)
SELECT name, size_bytes, deviation(one.us) AS us, table_1.us AS table_us
FROM one JOIN "deviations.csv" AS table_1 USING (name, size_bytes) GROUP BY name, size_bytes;

CREATE VIEW finding_scatter AS
SELECT 'ncube.scatter.median' AS id, median(us) AS simulated, median(table_us) AS published FROM scatter
UNION ALL
SELECT 'ncube.scatter.chain', median(us) FILTER (WHERE name = 'A') / median(us) FILTER (WHERE name = 'E'),
       median(table_us) FILTER (WHERE name = 'A') / median(table_us) FILTER (WHERE name = 'E')
FROM scatter;

CREATE VIEW table_lines AS
SELECT name AS "", printf('%.1f', base) AS "base (us)", printf('%.4f', slope) AS "slope (us/byte)",
       printf('%.1f', residual) AS "largest error (us)",
       printf('%.1f + %.4f n', table_base, table_slope) AS "through Table 1",
       printf('%.0f + %.3f n', published(printf('ncube.line.%s.base', name)),
              published(printf('ncube.line.%s.slope', name))) AS "Table 3"
FROM six JOIN line USING (name) ORDER BY place;

CREATE VIEW note_lines(words) AS
SELECT printf('Least squares through the report''s own Table 1 give slopes of R and S that are %.0f and %.0f %% above '
              || 'those of its Table 3, and its A at 1000 and 1500 bytes lies %.0f and %.0f us below its line of '
              || '%.0f us: errors of four differences add up in A.',
              100 * (r.table_slope / published('ncube.line.R.slope') - 1),
              100 * (s.table_slope / published('ncube.line.S.slope') - 1),
              published('ncube.line.A.base') - published('ncube.A.1000B'),
              published('ncube.line.A.base') - published('ncube.A.1500B'), published('ncube.line.A.base'))
FROM line AS r, line AS s WHERE r.name = 'R' AND s.name = 'S';

CREATE VIEW counted_line AS
SELECT name, intercept(size_bytes, us) AS base
FROM (SELECT 'E' AS name, size_bytes, E_us AS us FROM timing_counted UNION ALL
      SELECT 'R', size_bytes, R_us FROM timing_counted UNION ALL
      SELECT 'S', size_bytes, S_us FROM timing_counted UNION ALL
      SELECT 'F', size_bytes, F_us FROM timing_counted UNION ALL
      SELECT 'U', size_bytes, U_us FROM timing_counted UNION ALL
      SELECT 'A', size_bytes, A_us FROM timing_counted)
GROUP BY name;

CREATE VIEW table_bases AS
SELECT name AS "", printf('%.1f', table_base) AS "Table 1 (us)", printf('%.1f', line.base) AS "model (us)",
       printf('%+.1f', line.base - table_base) AS "off (us)", printf('%.1f', counted_line.base) AS "counted (us)",
       printf('%+.1f', counted_line.base - table_base) AS "counted, off (us)"
FROM six JOIN line USING (name) JOIN counted_line USING (name) ORDER BY place;

CREATE VIEW note_bases(words) AS
SELECT printf('Counted words and crossings leave out %.1f us of F, %.1f of U and %.1f of A, and of the interrupts'' '
              || 'times next to nothing. F of 16 bytes has set what a call takes beyond them, A + U of 16 bytes what a '
              || 'read takes; U and A alone, which share these as the words of a read are counted, have set nothing.',
              f.table_base - f.base, u.table_base - u.base, a.table_base - a.base)
FROM (SELECT counted_line.base, table_base FROM counted_line JOIN line USING (name) WHERE name = 'F') AS f,
     (SELECT counted_line.base, table_base FROM counted_line JOIN line USING (name) WHERE name = 'U') AS u,
     (SELECT counted_line.base, table_base FROM counted_line JOIN line USING (name) WHERE name = 'A') AS a;

CREATE VIEW table_float AS
WITH cell AS (SELECT name, size_bytes, printf('%.0f (%.0f)', float_us, table_float_us) AS text FROM beside)
SELECT printf('%d', size_bytes) AS "size (bytes)", max(text) FILTER (WHERE name = 'E') AS "E (us)",
       max(text) FILTER (WHERE name = 'R') AS "R (us)", max(text) FILTER (WHERE name = 'S') AS "S (us)",
       max(text) FILTER (WHERE name = 'F') AS "F (us)", max(text) FILTER (WHERE name = 'U') AS "U (us)",
       max(text) FILTER (WHERE name = 'A') AS "A (us)"
FROM cell GROUP BY size_bytes;

CREATE VIEW note_float(words) AS
SELECT 'The loops differ in what they want of the memory port: words and clocks of each are counted from the report''s '
       || 'program.';
