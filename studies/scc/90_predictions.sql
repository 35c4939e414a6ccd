-- SPDX-License-Identifier: Apache-2.0
-- Numbers without a measurement, of core 0 on an idle chip at 533/800/800 MHz. Cycles are the core's. What [PG]'s
-- formulas give, or [BF] measured, is marked as seen. A command has the rows of all tiles or
-- controllers: the first write of a row waits for the last of the row before.

CREATE VIEW width_word(bytes, word, words) AS VALUES (4, 'dword', 'a dword'), (32, 'line', 'a line of 32 bytes');

CREATE VIEW prediction_buffer AS
SELECT printf('scc.mpb_%s.core0.tile%d.%s', operation, owner / 2, word) AS id, mean_cycles AS simulated,
       printf('%s of %s, buffer of tile %d, %d links away', operation, words, owner / 2, hops) AS quantity,
       'cycles' AS unit,
       printf('./ringmesh run scc --workload "memory-probe:tile=0..23 step 1,operation=%s,bytes=%d"', operation,
              access_bytes) AS command,
       CASE WHEN operation = 'read' AND hops IN (1, 8) THEN '[BF] measured it; facts of the SCC'
            WHEN operation = 'read' THEN '[PG] 45 core cycles and 8 mesh cycles a router; facts of the SCC'
            WHEN hops IN (1, 8) THEN '[BF] measured it; facts of the SCC' END AS seen
FROM ahead_buffers JOIN width_word ON bytes = access_bytes;

CREATE VIEW prediction_bypass AS
SELECT printf('scc.mpb_%s.core0.tile0.%s.bypass', operation, word) AS id, mean_cycles AS simulated,
       printf('%s of %s, own buffer, bypass on', operation, words) AS quantity, 'cycles' AS unit,
       printf('./ringmesh run scc --set mpb.bypass=true --workload "memory-probe:tile=0,operation=%s,bytes=%d"',
              operation, access_bytes) AS command,
       iif(operation = 'read', '[BF] 20, which sets core.from_miu; [PG] 15',
           '[BF] 39, which sets core.acknowledge') AS seen
FROM ahead_bypass JOIN width_word ON bytes = access_bytes;

CREATE VIEW prediction_memory AS
SELECT printf('scc.memory_%s.core0.mc%d.%s.%s', operation, owner, word, page) AS id, mean_cycles AS simulated,
       printf('%s of %s that no cache has, memory behind controller %d, %d links away, %s page', operation, words,
              owner, hops, page) AS quantity,
       'cycles' AS unit,
       printf('./ringmesh run scc --workload '
              || '"memory-probe:target=memory,controller=0..3 step 1,page=%s,operation=%s,bytes=%d"',
              page, operation, access_bytes) AS command,
       CASE WHEN operation = 'read' AND page = 'uncached' AND access_bytes = 4 AND owner = 0
            THEN '[BF] measured it; facts of the SCC'
            WHEN operation = 'read' AND (page <> 'uncached' OR access_bytes = 4)
            THEN '[PG] 40 core, 8 mesh cycles a router, 46 memory cycles; facts of the SCC' END AS seen
FROM ahead_memory JOIN width_word ON bytes = access_bytes;

CREATE VIEW prediction_ping_pong AS
SELECT printf('scc.rcce.round_trip.%dB.%d_hops', size_bytes, hops) AS id, round_trip_min_cycles AS simulated,
       printf('RCCE, %d B to core %d, %d links away, and back: least of ten', size_bytes, core, hops) AS quantity,
       'cycles' AS unit,
       printf('./ringmesh run scc --library rcce --workload "ping-pong:to=%d,sizes=32..8192 x4,meet=false"', core)
           AS command,
       iif(size_bytes = 32 AND hops = 0, '[Prell] 5.21 us', NULL) AS seen
FROM ahead_ping_pong;

CREATE VIEW prediction_broadcast AS
SELECT printf('scc.broadcast.%s.%s.%dB.48_cores', variant, what, size_bytes) AS id,
       iif(what = 'last_return', last_return_cycles, min_cycles) AS simulated,
       printf('broadcast of %d B to 48 cores, %s, %s', size_bytes,
              CASE variant WHEN 'tree' THEN 'one-sided tree' WHEN 'binomial' THEN 'binomial tree of messages'
                           ELSE 'scatter and allgather' END,
              iif(what = 'last_return', 'until the last core returns from its call', 'with a closing barrier'))
           AS quantity,
       'cycles' AS unit,
       printf('./ringmesh run scc --library rcce --workload '
              || '"broadcast:algorithm=%s,size=%d,ranks=48,method=curve,repetitions=1"', variant, size_bytes)
           AS command
FROM ahead_broadcast, (SELECT 'last_return' AS what UNION ALL SELECT 'with_barrier');
