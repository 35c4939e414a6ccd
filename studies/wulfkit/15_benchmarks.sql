-- SPDX-License-Identifier: Apache-2.0
-- Figure 5 and what the papers say of their two tests: a one-way test streams messages, a ping-pong sends single ones.

CREATE VIEW figure_5 AS
SELECT size_bytes, api.latency_min_ns AS api_ns, mpi.latency_min_ns AS mpi_ns
FROM api_stream AS api JOIN mpi_stream AS mpi USING (size_bytes);

CREATE VIEW finding_figure_5 AS
SELECT 'wulfkit.figure_5.api_below_mpi' AS id, sum(api_ns < mpi_ns) AS simulated, count(*) AS published,
       printf('the API takes %.0f to %.0f %% of ScaMPI''s time', 100 * min(api_ns / mpi_ns), 100 * max(api_ns / mpi_ns))
           || coalesce('; not below at ' || group_concat(size_bytes, ', ') FILTER (WHERE api_ns >= mpi_ns) || ' B', '')
           AS remark
FROM figure_5;

-- Packets of each run: whole blocks of 64 bytes, and those of up to 16.
CREATE VIEW payload AS
SELECT size, blocks.mean AS blocks, parts.mean AS parts
FROM payloads_statistics AS blocks JOIN payloads_statistics AS parts USING (size)
WHERE blocks.modules = 'node*.psb' AND blocks.name = 'blocks'
  AND parts.modules = 'node*.psb' AND parts.name = 'partial_writes';

CREATE VIEW finding_payloads AS
SELECT 'wulfkit.figure_5.packets_of_64' AS id, sum(parts = 0) AS simulated, count(*) AS published
FROM payload WHERE size % 64 = 0
UNION ALL
SELECT 'wulfkit.figure_5.packets_of_16', sum(blocks = 0), count(*) FROM payload WHERE size < 64
UNION ALL
SELECT 'wulfkit.figure_5.packets_of_16_only_below_64B', sum(parts = 0), count(*) FROM payload WHERE size > 64;

CREATE VIEW finding_pipeline AS
SELECT 'wulfkit.one_way.pipeline' AS id, sum(api_ns < latency_min_ns) AS simulated, count(*) AS published,
       printf('the one-way test takes %.0f to %.0f %% of the ping-pong''s time', 100 * min(api_ns / latency_min_ns),
              100 * max(api_ns / latency_min_ns)) AS remark
FROM figure_5 JOIN ping_pong USING (size_bytes) WHERE hops = 1;
