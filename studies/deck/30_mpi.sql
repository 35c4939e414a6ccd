-- SPDX-License-Identifier: Apache-2.0
-- ScaMPI and SCI-MPICH [002 IV.A, Figs. 6 to 8]. One model stands for both; its software cost was set on the Wulfkit
-- ring by a streaming test [000 ch.5].

-- In ids SCI-MPICH has no hyphen.
CREATE VIEW mpi_result AS
SELECT replace(small.mpi, '-', '') AS library, small.latency_avg_ns / 1e3 AS us, large.throughput_mb_per_s AS mb_per_s
FROM mpi_ping_pong AS small JOIN mpi_ping_pong AS large USING (mpi)
WHERE small.size_bytes = 0 AND large.size_bytes = 1048576;

CREATE VIEW finding_mpi AS
SELECT printf('deck.%s_min_latency', library) AS id, us AS simulated FROM mpi_result UNION ALL
SELECT printf('deck.%s_peak_bandwidth', library), mb_per_s FROM mpi_result;

CREATE VIEW finding_mpi_alternatives AS
SELECT 'deck.scampi_min_latency_no_check' AS id, latency_avg_ns / 1e3 AS simulated, variant AS alternative
FROM mpi_without_check WHERE variant = 'no_check'
UNION ALL
SELECT printf('deck.scampi_peak_bandwidth_%s', variant), throughput_mb_per_s, variant FROM mpi_chunks;

-- Section V of the paper: what protocol 1 saves, and how much of the raw bandwidth is used. Analytic: the same
-- arithmetic on the published numbers.
CREATE VIEW finding_conclusions AS
SELECT printf('deck.protocol1_gain_over_%s', library) AS id,
       100 * (1 - protocol_latency.us / mpi_result.us) AS simulated,
       100 * (1 - published('deck.protocol1_latency') / published(printf('deck.%s_min_latency', library))) AS analytic
FROM mpi_result, protocol_latency WHERE protocol = 1 AND size_bytes = 62
UNION ALL
SELECT printf('deck.%s_percent_of_raw', library), 100 * mpi_result.mb_per_s / raw_peak.mb_per_s,
       100 * published(printf('deck.%s_peak_bandwidth', library)) / published('deck.raw_write_bandwidth_mmx')
FROM mpi_result, raw_peak WHERE kind = 'mmx';

-- Figures 6 to 8: which curve lies below which. ScaMPI stands for both MPIs.
CREATE VIEW finding_figure_6 AS
SELECT 'deck.figure6.protocol1_below_mpi' AS id,
       sum(figure_short.latency_avg_ns < figure_mpi.latency_avg_ns) AS simulated,
       count(*) AS published, NULL AS remark
FROM figure_short JOIN figure_mpi USING (size_bytes) WHERE mpi = 'scampi'
UNION ALL
SELECT 'deck.figure6.constant', sum(growth_percent <= 0.5), NULL,
       printf('largest over least latency: %s', group_concat(printf('%s +%.1f %%', library, growth_percent), ', '))
FROM (SELECT library, 100 * (max(ns) / min(ns) - 1) AS growth_percent
      FROM (SELECT 'DECK' AS library, latency_avg_ns AS ns FROM figure_short UNION ALL
            SELECT mpi, latency_avg_ns FROM figure_mpi WHERE size_bytes <= 62) GROUP BY library ORDER BY library);

-- The model's MPIs send more than 128 bytes by their eager protocol.
CREATE VIEW finding_figure_7 AS
SELECT printf('deck.figure7.protocol%d_below_eager', protocol) AS id, sum(latency.us < figure_mpi.latency_avg_ns / 1e3)
       AS simulated, count(*) AS published,
       nullif('slower at ' || group_concat(iif(latency.us < figure_mpi.latency_avg_ns / 1e3, NULL, size_bytes), ', ')
              || ' B', '') AS remark
FROM (SELECT * FROM protocol_latency WHERE protocol > 1 ORDER BY size_bytes) AS latency
    JOIN figure_mpi USING (size_bytes)
WHERE mpi = 'scampi' AND size_bytes > 128 GROUP BY protocol;

CREATE VIEW finding_figure_8 AS
SELECT iif(protocol = 2, 'deck.figure8.protocol2_above_eager', 'deck.figure8.protocol3_above_rendez_vous') AS id,
       sum(figure_long.throughput_mb_per_s > figure_mpi_long.throughput_mb_per_s) AS simulated, count(*) AS published
FROM figure_long JOIN figure_mpi_long USING (size_bytes)
WHERE mpi = 'scampi' AND (protocol = 2) = (size_bytes <= 32768) GROUP BY protocol;
