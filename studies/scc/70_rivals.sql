-- SPDX-License-Identifier: Apache-2.0
-- Why was Cube so slow and DOPL so fast? Copies of single bytes in the thesis' RCCE were inferred from Cube's table, so
-- they cannot explain it without being set beside what else could. Each rival cause is alone here, beside the libraries
-- as they were shipped. A misfit is the mean factor by which a cell is missed, to either side, less one.

CREATE VIEW rival AS
SELECT column1 AS place, column2 AS cause, column3 AS kind, column4 AS cube, column5 AS dopl, column6 AS words
FROM (VALUES
    (0, 'shipped', 'shipped', 'shipped', 'shipped', 'none: as shipped'),
    (1, 'bytes', 'bytes', 'bytes', 'shipped', 'RCCE copies bytes'),
    (2, 'fast_bytes', 'bytes', 'fast_bytes', 'fast', 'RCCE copies bytes; fast stores to L2 and loops'),
    (3, 'words', 'words', 'words', 'shipped', 'RCCE copies words, without reading ahead'),
    (4, 'slow_words', 'words', 'slow_words', 'slow', 'RCCE copies words; slow stores to L2 and loops'),
    (5, 'no_assembly', 'no_assembly', 'words', 'no_assembly', 'both libraries without assembly: words'),
    (6, 'bytes_in_both', 'bytes_in_both', 'bytes', 'bytes_in_both', 'both libraries copy bytes'),
    (7, 'line_flags', 'line_flags', 'line_flags', 'line_flags', 'flags of a line'),
    (8, 'clock', 'clock', 'clock', 'clock', 'cores at 800 MHz'),
    (9, 'pages', 'pages', 'pages', 'pages', 'pages contiguous'));

CREATE VIEW rival_cell AS
SELECT place, cause, 'Cube' AS algorithm, told.bytes AS bytes, told.part_bytes AS piece,
       ln(declared_min_s / least_s) AS error
FROM rival JOIN rivals_cube ON variant = cube
     JOIN "part_sizes.csv" AS told ON told.bytes = size_bytes AND told.part_bytes = rivals_cube.part_bytes
UNION ALL
SELECT place, cause, 'DOPL', told.bytes, told.pipe_bytes, ln(declared_min_s / least_s)
FROM rival JOIN rivals_dopl ON variant = dopl
     JOIN "pipe_sizes.csv" AS told ON told.bytes = size_bytes AND told.pipe_bytes = rivals_dopl.pipe_bytes;

-- A column of a table counts as one, however many of its cells were run.
CREATE VIEW rival_column AS
SELECT place, cause, algorithm, bytes, mean(abs(error)) AS misfit FROM rival_cell GROUP BY cause, algorithm, bytes;

-- The sets of columns that choose a cause, beside which all other columns judge it.
CREATE VIEW rival_fold AS
SELECT algorithm || printf(', %d B', bytes) AS fold, algorithm AS by, bytes AS by_bytes, 1 AS sort
FROM rival_column GROUP BY algorithm, bytes
UNION ALL
SELECT 'all of Cube', 'Cube', NULL, 2
UNION ALL
SELECT 'all of DOPL', 'DOPL', NULL, 2
UNION ALL
SELECT 'both tables', NULL, NULL, 3;

CREATE VIEW rival_in_fold AS
SELECT fold, sort, place, cause,
       mean(misfit) FILTER (WHERE coalesce(algorithm = by, 1) AND coalesce(bytes = by_bytes, 1)) AS inside,
       mean(misfit) FILTER (WHERE NOT (coalesce(algorithm = by, 1) AND coalesce(bytes = by_bytes, 1))) AS outside
FROM rival_fold, rival_column
GROUP BY fold, cause
-- Only causes of which all columns were run
HAVING count(*) = (SELECT count(DISTINCT algorithm || bytes) FROM rival_column);

-- RCCE's copies leave DOPL as it is, so causes may stand on one place.
CREATE VIEW rival_rank AS
SELECT *, rank() OVER (PARTITION BY fold ORDER BY round(inside, 9)) AS inside_place,
       rank() OVER (PARTITION BY fold ORDER BY round(outside, 9)) AS outside_place,
       count(*) OVER (PARTITION BY fold) AS causes
FROM rival_in_fold;

-- The best of another kind.
CREATE VIEW rival_next AS
SELECT fold, min(inside) AS second
FROM rival_rank JOIN rival USING (cause)
WHERE kind NOT IN (SELECT first_kind.kind FROM rival AS first_kind JOIN rival_rank AS first USING (cause)
                   WHERE first.fold = rival_rank.fold AND first.inside_place = 1)
GROUP BY fold;

CREATE VIEW rival_scatter AS
SELECT mean(ln(1 + percent / 100)) AS scatter FROM scatter WHERE bytes IN (SELECT bytes FROM rival_column);

