-- SPDX-License-Identifier: Apache-2.0
-- Latencies are means in cycles, from birth to the last flit, the queue at the source included.

CREATE VIEW peer_id AS
SELECT flits, load, printf('%s.%d_flit%s',
       CASE WHEN load < 0.01 THEN 'mesh.zero_load' ELSE printf('mesh.load_%g', load) END,
                           flits, CASE WHEN flits > 1 THEN 's' ELSE '' END) AS id
FROM peer;

-- Without load the mean over all pairs follows from the stages; routers take four cycles, and one for the link.
-- Tolerance: half the last digit, of two without load and of one else, and what two runs differ by at random.
CREATE VIEW finding_latency AS
SELECT id, latency_mean_cycles AS simulated,
       printf('%.3f cycles', iif(load < 0.01, 0.005, 0.05) + sqrt(2) * latency_ci95_cycles) AS tolerance,
       CASE WHEN load < 0.01 THEN mesh_mean_latency_cycles(8, 8, 5, 2, flits) END AS analytic,
       printf('ci95 %.2f cycles', latency_ci95_cycles) AS remark
FROM peer JOIN peer_id USING (flits, load);

CREATE VIEW finding_choice AS
SELECT replace(id, 'mesh.', 'mesh.per_input.') AS id, published(id) AS published, latency_mean_cycles AS simulated,
       printf('mean latency if packets choose among the free channels; %d flit%s; load %g', flits,
              CASE WHEN flits > 1 THEN 's' ELSE '' END, load) AS quantity,
       'per_input' AS alternative, printf('ci95 %.2f cycles', latency_ci95_cycles) AS remark
FROM choice JOIN peer_id USING (flits, load)
WHERE variant = 'per_input';

CREATE VIEW verdict AS
SELECT near.load, saturated(near.accepted_part, near.latency_mean_cycles, free.latency_mean_cycles) AS saturated
FROM saturating AS near JOIN peer AS free ON free.flits = 1 AND free.load < 0.01;

-- Half-way between the last load below and the first above. Without both there is no row, which is an error.
CREATE VIEW finding_saturation AS
SELECT 'mesh.saturation.1_flit' AS id, (below + above) / 2 AS simulated, mesh_capacity(8, 8) AS analytic,
       printf('simulated between %g and %g', below, above) AS remark
FROM (SELECT max(load) FILTER (WHERE NOT saturated) AS below, min(load) FILTER (WHERE saturated) AS above FROM verdict)
WHERE above > below;

CREATE VIEW finding_details AS
SELECT printf('mesh.path_over_flit.load_%g', load) AS id,
       path.latency_mean_cycles / flit.latency_mean_cycles AS simulated,
       1 AS analytic, printf('%.2f and %.2f cycles', path.latency_mean_cycles, flit.latency_mean_cycles) AS remark
FROM chip AS path JOIN chip AS flit USING (load)
WHERE path.mesh_detail = 'path' AND flit.mesh_detail = 'flit';
