-- SPDX-License-Identifier: Apache-2.0
-- DECK's protocols [002 III, IV, Figs. 4 and 5]. Times are us here, as in the paper. latency_avg_ns: the paper's means
-- of 1000 repetitions; the model's differ by the phases of poll loops, rings and stream buffers alone.

CREATE VIEW protocol_latency AS
SELECT 1 AS protocol, size_bytes, latency_avg_ns / 1e3 AS us FROM short_messages UNION ALL
SELECT protocol, size_bytes, latency_avg_ns / 1e3 FROM long_messages;

CREATE VIEW finding_protocol_1 AS
SELECT 'deck.protocol1_latency' AS id, us AS simulated, NULL AS remark
FROM protocol_latency WHERE protocol = 1 AND size_bytes = 62
UNION ALL
SELECT 'deck.protocol1.0B', least.us, printf('62 B take %.4f us', largest.us)
FROM protocol_latency AS least, protocol_latency AS largest
WHERE least.protocol = 1 AND largest.protocol = 1 AND least.size_bytes = 0 AND largest.size_bytes = 62;

CREATE VIEW finding_least_latency AS
SELECT printf('deck.protocol%d_min_latency', protocol) AS id, us AS simulated
FROM protocol_latency WHERE protocol > 1 AND size_bytes = 1
UNION ALL
SELECT printf('deck.protocol%d.64B', protocol), us FROM protocol_latency WHERE protocol > 1 AND size_bytes = 64;

-- Where protocol 3 becomes faster, by straight lines between neighbouring sizes.
CREATE VIEW both AS
SELECT size_bytes, two.us AS us_2, three.us AS us_3
FROM protocol_latency AS two JOIN protocol_latency AS three USING (size_bytes)
WHERE two.protocol = 2 AND three.protocol = 3;

CREATE VIEW crossing AS
SELECT crossover(size_bytes, us_3, us_2) AS bytes,
       crossover(size_bytes, us_3, us_2) FILTER (WHERE size_bytes % 256 = 64) AS coarse_bytes
FROM both;

CREATE VIEW paper AS
SELECT published('deck.protocol1_latency') AS us_1, published('deck.protocol2_min_latency') AS us_2,
       published('deck.protocol3_min_latency') AS us_3, published('deck.protocol2_3_crossover') AS crossing,
       published('deck.protocol2_peak_bandwidth') AS mb_2, published('deck.protocol3_peak_bandwidth') AS mb_3,
       published('deck.raw_write_bandwidth_mmx') AS raw;

CREATE VIEW finding_crossover AS
SELECT 'deck.protocol2_3_crossover' AS id, bytes AS simulated,
       deck_crossing_bytes(paper.us_2, mb_2, paper.us_3, mb_3) AS analytic,
       printf('steps of 64 B; of the same run every fourth size, as the what-ifs have, gives %.0f B; the simulated '
              || 'latencies at 64 B with the published peaks would cross at %.0f B', coarse_bytes,
              deck_crossing_bytes(both.us_2, mb_2, both.us_3, mb_3)) AS remark
FROM crossing, paper, both WHERE both.size_bytes = 64
UNION ALL
SELECT 'deck.protocol3.64B_if_crossing_at_1024B', both.us_3,
       deck_latency_for_crossing_us(paper.us_2, mb_2, mb_3, paper.crossing), NULL
FROM paper, both WHERE both.size_bytes = 64;

CREATE VIEW peak AS SELECT protocol, throughput_mb_per_s AS mb_per_s FROM peaks;

-- Upper bounds: the raw write, and behind it for protocol 2 a copy of lines of 32 bytes with two accesses to local
-- memory.
CREATE VIEW finding_peaks AS
SELECT 'deck.protocol2_peak_bandwidth' AS id, mb_per_s AS simulated,
       deck_in_series_mb_per_s(raw, copy) AS analytic,
       printf('the published pair leaves %.0f ns for the copy of a line behind the raw write, the model has %.0f',
              32e3 * (1 / mb_2 - 1 / raw), 32e3 / copy) AS remark
FROM peak, paper, (SELECT deck_copy_mb_per_s(32, published('deck.local_write')) AS copy) WHERE protocol = 2
UNION ALL
SELECT 'deck.protocol3_peak_bandwidth', mb_per_s, raw, NULL FROM peak, paper WHERE protocol = 3
UNION ALL
SELECT 'deck.protocol3_percent_of_raw', 100 * peak.mb_per_s / raw_peak.mb_per_s, 100 * mb_3 / raw, NULL
FROM peak, raw_peak, paper WHERE protocol = 3 AND kind = 'mmx';

-- Step by step

