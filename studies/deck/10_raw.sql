-- SPDX-License-Identifier: Apache-2.0
-- Stores to remote memory and loads from it [002 II.C to II.E, Figs. 1 and 2].

-- The largest blocks, one after another to one place.
CREATE VIEW raw_peak AS
SELECT kind, bandwidth_mb_per_s AS mb_per_s FROM raw_stores WHERE size_bytes = 16384;

-- 3 clocks of each transaction besides its words (address, wait state, turnaround), 2 to open a stream buffer. MMX
-- stores are gathered to a cache line, those of memcpy to 8 bytes. These are the platform's values, which SQL cannot
-- read: if pci.write_wait, psb.stream_open or host.*_gather change there, change them here.
CREATE VIEW raw_bound AS
SELECT 'mmx' AS kind, deck_write_mb_per_s(32, 3, 2) AS mb_per_s UNION ALL
SELECT 'memcpy', deck_write_mb_per_s(8, 3, 2);

CREATE VIEW finding_raw_bandwidth AS
SELECT printf('deck.raw_write_bandwidth_%s', kind) AS id, raw_peak.mb_per_s AS simulated,
       raw_bound.mb_per_s AS analytic, printf('simulated, in 2^20 bytes: %.2f', raw_peak.mb_per_s / 1.048576) AS remark
FROM raw_peak JOIN raw_bound USING (kind);

-- Where the peak is reached: within 5 %, a threshold chosen here with the results known.
CREATE VIEW finding_pipeline AS
SELECT 'deck.raw_write.from_512B' AS id, min(percent_of_peak) AS simulated, NULL AS remark
FROM raw_stores WHERE kind = 'mmx' AND size_bytes >= 512
UNION ALL
SELECT 'deck.raw_write.from_512B_memcpy', min(percent_of_peak), NULL
FROM raw_stores WHERE kind = 'memcpy' AND size_bytes >= 512
UNION ALL
SELECT 'deck.raw_write.from_512B_every_64B', min(percent_of_peak),
       printf('least at %d B; all stream buffers together hold 512', at_least(size_bytes, percent_of_peak))
FROM block_stores WHERE kind = 'mmx' AND size_bytes BETWEEN 512 AND 1024;

-- Of the sizes of finding_pipeline, doubled. A block of 64 B to the same place leaves when the buffer is free again.
CREATE VIEW finding_reached AS
SELECT printf('deck.raw_write.reached_%s', kind) AS id,
       min(size_bytes) FILTER (WHERE percent_of_peak >= 95 AND size_bytes & (size_bytes - 1) = 0) AS simulated,
       printf('by steps of 64 B it would be %d B; a buffer is free again after %.2f us, in which %.1f are filled, '
              || '%.2f us each',
              min(size_bytes) FILTER (WHERE percent_of_peak >= 95),
              max(64 / bandwidth_mb_per_s) FILTER (WHERE size_bytes = 64),
              max(64 / bandwidth_mb_per_s) FILTER (WHERE size_bytes = 64) * max(bandwidth_mb_per_s) / 64,
              64 / max(bandwidth_mb_per_s)) AS remark
FROM raw_stores GROUP BY kind ORDER BY kind DESC;

-- Multiples of 64 bytes at which a write is faster than one of a byte less.
CREATE VIEW finding_drops AS
SELECT 'deck.raw_write.drops' AS id, count(*) AS simulated
FROM saw_tooth AS whole JOIN saw_tooth AS less ON less.size_bytes = whole.size_bytes - 1
WHERE whole.size_bytes % 64 = 0 AND whole.latency_ns < less.latency_ns;

-- Packets of one write with a barrier behind it.
CREATE VIEW packets_of AS
SELECT bytes, sum(mean) FILTER (WHERE name IN ('partial_writes', 'blocks')) / max(mean) FILTER (WHERE name = 'barriers')
       AS packets
FROM packet_counts_statistics WHERE modules = 'node*.psb' GROUP BY bytes;

CREATE VIEW finding_transactions AS
SELECT printf('deck.transactions_%dB', bytes) AS id, packets AS simulated FROM packets_of WHERE bytes IN (60, 64)
UNION ALL
SELECT 'deck.transactions_added', (block_more.packets - one.packets = 1) + (part_more.packets - one.packets > 1)
FROM packets_of AS one, packets_of AS block_more, packets_of AS part_more
WHERE one.bytes = 64 AND block_more.bytes = 128 AND part_more.bytes = 124;

CREATE VIEW finding_small_write AS
SELECT 'deck.raw_write.4B_over_local' AS id, latency_ns / published('deck.local_write') AS simulated,
       printf('on the PCs of [002] %.2f x', (SELECT latency_ns FROM saw_tooth WHERE size_bytes = 4)
              / published('deck.local_write')) AS remark
FROM wulfkit_write
UNION ALL
SELECT 'deck.raw_ping_pong.4B', latency_avg_ns / 1e3, NULL FROM raw_ping_pong;

-- A load's time is that of one instruction: a block takes size / width of them.
CREATE VIEW block_load AS
SELECT variant, size_bytes, load_ns * (size_bytes / 8) AS latency_ns, bandwidth_mb_per_s FROM block_loads;

CREATE VIEW finding_write_below_read AS
SELECT iif(load.variant = 'prefetch', 'deck.raw_write.below_reads_prefetch', 'deck.raw_write.below_reads') AS id,
       sum(saw_tooth.latency_ns < load.latency_ns) AS simulated, nullif(load.variant, 'base') AS alternative
FROM saw_tooth JOIN block_load AS load USING (size_bytes) GROUP BY load.variant;

CREATE VIEW reads_over_writes AS
SELECT width_bytes, variant, bandwidth_mb_per_s AS read_mb_per_s, raw_peak.mb_per_s / bandwidth_mb_per_s AS factor
FROM raw_loads, raw_peak WHERE kind = 'mmx';

CREATE VIEW finding_reads AS
SELECT iif(variant = 'base', 'deck.remote_read_over_write', 'deck.remote_read_over_write_no_prefetch') AS id,
       factor AS simulated, nullif(variant, 'base') AS alternative
FROM reads_over_writes WHERE width_bytes = 8;

CREATE VIEW table_remote_reads AS
SELECT width_bytes AS "load instruction (bytes)",
       printf('%.2f', plain.read_mb_per_s) AS "bandwidth (MB/s)",
       printf('%.1f', plain.factor) AS "writes are faster (x)",
       printf('%+.0f', 100 * (plain.factor / claimed - 1)) AS "error of 10 x (%)",
       printf('%.2f', prefetch.read_mb_per_s) AS "bandwidth, prefetch (MB/s)",
       printf('%.1f', prefetch.factor) AS "faster, prefetch (x)",
       printf('%+.0f', 100 * (prefetch.factor / claimed - 1)) AS "error, prefetch (%)"
FROM reads_over_writes AS plain JOIN reads_over_writes AS prefetch USING (width_bytes),
     (SELECT published('deck.remote_read_over_write') AS claimed)
WHERE plain.variant = 'no_prefetch' AND prefetch.variant = 'base'
ORDER BY width_bytes;

CREATE VIEW note_remote_reads AS
SELECT 'Each load instruction is a PCI read that stalls the processor for a round trip, or, with prefetch, one'
       UNION ALL
SELECT 'instruction of each 64 bytes. The paper compares with the maximum of reads and names prefetch, but no width.';