CREATE VIEW table_rivals AS
WITH cell AS (SELECT cause, algorithm, bytes, printf('%.0f', 100 * (exp(misfit) - 1)) AS misfit FROM rival_column)
SELECT words AS cause,
       coalesce(max(misfit) FILTER (WHERE algorithm = 'Cube' AND bytes = 50000), '-') AS "Cube, 50 KB (%)",
       coalesce(max(misfit) FILTER (WHERE algorithm = 'Cube' AND bytes = 190000), '-') AS "Cube, 190 KB (%)",
       coalesce(max(misfit) FILTER (WHERE algorithm = 'Cube' AND bytes = 1900000), '-') AS "Cube, 1.9 MB (%)",
       coalesce(max(misfit) FILTER (WHERE algorithm = 'DOPL' AND bytes = 50000), '-') AS "DOPL, 50 KB (%)",
       coalesce(max(misfit) FILTER (WHERE algorithm = 'DOPL' AND bytes = 190000), '-') AS "DOPL, 190 KB (%)",
       coalesce(max(misfit) FILTER (WHERE algorithm = 'DOPL' AND bytes = 1900000), '-') AS "DOPL, 1.9 MB (%)"
FROM cell JOIN rival USING (cause) GROUP BY cause ORDER BY rival.place;

CREATE VIEW note_rivals AS
SELECT 'Mean factor by which the cells of a column are missed, to either side, less one. -: left out without --full.'
           AS note
UNION ALL
SELECT printf('The thesis'' own runs scatter by %.1f %% in the mean.', 100 * (exp(scatter) - 1)) FROM rival_scatter
UNION ALL
SELECT printf('Over both tables %s misses least, by %.0f %%; the next of another kind, %s, by %.0f %%. The margin '
              || 'between them is %.0f times the scatter, and %s, so the cells %s.',
              '"' || best.words || '"', 100 * (exp(best.inside) - 1), '"' || other.words || '"',
              100 * (exp(other.inside) - 1), (other.inside - best.inside) / scatter,
              iif(best.inside > scatter,
                  printf('the best itself misses by %.0f times the scatter', best.inside / scatter),
                  'the best misses by less than the scatter'),
              CASE WHEN other.inside - best.inside <= scatter THEN 'choose none of the two'
                   WHEN other.inside - best.inside <= best.inside
                   THEN 'prefer it, but the difference is no larger than what it leaves open: no proof'
                   WHEN best.inside > scatter THEN 'prefer it clearly, although it is not all of the truth'
                   ELSE 'tell it from all others' END)
FROM (SELECT * FROM rival_rank JOIN rival USING (cause)
      WHERE fold = 'both tables' AND inside_place = 1 LIMIT 1) AS best,
     (SELECT * FROM rival_rank JOIN rival USING (cause) JOIN rival_next USING (fold)
      WHERE fold = 'both tables' AND inside = second LIMIT 1) AS other,
     rival_scatter;

CREATE VIEW table_rivals_chosen AS
SELECT fold AS "chosen by", group_concat(words, '; or ') AS "cause that misses least there",
       printf('%.0f', 100 * (exp(min(inside)) - 1)) AS "by (%)",
       printf('%.0f', 100 * (exp(second) - 1)) AS "the next by (%)",
       printf('%.1f', (second - min(inside)) / scatter) AS "margin (scatters)",
       coalesce(group_concat(iif(outside IS NULL, NULL, printf('%.0f', 100 * (exp(outside) - 1))), '; '), '-')
           AS "it misses the rest by (%)",
       coalesce(group_concat(iif(outside IS NULL, NULL, printf('%d of %d', outside_place, causes)), '; '), '-')
           AS "place on the rest"
FROM (SELECT rival_rank.*, words FROM rival_rank JOIN rival USING (cause) ORDER BY fold, place) AS ranked
     LEFT JOIN rival_next USING (fold), rival_scatter
WHERE inside_place = 1 GROUP BY fold ORDER BY sort, fold;

CREATE VIEW note_rivals_chosen AS
SELECT 'Columns that did not choose judge. The margin is that between the least and the next misfit, in logarithms, by '
       || 'the mean scatter of the thesis'' runs. Causes in RCCE''s copies cannot be told apart by DOPL, whose copies '
       || 'are iRCCE''s.' AS note
UNION ALL
SELECT printf('A cause chosen by one column is the best on the rest in %d of %d cases.', sum(outside_place = 1),
              count(*))
FROM rival_rank WHERE inside_place = 1 AND outside IS NOT NULL AND sort = 1;

CREATE VIEW table_rivals_by_cell AS
SELECT algorithm, printf('%d', bytes) AS "size (bytes)", printf('%d', piece) AS "part or pipe (bytes)",
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'shipped') AS shipped,
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'bytes') AS "bytes in RCCE",
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'fast_bytes') AS "and fast",
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'words') AS "words in RCCE",
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'slow_words') AS "and slow",
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'no_assembly') AS "words in both",
       coalesce(max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'bytes_in_both'), '-') AS "bytes in both",
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'line_flags') AS "flags of a line",
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'clock') AS "800 MHz",
       max(printf('%.2f', exp(error))) FILTER (WHERE cause = 'pages') AS "pages contiguous"
FROM rival_cell GROUP BY algorithm, bytes, piece ORDER BY algorithm, bytes, piece;
