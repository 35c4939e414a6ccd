-- SPDX-License-Identifier: Apache-2.0
-- Numbers that [000] and [003] mention in passing, or extrapolate to sizes that were not built.

CREATE VIEW finding_cable AS
SELECT 'wulfkit.component.propagation' AS id, ns AS simulated, sci_propagation_ns(1) AS analytic FROM added_metre;

-- The time that a link is busy for each transaction of a ring of two, less the rest: the response, of a header, and an
-- echo for each of the two, of half of that [SCINET].
CREATE VIEW finding_link AS
SELECT 'wulfkit.link.request_40_symbols' AS id,
       busy.mean / blocks.mean - 2 * sci_send_ns(0, rate.gb_per_s) AS simulated,
       sci_send_ns(64, rate.gb_per_s) AS analytic
FROM cable_statistics AS busy JOIN cable_statistics AS blocks USING (point),
     (SELECT published('wulfkit.link.rate') AS gb_per_s) AS rate
WHERE busy.modules = 'node*.lc2' AND busy.name = 'link_busy' AND blocks.modules = 'node*.psb' AND blocks.name = 'blocks'
  AND busy.cable_length_m = 1;

CREATE VIEW finding_four_bytes AS
SELECT 'wulfkit.remote_write_4B' AS id, latency_avg_ns / 1e3 AS simulated FROM four_bytes;

-- Of equation 2 with the published components, over all destinations.
CREATE VIEW finding_large_ring AS
SELECT 'wulfkit.analytic.error_to_1000_nodes' AS id,
       max(100 * abs(latency_ns / sci_request_ns(nodes, "to", 64) - 1)) AS simulated, NULL AS analytic
FROM large_ring
UNION ALL
SELECT 'wulfkit.request.1000.average', mean(latency_ns),
       sci_average_ns(1, max(nodes), max(o), max(l_p), max(l_f), max(l_s))
FROM large_ring, (SELECT * FROM paper WHERE system = 'current');

CREATE VIEW finding_overlap AS
SELECT 'wulfkit.overlap_ends_after' AS id,
       published('wulfkit.link.request_40_symbols')
           / (published('wulfkit.component.forwarding') + published('wulfkit.component.propagation')) AS analytic;

CREATE VIEW finding_single_digit AS
SELECT 'wulfkit.single_digit_microseconds' AS id, sum(latency_min_ns < 10000) AS simulated, count(*) AS published
FROM ping_pong WHERE size_bytes = 64;

-- Forwarding by equation 19 if the links had the rate that [003] names.
CREATE VIEW finding_link_rate AS
SELECT 'wulfkit.component.forwarding_4.0_gb_per_s' AS id,
       sci_forwarding_from_ping_pongs(one.latency_avg_ns, four.latency_avg_ns,
                                      published('wulfkit.component.propagation')) AS simulated,
       'rate_4_0' AS alternative
FROM link_rate AS one JOIN link_rate AS four USING (variant)
WHERE one.hops = 1 AND four.hops = 4 AND variant = 'rate_4_0';