CREATE VIEW stage AS
SELECT protocol, before, row_number() OVER (PARTITION BY protocol, before ORDER BY end_ns) AS place, step,
       rank = 0 AS sends,
       duration_ns / 1e3 AS us, end_ns / 1e3 AS end_us
FROM steps;

CREATE VIEW stage_table AS
SELECT protocol, place, step, iif(step LIKE 'on the way%', 'to the ', '') || iif(sends, 'sender', 'receiver') AS at,
       printf('%.3f', us) AS time, printf('%.3f', end_us) AS in_all
FROM stage WHERE before = 1 ORDER BY protocol, place;

CREATE VIEW table_stages_2 AS
SELECT step, at, time AS "time (us)", in_all AS "in all (us)" FROM stage_table WHERE protocol = 2;
CREATE VIEW table_stages_3 AS
SELECT step, at, time AS "time (us)", in_all AS "in all (us)" FROM stage_table WHERE protocol = 3;

CREATE VIEW message AS
SELECT protocol, before, max(end_us) AS us, sum(us) FILTER (WHERE step LIKE 'barrier%') AS barrier_us FROM stage
GROUP BY protocol, before;

CREATE VIEW messages AS
SELECT sum(other.barrier_us > 1.1 * first.barrier_us) AS held_up, count(*) AS all_of_them,
       max(other.barrier_us) AS longest, mean(other.us) AS mean_us
FROM message AS other, message AS first WHERE other.protocol = 2 AND first.protocol = 2 AND first.before = 1;

CREATE VIEW note_stages_2 AS
SELECT 'To the node half-way round, as far as there and back on average. With its header the message has two blocks;'
UNION ALL
SELECT printf('the smallest, of one block, takes %.2f us in the ping-pong, and %.2f us were published.', both.us_2,
              paper.us_2)
FROM both, paper WHERE size_bytes = 1
UNION ALL
SELECT printf('In %d of %d messages in a row the barrier takes longer, up to %.2f us; the average of all is %.2f us.',
              held_up, all_of_them, longest, mean_us)
FROM messages WHERE held_up > 0
UNION ALL
SELECT 'Their data meets a stream buffer that still waits for the response to the read position written back.'
FROM messages WHERE held_up > 0;

-- Until protocol 3 has its reply: two control messages, without the sender's call.
CREATE VIEW control_messages AS
SELECT sum(us) / 2 AS each_us FROM stage
WHERE protocol = 3 AND before = 1 AND step <> 'call' AND place < (
      SELECT place FROM stage WHERE protocol = 3 AND before = 1 AND step = 'data stored');

CREATE VIEW verdict AS
SELECT paper.us_1, paper.us_2, paper.us_3, paper.crossing, message.us AS simulated_us, crossing.bytes, each_us,
       deck_crossing_bytes(paper.us_2, mb_2, paper.us_3, mb_3) AS by_lines,
       deck_latency_for_crossing_us(paper.us_2, mb_2, mb_3, paper.crossing) AS needed_us,
       (paper.us_3 - paper.us_2) / 2 AS left_us, both.us_2 AS one_block_us
FROM paper, message, crossing, control_messages, both
WHERE message.protocol = 3 AND before = 1 AND both.size_bytes = 1;

CREATE VIEW note_stages_3 AS
SELECT printf('Published %.2f us, here %.2f us.', us_3, simulated_us) FROM verdict
UNION ALL
SELECT printf('The published figures exclude each other: with %.2f us, %.2f us and the peaks the lines '
       || 'cross at %.0f B;',
              us_2, us_3, by_lines) FROM verdict
UNION ALL
SELECT printf('to cross at %.0f B protocol 3 needs %.2f us.', crossing, needed_us) FROM verdict
UNION ALL
SELECT printf('Protocol 3 has two control messages one way more than protocol 2; %.2f - %.2f = %.2f us leaves %.2f us '
              || 'for each.', us_3, us_2, us_3 - us_2, left_us) FROM verdict
UNION ALL
SELECT printf('That is %.0f %% of the %.2f us measured for protocol 1, and %.0f %% of the %.2f us of each here, '
              || 'without a call.', 100 * left_us / us_1, us_1, 100 * left_us / each_us, each_us) FROM verdict
UNION ALL
SELECT printf('It is nearer to %s; protocol 2''s %.2f us are %.2f here, in one block.',
              iif(abs(simulated_us - needed_us) < abs(simulated_us - us_3),
                  printf('what the crossover needs (here %.0f B) than to %.2f us', bytes, us_3),
                  printf('%.2f us than to what the crossover needs (here %.0f B)', us_3, bytes)), us_2, one_block_us)
FROM verdict;
