-- SPDX-License-Identifier: Apache-2.0
-- The paper's figures as curves over size. After `ringmesh study run studies/deck`:
--     ringmesh study query studies/deck 'SELECT * FROM curves' --csv FILE

CREATE VIEW curves AS
WITH point(place, figure, curve, size_bytes, latency_ns, bandwidth) AS (
SELECT 1, '1', 'remote write', size_bytes, latency_ns, bandwidth_mb_per_s FROM saw_tooth UNION ALL
SELECT 2, '1', 'remote read', size_bytes, latency_ns,
       bandwidth_mb_per_s FROM block_load WHERE variant = 'base' UNION ALL
SELECT 3, '1', 'remote read, prefetch', size_bytes, latency_ns, bandwidth_mb_per_s FROM block_load
WHERE variant = 'prefetch' UNION ALL
SELECT 4, '2', 'MMX stores', size_bytes, latency_ns, bandwidth_mb_per_s FROM block_stores WHERE kind = 'mmx' UNION ALL
SELECT 5, '2', 'memcpy', size_bytes, latency_ns, bandwidth_mb_per_s FROM block_stores WHERE kind = 'memcpy' UNION ALL
SELECT 6, '4, 6, 7', 'protocol 1', size_bytes, latency_avg_ns, throughput_mb_per_s FROM figure_short UNION ALL
SELECT 5 + protocol, '4, 7', 'protocol ' || protocol, size_bytes, latency_avg_ns, throughput_mb_per_s
FROM figure_medium UNION ALL
SELECT 7 + protocol, '5, 8', 'protocol ' || protocol, size_bytes, latency_avg_ns, throughput_mb_per_s
FROM figure_long UNION ALL
SELECT iif(mpi = 'scampi', 11, 12), '6, 7', iif(mpi = 'scampi', 'ScaMPI', 'SCI-MPICH'), size_bytes, latency_avg_ns,
       throughput_mb_per_s FROM figure_mpi UNION ALL
SELECT iif(mpi = 'scampi', 13, 14), '8', iif(mpi = 'scampi', 'ScaMPI', 'SCI-MPICH'), size_bytes, latency_avg_ns,
       throughput_mb_per_s FROM figure_mpi_long)
SELECT figure, curve, size_bytes, round(latency_ns / 1e3, 4) AS latency_us, round(bandwidth, 3) AS mb_per_s
FROM point ORDER BY place, size_bytes;
