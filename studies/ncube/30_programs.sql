-- SPDX-License-Identifier: Apache-2.0
-- Programs that the six times were not fitted to. Times are us.

CREATE VIEW program_run AS
SELECT 'message' AS program, size_bytes, time_min_ns / 1e3 AS us FROM program_message
UNION ALL SELECT 'chain', size_bytes, time_min_ns / 1e3 FROM program_chain
UNION ALL SELECT 'broadcast', size_bytes, min_ns / 1e3 FROM program_broadcast
UNION ALL SELECT 'exchange', size_bytes, time_min_ns / 1e3 FROM program_exchange WHERE variant = 'overlap'
UNION ALL SELECT 'stream', size_bytes, time_min_ns / 1e3 FROM program_stream WHERE axis_messages = 8
UNION ALL SELECT 'all-to-all', size_bytes, time_min_ns / 1e3 FROM program_all_to_all;

CREATE VIEW program_words(place, program, words, overlaps) AS
VALUES (1, 'message', 'forwarded over 4 hops', 0), (2, 'chain', 'chain of 8 programs', 0),
       (3, 'broadcast', 'broadcast to 64 nodes', 0), (4, 'exchange', 'exchange of neighbours', 1),
       (5, 'stream', '8 messages in a row', 1), (6, 'all-to-all', 'each of 64 nodes to each', 1);

-- The six times of each size, by the lines through the simulated values and by Table 3.
CREATE VIEW six_times AS
WITH own AS (SELECT name, program_chain.size_bytes, base + slope * program_chain.size_bytes AS us FROM line,
    program_chain)
SELECT 'own' AS lines, size_bytes,
       max(us) FILTER (WHERE name = 'E') AS e, max(us) FILTER (WHERE name = 'R') AS r,
       max(us) FILTER (WHERE name = 'S') AS s, max(us) FILTER (WHERE name = 'F') AS f,
       max(us) FILTER (WHERE name = 'U') AS u, max(us) FILTER (WHERE name = 'A') AS a
FROM own GROUP BY size_bytes
UNION ALL
SELECT 'Table 3', size_bytes,
       ncube_time_us('E', size_bytes), ncube_time_us('R', size_bytes), ncube_time_us('S', size_bytes),
       ncube_time_us('F', size_bytes), ncube_time_us('U', size_bytes), ncube_time_us('A', size_bytes)
FROM program_chain;

CREATE VIEW predicted AS
SELECT lines, size_bytes, program,
       CASE program WHEN 'message' THEN ncube_message_us(4, e, r, s, f, u, a)
                    WHEN 'chain' THEN ncube_chain_us(8, e, r, s, f, u, a)
                    WHEN 'broadcast' THEN ncube_broadcast_us(6, e, r, s, f, u, a)
                    WHEN 'exchange' THEN ncube_exchange_us(e, r, s, f, u, a)
                    WHEN 'stream' THEN ncube_stream_us(8, e, r, s, f, u, a)
                    WHEN 'all-to-all' THEN ncube_all_to_all_us(6, e, r, s, f, u, a) END AS us,
       CASE program WHEN 'exchange' THEN 2 * ncube_chain_us(1, e, r, s, f, u, a)
                    WHEN 'stream' THEN 8 * ncube_chain_us(1, e, r, s, f, u, a) END AS one_by_one
FROM six_times, program_words;

CREATE VIEW program_cell AS
SELECT place, program, words, overlaps, size_bytes, own.one_by_one, printed.us AS printed, own.us AS own,
       run.us AS simulated, 100 * (own.us - run.us) / run.us AS error_percent
FROM program_words JOIN program_run AS run USING (program) JOIN predicted AS own USING (program, size_bytes)
     JOIN predicted AS printed USING (program, size_bytes)
WHERE own.lines = 'own' AND printed.lines = 'Table 3';

CREATE VIEW finding_program AS
SELECT printf('ncube.program.%s.%dB', program, size_bytes) AS id, simulated, own AS analytic
FROM program_cell WHERE size_bytes = 2000;

-- "Considerably": by at least a tenth. Without overlap ranks take turns, or each message is sent alone.
CREATE VIEW turns AS
SELECT 'exchange' AS program, size_bytes, time_min_ns / 1e3 AS us FROM program_exchange WHERE variant = 'one_by_one'
UNION ALL
SELECT 'stream', size_bytes, 8 * time_min_ns / 1e3 FROM program_stream WHERE axis_messages = 1;

CREATE VIEW finding_overlap AS
SELECT printf('ncube.overlap.%s', program) AS id, count(*) AS published, sum(run.us < 0.9 * turns.us) AS simulated,
       sum(own.us < 0.9 * own.one_by_one) AS analytic,
       'time left: ' || group_concat(printf('%.0f %% at %d B', 100 * run.us / turns.us, size_bytes), ', ') AS remark
FROM turns JOIN program_run AS run USING (program, size_bytes) JOIN predicted AS own USING (program, size_bytes)
WHERE own.lines = 'own' GROUP BY program;

CREATE VIEW table_programs AS
SELECT words AS program, printf('%d', size_bytes) AS "size (bytes)",
       CASE WHEN one_by_one THEN printf('%.0f', one_by_one) END AS "one by one (us)",
       printf('%.0f', printed) AS "Table 3 (us)", printf('%.0f', own) AS "own lines (us)",
       printf('%.0f', simulated) AS "simulated (us)", printf('%+.1f', error_percent) AS "error (%)"
FROM program_cell ORDER BY place, size_bytes;

CREATE VIEW note_programs(words) AS
SELECT 'error: of the prediction with the lines fitted to the simulation; no line was fitted to 64, 200 or 4096 B. One '
       || 'by one: without overlap.'
UNION ALL
SELECT printf('Where one thing happens at a time it errs by at most %.1f %%, with overlap by up to %.1f %% (%s at %d '
              || 'bytes).', (SELECT max(abs(error_percent)) FROM program_cell WHERE NOT overlaps),
              abs(error_percent), words, size_bytes)
FROM (SELECT * FROM program_cell WHERE overlaps ORDER BY abs(error_percent) DESC LIMIT 1);
