-- SPDX-License-Identifier: Apache-2.0
-- Numbers without a measurement. [SCINET] simulated two of the conditions; its numbers are no measurements, but they
-- were read, so what stands beside them is marked as seen.

-- Two nodes on links of 500 MB/s, one writes 64 bytes at a time at equal intervals.
CREATE VIEW prediction_writer AS
SELECT printf('wulfkit.writer.latency.%d_mb_per_s', options_rate) AS id, latency_mean_ns AS simulated,
       printf('latency of 64 B, ring of two on links of 500 MB/s, one writer of %d MB/s', options_rate) AS quantity,
       'ns' AS unit,
       printf('./ringmesh run wulfkit-ring --set topology.dimensions=2 --set link.symbol_time=4ns --workload '
              || 'traffic:pattern=between,senders=0,receivers=1,rate=%d,arrivals=periodic', options_rate) AS command,
       'docs/reference/machines/timing_model.md: [SCINET] finds it constant' AS seen
FROM one_writer WHERE options_rate < 333
UNION ALL
SELECT 'wulfkit.writer.saturation', accepted_mb_per_s,
       'MB/s taken of one writer that offers more, ring of two on links of 500 MB/s', 'MB/s',
       printf('./ringmesh run wulfkit-ring --set topology.dimensions=2 --set link.symbol_time=4ns --workload '
              || 'traffic:pattern=between,senders=0,receivers=1,rate=%d,arrivals=periodic', options_rate),
       'docs/reference/evidence/sources.md: [SCINET] 437.5 MB/s gross'
FROM one_writer WHERE options_rate > 333;

-- The other takes 150 MB/s gross: 16 cycles of its B-Link for a request and its response.
CREATE VIEW prediction_slow_receiver AS
SELECT printf('wulfkit.slow_receiver.%s.%g_mb_per_s.%gns', what, options_rate, lc2_retry_interval_ns) AS id,
       iif(what = 'latency', latency_mean_ns, accepted_mb_per_s) AS simulated,
       printf('%s, ring of two on links of 500 MB/s, receiver of 114.3 MB/s, offered %g, retry interval %g ns',
              iif(what = 'latency', 'latency of 64 B', 'MB/s taken'), options_rate, lc2_retry_interval_ns) AS quantity,
       iif(what = 'latency', 'ns', 'MB/s') AS unit,
       printf('./ringmesh run wulfkit-ring --set topology.dimensions=2 --set link.symbol_time=4ns --set '
              || 'blink.clock=75MHz --set node1.blink.clock=28.571429MHz --set lc2.retry_interval=%gns --workload '
              || 'traffic:pattern=between,senders=0,receivers=1,inject=blink,rate=%g,arrivals=periodic',
              lc2_retry_interval_ns, options_rate) AS command,
       iif(what = 'taken', 'docs/reference/evidence/sources.md: [SCINET] 150 MB/s gross at any interval', NULL) AS seen
FROM slow_receiver, (SELECT 'taken' AS what UNION ALL SELECT 'latency')
WHERE what = 'taken' AND options_rate > 114.3
      OR what = 'latency' AND options_rate < 114.3 AND lc2_retry_interval_ns IN (1, 20000);

CREATE VIEW prediction_torus AS
SELECT printf('wulfkit.torus_4x4.%s.%g_mb_per_s', what, options_rate) AS id,
       iif(what = 'latency', latency_mean_ns, accepted_mb_per_s) AS simulated,
       printf('%s, torus of 4x4, each node offers %g MB/s to the others at random',
              iif(what = 'latency', 'latency of 64 B', 'MB/s taken of each node'), options_rate) AS quantity,
       iif(what = 'latency', 'ns', 'MB/s') AS unit,
       printf('./ringmesh run wulfkit-torus-2d --set topology.dimensions=4x4 --workload '
              || 'traffic:inject=blink,rate=%g,warm_up=100us,duration=300us', options_rate) AS command
FROM ahead_torus, (SELECT 'taken' AS what UNION ALL SELECT 'latency')
WHERE (what = 'taken') = (options_rate >= 60);

CREATE VIEW prediction_ring_or_switch AS
SELECT printf('wulfkit.%s.%s.%g_mb_per_s', variant, what, options_rate) AS id,
       iif(what = 'latency', latency_mean_ns, accepted_mb_per_s) AS simulated,
       printf('%s, %s, each node offers %g MB/s to the others at random',
              iif(what = 'latency', 'latency of 64 B', 'MB/s taken of each node'),
              iif(variant = 'ring_10', 'ring of 10', '8 nodes on the four rings of a switch'), options_rate)
           AS quantity,
       iif(what = 'latency', 'ns', 'MB/s') AS unit,
       printf('./ringmesh run %s --workload traffic:inject=blink,rate=%g,warm_up=100us,duration=300us',
              iif(variant = 'ring_10', 'wulfkit-ring --set topology.dimensions=10', 'wulfkit-switch'), options_rate)
           AS command
FROM ahead_ring_or_switch, (SELECT 'taken' AS what UNION ALL SELECT 'latency')
WHERE (what = 'taken') = (options_rate >= 60);

CREATE VIEW prediction_dma AS
SELECT printf('wulfkit.dma.%s.%dB', what, size_bytes) AS id,
       iif(what = 'latency', latency_ns, bandwidth_mb_per_s) AS simulated,
       iif(what = 'latency', printf('DMA of %d B to the next node, from the order to the status word in local '
                                      || 'memory, after all answers', size_bytes),
           printf('DMA of %d B to the next node, one after another', size_bytes)) AS quantity,
       iif(what = 'latency', 'ns', 'MB/s') AS unit,
       './ringmesh run wulfkit-ring --workload "remote-write:to=1,transfer=dma,sizes=64..65536 x4,repetitions=5"'
           AS command
FROM ahead_dma, (SELECT 'latency' AS what UNION ALL SELECT 'bandwidth');
