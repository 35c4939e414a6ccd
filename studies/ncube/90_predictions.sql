-- SPDX-License-Identifier: Apache-2.0
-- Messages between neighbours under Vertex. What the six times of [001] give by a formula is marked as seen.

CREATE VIEW prediction_neighbours AS
SELECT printf('ncube.neighbour.half_round_trip.%dB', size_bytes) AS id, latency_min_ns AS simulated,
       printf('message of %d B to a neighbour, half of a round trip', size_bytes) AS quantity, 'ns' AS unit,
       './ringmesh run ncube-64 --workload "ping-pong:to=1,sizes=16..4096 x4,500,2000"' AS command,
       '[001 Table 3]: the sum of its lines for a write, a transmission and a read' AS seen
FROM ahead_neighbour
UNION ALL
SELECT printf('ncube.all_neighbours.%s.%dB', variant, size_bytes), time_min_ns,
       printf('%d B from each of 64 nodes to its six neighbours, %s', size_bytes,
              iif(variant = 'overlap', 'all write before they read', 'in one order of all messages')), 'ns',
       printf('./ringmesh run ncube-64 --workload '
              || '"nearest-neighbour:overlap=%s,quiet=true,repetitions=1,sizes=16..4096 x4"',
              iif(variant = 'overlap', 'true', 'false')),
       NULL
FROM ahead_all_neighbours;
