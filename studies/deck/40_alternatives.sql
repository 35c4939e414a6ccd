-- SPDX-License-Identifier: Apache-2.0
-- What-ifs that the paper suggests, and the alternatives that it rejects [002 I, III].

CREATE VIEW whatif_name AS
SELECT column1 AS variant, column2 AS name, column3 AS place
FROM (VALUES ('base', 'as it is', 0), ('stream_128', '16 stream buffers of 128 B', 1),
             ('packets_128', 'the same, packets of 128 B', 2), ('protocol1_128', 'the same, protocol 1 with 128 B', 3),
             ('free_flush', 'a flush that costs nothing', 4), ('interrupt', 'interrupt in place of polling', 5),
             ('dma', 'the card''s DMA in place of stores', 6), ('dma_at_once', 'the same, started in no time', 7));

CREATE VIEW whatif_line AS
SELECT variant, protocol, size_bytes, latency_avg_ns / 1e3 AS us FROM whatifs WHERE protocol > 1 AND size_bytes <= 4160;
CREATE VIEW whatif_peak AS
SELECT variant, protocol, throughput_mb_per_s AS mb_per_s FROM whatifs WHERE size_bytes = 1048576;

CREATE VIEW whatif AS
SELECT variant, name, place, short.us AS us_1, two.us AS us_2, three.us AS us_3, peak_2.mb_per_s AS mb_2,
       peak_3.mb_per_s AS mb_3,
       iif(three.us <= two.us, 64.0,
           (SELECT crossover(size_bytes, c.us, b.us) FROM whatif_line AS b JOIN whatif_line
           AS c USING (variant, size_bytes)
            WHERE b.protocol = 2 AND c.protocol = 3 AND variant = whatif_name.variant)) AS crossing
FROM whatif_name LEFT JOIN (SELECT variant, latency_avg_ns / 1e3 AS us FROM whatifs WHERE protocol = 1) AS short
     USING (variant)
     JOIN whatif_line AS two USING (variant) JOIN whatif_line AS three USING (variant)
     JOIN whatif_peak AS peak_2 USING (variant) JOIN whatif_peak AS peak_3 USING (variant)
WHERE two.protocol = 2 AND three.protocol = 3 AND two.size_bytes = 64 AND three.size_bytes = 64 AND peak_2.protocol = 2
      AND peak_3.protocol = 3
ORDER BY place;

-- Each number, with its change against the cluster as it is.
CREATE VIEW whatif_change AS
SELECT place, what, iif(place = 0, printf(form, value),
                        printf(form || ' (%s)', value, iif(percent = 0, '0 %', printf('%+.0f %%', percent)))) AS text
FROM (SELECT place, what, form, value,
             round(100 * (value / first_value(value) OVER (PARTITION BY what ORDER BY place) - 1)) AS percent
      FROM (SELECT place, 'us_1' AS what, '%.2f' AS form, us_1 AS value FROM whatif UNION ALL
            SELECT place, 'us_2', '%.2f', us_2 FROM whatif UNION ALL
            SELECT place, 'us_3', '%.2f', us_3 FROM whatif UNION ALL
            SELECT place, 'mb_2', '%.1f', mb_2 FROM whatif UNION ALL
            SELECT place, 'mb_3', '%.1f', mb_3 FROM whatif)
      WHERE value IS NOT NULL);

CREATE VIEW table_costs AS
SELECT name AS "DECK on this cluster",
       coalesce(max(text) FILTER (WHERE what = 'us_1'), 'as before') AS "protocol 1, smallest (us)",
       max(text) FILTER (WHERE what = 'us_2') AS "protocol 2, 64 B (us)",
       max(text) FILTER (WHERE what = 'us_3') AS "protocol 3, 64 B (us)",
       max(text) FILTER (WHERE what = 'mb_2') AS "protocol 2, 1 MiB (MB/s)",
       max(text) FILTER (WHERE what = 'mb_3') AS "protocol 3, 1 MiB (MB/s)",
       iif(crossing IS NULL, 'over 4160', printf('%.0f', crossing)) AS "3 is faster from (bytes)"
FROM whatif JOIN whatif_change USING (place) GROUP BY place ORDER BY place;

