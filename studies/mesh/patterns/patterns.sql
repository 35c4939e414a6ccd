-- SPDX-License-Identifier: Apache-2.0
-- A row for each point, with the other simulator's figures beside ours.
CREATE VIEW patterns AS
SELECT axis_pattern AS pattern, topology, channels, flits, load, accepted, latency,
       accepted_load, latency_mean_cycles, latency_ci95_cycles, doubt FROM to_all
UNION ALL
SELECT axis_pattern, topology, channels, flits, load, accepted, latency,
       accepted_load, latency_mean_cycles, latency_ci95_cycles, doubt FROM to_others
UNION ALL
SELECT axis_pattern, topology, channels, flits, load, accepted, latency,
       accepted_load, latency_mean_cycles, latency_ci95_cycles, doubt FROM permutation;

CREATE VIEW patterns_id AS
SELECT *, printf('%s.%s.%d_channels.%d_flit%s', topology, pattern, channels, flits, iif(flits > 1, 's', '')) AS name,
       printf('%s on the %s; %d channels; %d flit%s', pattern, topology, channels, flits, iif(flits > 1, 's', ''))
       AS words
FROM patterns;

CREATE VIEW finding_accepted AS
SELECT 'mesh.accepted.' || name AS id, accepted AS published, accepted_load AS simulated,
       'accepted when all is offered, ' || words AS quantity
FROM patterns_id WHERE load = 1;

CREATE VIEW finding_latency AS
SELECT printf('mesh.latency.%s.load_%g', name, load) AS id, latency AS published, latency_mean_cycles AS simulated,
       printf('mean latency at load %g, ', load) || words AS quantity,
       CASE WHEN abs(latency_mean_cycles / latency - 1) <= 0.02 THEN NULL
            WHEN latency > 2 * least THEN 'close to the load of saturation, where latency rises steeply'
       END AS miss,
       printf('ci95 %.2f cycles', latency_ci95_cycles) AS remark
FROM patterns_id
     JOIN (SELECT name, min(latency) AS least FROM patterns_id WHERE latency > 0 GROUP BY name) USING (name)
WHERE load < 1 AND latency > 0;

CREATE VIEW all_offered AS SELECT * FROM patterns WHERE load = 1;

CREATE VIEW table_accepted AS
SELECT pattern, topology, channels, flits, accepted AS "other simulator", accepted_load AS here,
       100 * (accepted_load / accepted - 1) AS "difference (%)"
FROM all_offered ORDER BY channels DESC, topology, pattern, flits;

CREATE VIEW table_latency AS
SELECT pattern, topology, channels, flits, load, latency AS "other simulator", latency_mean_cycles AS here,
       100 * (latency_mean_cycles / latency - 1) AS "difference (%)"
FROM patterns WHERE load < 1 AND latency > 0 ORDER BY channels DESC, topology, pattern, flits, load;

CREATE VIEW table_summary AS
SELECT 'accepted, all offered' AS what, channels, count(*) AS rows,
       avg(abs(accepted_load / accepted - 1)) * 100 AS "mean (%)",
       max(abs(accepted_load / accepted - 1)) * 100 AS "largest (%)"
FROM all_offered GROUP BY channels
UNION ALL
SELECT 'latency', channels, count(*), avg(abs(latency_mean_cycles / latency - 1)) * 100,
       max(abs(latency_mean_cycles / latency - 1)) * 100
FROM patterns WHERE load < 1 AND latency > 0 GROUP BY channels;
