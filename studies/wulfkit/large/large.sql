-- SPDX-License-Identifier: Apache-2.0
CREATE VIEW large AS
SELECT size_bytes, api.throughput_mb_per_s AS api_stream, api_single.throughput_mb_per_s AS api_single,
       mpi.throughput_mb_per_s AS mpi_stream, mpi_single.throughput_mb_per_s AS mpi_single
FROM mpi_one_way AS mpi JOIN mpi_ping_pong AS mpi_single USING (size_bytes)
     LEFT JOIN api_one_way AS api USING (size_bytes) LEFT JOIN api_ping_pong AS api_single USING (size_bytes);

CREATE VIEW table_large AS
SELECT size_bytes AS "message (bytes)",
       iif(api_stream IS NULL, NULL, printf('%.1f', api_stream)) AS "API one-way (MB/s)",
       iif(api_single IS NULL, NULL, printf('%.1f', api_single)) AS "API ping-pong (MB/s)",
       printf('%.1f', mpi_stream) AS "ScaMPI one-way (MB/s)",
       printf('%.1f', mpi_single) AS "ScaMPI ping-pong (MB/s)"
FROM large ORDER BY size_bytes;

CREATE VIEW peak AS
SELECT max(api_stream) AS api_stream, max(api_single) AS api_single, max(mpi_stream) AS mpi_stream,
       max(mpi_single) AS mpi_single FROM large;

CREATE VIEW table_conclusion AS
SELECT 'API, ping-pong' AS curve, printf('%.1f', api_single) AS "peak (MB/s)",
       (SELECT min(size_bytes) FROM large WHERE large.api_single >= peak.api_single / 2) AS "half of it from (bytes)"
FROM peak
UNION ALL SELECT 'API, one-way', printf('%.1f', api_stream),
       (SELECT min(size_bytes) FROM large WHERE large.api_stream >= peak.api_stream / 2) FROM peak
UNION ALL SELECT 'ScaMPI, ping-pong', printf('%.1f', mpi_single),
       (SELECT min(size_bytes) FROM large WHERE large.mpi_single >= peak.mpi_single / 2) FROM peak
UNION ALL SELECT 'ScaMPI, one-way', printf('%.1f', mpi_stream),
       (SELECT min(size_bytes) FROM large WHERE large.mpi_stream >= peak.mpi_stream / 2) FROM peak;