CREATE VIEW note_costs AS
SELECT printf('Latencies are means of %d repetitions. Smallest message of protocol 1: 0 B.', max(times)) FROM whatifs
UNION ALL
SELECT 'DMA moves the data of protocols 2 and 3, 64 bytes for each read of memory over PCI (psb.dma_burst), so it stays'
UNION ALL
SELECT 'below the processor''s stores. Its start-up and what an interrupt takes are assumed (psb.dma_startup, '
       || 'host.interrupt).'
UNION ALL
SELECT printf('Protocol 1 with 128 B carries up to 126 B: from 63 B on it takes %.2f us where protocol 2 takes %.2f.',
              us_1, us_2) FROM whatif WHERE variant = 'protocol1_128'
UNION ALL
SELECT printf('The sizes are 256 B apart, with straight lines between them. As it is, steps of 64 B say '
       || '%.0f B in place of '
              || '%.0f:', bytes, whatif.crossing) FROM crossing, whatif WHERE variant = 'base'
UNION ALL
SELECT printf('at 768 B, between two of those sizes, protocol 2 takes %.2f us less than by a straight line '
       || 'from 704 to 832 B, '
              || 'in', (less.us_2 + more.us_2) / 2 - here.us_2)
FROM both AS less, both AS here, both AS more
WHERE less.size_bytes = 704 AND here.size_bytes = 768 AND more.size_bytes = 832
UNION ALL
SELECT 'other phases between its blocks and the stream buffers that they meet.';

-- The size from which an alternative is faster than the cluster as it is.
CREATE VIEW whatif_from AS
SELECT changed.variant, changed.protocol,
       iif(max(changed.us - base.us) FILTER (WHERE size_bytes = 64) <= 0, 64.0,
           crossover(size_bytes, changed.us, base.us)) AS bytes
FROM whatif_line AS changed JOIN whatif_line AS base USING (protocol, size_bytes)
WHERE base.variant = 'base' AND changed.variant <> 'base' GROUP BY changed.variant, changed.protocol;

CREATE VIEW whatif_gain AS
SELECT here.variant, protocol, CASE WHEN bytes IS NOT NULL THEN printf('%.0f', bytes)
                                    WHEN here.mb_per_s > before.mb_per_s THEN 'over 4160' ELSE 'never' END AS text
FROM whatif_from JOIN whatif_peak AS here USING (variant, protocol) JOIN whatif_peak AS before USING (protocol)
WHERE before.variant = 'base';

CREATE VIEW table_gains AS
SELECT name AS "faster than as it is", two.text AS "protocol 2 from (bytes)", three.text AS "protocol 3 from (bytes)"
FROM whatif_name JOIN whatif_gain AS two USING (variant) JOIN whatif_gain AS three USING (variant)
WHERE two.protocol = 2 AND three.protocol = 3 ORDER BY place;

-- What the paper says of other libraries' means: interrupts lengthen each latency, that of short messages most; DMA and
-- memcpy keep the bandwidth down.
CREATE VIEW finding_rejected AS
SELECT 'deck.interrupts_slow' AS id,
       sum(at_64.us_1 > now.us_1) + sum(at_64.us_2 > now.us_2) + sum(at_64.us_3 > now.us_3)
       + sum(at_64.us_2 / now.us_2 > (SELECT long_one.us / long_now.us FROM whatif_line AS long_one,
       whatif_line AS long_now
             WHERE long_one.size_bytes = 4160 AND long_now.size_bytes = 4160 AND long_one.protocol = 2
                   AND long_now.protocol = 2 AND long_one.variant = 'interrupt' AND long_now.variant = 'base'))
                   AS simulated,
       'interrupt' AS alternative
FROM whatif AS at_64, whatif AS now WHERE at_64.variant = 'interrupt' AND now.variant = 'base'
UNION ALL
SELECT 'deck.dma_below_stores', sum(moved.mb_per_s < now.mb_per_s), 'dma'
FROM whatif_peak AS moved JOIN whatif_peak AS now USING (protocol) WHERE moved.variant = 'dma' AND now.variant = 'base'
UNION ALL
SELECT 'deck.protocol3_peak_bandwidth_memcpy', throughput_mb_per_s, 'memcpy' FROM by_memcpy WHERE variant = 'memcpy';
