-- SPDX-License-Identifier: Apache-2.0
-- What [000 ch.7] and [003 7] leave to further work, as far as it runs here: other patterns, opposite rings, a switch,
-- faster hosts. Nothing was published: the rows say what came out.

CREATE VIEW finding_all_to_all AS
SELECT 'wulfkit.outlook.all_to_all.' || torus AS id,
       printf('every rank sends 64 B to every other, ScaMPI; %s, %d messages', torus, messages) AS quantity,
       time_min_ns / 1e3 AS simulated,
       printf('%.2f of the ring''s', time_min_ns / (SELECT ring.time_min_ns FROM mpi_all_to_all AS ring
                  WHERE ring.torus = cast(sci_nodes(one.torus) AS TEXT))) AS remark
FROM mpi_all_to_all AS one;

CREATE VIEW finding_neighbours AS
SELECT 'wulfkit.outlook.nearest_neighbour.' || torus AS id,
       printf('every rank sends 64 B to all that are one link away, ScaMPI; %s, %d messages', torus, messages)
           AS quantity,
       time_min_ns / 1e3 AS simulated,
       printf('%.2f of the ring''s', time_min_ns / (SELECT ring.time_min_ns FROM mpi_neighbours AS ring
                  WHERE ring.torus = cast(sci_nodes(one.torus) AS TEXT))) AS remark
FROM mpi_neighbours AS one;

-- Until the last rank has it.
CREATE VIEW multicast AS
SELECT torus, way, last_return_cycles * min_ns / min_cycles / 1e3 AS us FROM mpi_multicast;

CREATE VIEW finding_multicast AS
SELECT 'wulfkit.outlook.tree_multicast.' || torus AS id,
       printf('64 B from one rank to all along a binomial tree, ScaMPI; %s, until the last has it', torus) AS quantity,
       tree.us AS simulated, printf('by unicasts one after another %.1f us', unicasts.us) AS remark
FROM multicast AS tree JOIN multicast AS unicasts USING (torus) WHERE tree.way = 'binomial' AND unicasts.way = 'linear';

CREATE VIEW finding_unbalanced AS
SELECT 'wulfkit.outlook.unbalanced.' || torus AS id,
       printf('payload stored per node when half of all goes to one node; %s', torus) AS quantity,
       hot.accepted_mb_per_s AS simulated,
       printf('%.0f %% of the %.1f MB/s of uniform stores', 100 * hot.accepted_mb_per_s / even.accepted_mb_per_s,
              even.accepted_mb_per_s) AS remark
FROM stores AS hot JOIN stores AS even USING (torus) WHERE hot.whom = 'hot-spot' AND even.whom = 'uniform';

CREATE TABLE both AS
SELECT variant, torus, sci_dimensions(torus) AS dimensions, sci_nodes(torus) AS nodes, latency_mean_ns AS ns
FROM both_ways;

CREATE VIEW finding_opposite_rings AS
SELECT 'wulfkit.outlook.opposite_rings.' || torus AS id,
       printf('latency of a request, average; %s, a second, opposite ring beside each', torus) AS quantity,
       two.ns AS simulated, 'both_ways' AS alternative,
       printf('%.1f %% less than without', 100 * (1 - two.ns / one.ns)) AS remark
FROM both AS two JOIN both AS one USING (torus)
WHERE two.variant = 'both_ways' AND one.variant = 'one_way_round' AND two.nodes IN (16, 64);

CREATE VIEW finding_opposite_crossover AS
SELECT 'wulfkit.outlook.opposite_rings.crossover_1d_2d' AS id, sci_crossover(dimensions, nodes, ns) AS simulated,
       'both_ways' AS alternative,
       printf('between %d and %d; with one ring %.1f', sci_crossover_below(dimensions, nodes, ns),
              sci_crossover_above(dimensions, nodes, ns), (SELECT sci_crossover(dimensions, nodes, ns) FROM both
                                                           WHERE variant = 'one_way_round')) AS remark
FROM both WHERE variant = 'both_ways';

CREATE VIEW finding_switch AS
SELECT 'wulfkit.outlook.eight_pcs.' || variant AS id, latency_mean_ns AS simulated,
       'latency of a request, average; eight PCs' || CASE variant
           WHEN 'ring' THEN ' on one ring'
           WHEN 'torus' THEN ' on a torus of 2x4'
           ELSE ', two on each of four rings that a switch joins' END AS quantity,
       printf('%.2f hops and %.2f changes of ring on average', mean_hops, mean_dimension_changes) AS remark
FROM eight_pcs;

CREATE VIEW faster_overhead AS
SELECT variant, size_bytes, sci_overhead_from_ping_pong(latency_min_ns, l_p) AS ns
FROM faster_host, (SELECT published('wulfkit.component.propagation') AS l_p);

CREATE VIEW finding_faster_host AS
SELECT 'wulfkit.outlook.faster_host.overhead_64B' AS id, fast.ns AS simulated, 'pci_66MHz' AS alternative,
       printf('%.1f %% less', 100 * (1 - fast.ns / slow.ns)) AS remark
FROM faster_overhead AS fast JOIN faster_overhead AS slow USING (size_bytes)
WHERE fast.variant = 'pci_66MHz' AND slow.variant = 'pci_33MHz' AND size_bytes = 64
UNION ALL
SELECT 'wulfkit.outlook.faster_host.overhead_slope', slope(size_bytes, ns), 'pci_66MHz',
       printf('%.2f ns/B at 33 MHz', (SELECT slope(size_bytes, ns) FROM faster_overhead WHERE variant = 'pci_33MHz'))
FROM faster_overhead WHERE variant = 'pci_66MHz';
