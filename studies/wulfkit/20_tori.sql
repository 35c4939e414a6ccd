-- SPDX-License-Identifier: Apache-2.0
-- Tori: the switching latency by the papers' own experiment on nine PCs as a torus of 3x3, and the equations for
-- requests on tori of 1 to 4 dimensions, with components from small machines only.

CREATE VIEW equation_20 AS
SELECT size_bytes, sci_switching_from_ping_pongs(one.latency_avg_ns, two.latency_avg_ns, l_p) AS switching_ns
FROM torus_ping_pong AS one JOIN torus_ping_pong AS two USING (size_bytes), (SELECT max(l_p) AS l_p FROM component)
WHERE one.options_to = 2 AND two.options_to = 5;

-- What equation 20 reads too high on rings of three: (l_f + l_p) / 2, as simulated and as published.
CREATE VIEW equation_20_error AS
SELECT (mean(forwarding_ns) + max(l_p)) / 2 AS simulated_ns,
       (published('wulfkit.component.forwarding') + max(l_p)) / 2 AS published_ns
FROM component;

CREATE VIEW finding_switching AS
SELECT 'wulfkit.component.switching' AS id, mean(switching_ns) AS simulated, NULL AS published FROM equation_20
UNION ALL
SELECT printf('wulfkit.component.switching_%dB', size_bytes), switching_ns, published('wulfkit.component.switching')
FROM equation_20
UNION ALL
SELECT 'wulfkit.switching.flatness', max(switching_ns) / min(switching_ns), NULL FROM equation_20
UNION ALL
SELECT 'wulfkit.switching.corrected', mean(switching_ns) - max(simulated_ns),
       published('wulfkit.component.switching') - max(published_ns)
FROM equation_20, equation_20_error;

-- With other delays of LC-2 in link clocks: links of 5 ns symbols instead of the specified 4.
CREATE VIEW finding_clocked AS
WITH constants AS (SELECT published('wulfkit.component.propagation') AS l_p),
     forwarding AS (SELECT variant, sci_forwarding_from_ping_pongs(one.latency_avg_ns, four.latency_avg_ns, l_p) AS ns
                    FROM clocked_ring AS one JOIN clocked_ring AS four USING (variant), constants
                    WHERE one.hops = 1 AND four.hops = 4),
     switching AS (SELECT variant, sci_switching_from_ping_pongs(one.latency_avg_ns, two.latency_avg_ns, l_p) AS ns
                   FROM clocked_torus AS one JOIN clocked_torus AS two USING (variant), constants
                   WHERE one.options_to = 2 AND two.options_to = 5)
SELECT 'wulfkit.component.forwarding_clocked_' || variant AS id, ns AS simulated, variant AS alternative,
       NULL AS remark
FROM forwarding WHERE variant <> 'bypass'
UNION ALL
SELECT 'wulfkit.component.switching_clocked_' || variant, switching.ns, variant,
       printf('without the error of equation 20: %.1f', switching.ns - (forwarding.ns + l_p) / 2)
FROM switching JOIN forwarding USING (variant), constants WHERE variant <> 'bypass';

-- One way, which does not involve the way back: from node 0 to 4, one hop in either dimension, less that to 1.
CREATE VIEW switching_one_way AS
SELECT far.latency_ns - near.latency_ns - (SELECT max(l_p) FROM component) AS ns
FROM torus_one_way AS near, torus_one_way AS far WHERE near."to" = 1 AND far."to" = 4;

CREATE VIEW finding_switching_one_way AS
SELECT 'wulfkit.switching.equation_20_error' AS id, switching_ns - ns AS simulated, published_ns AS analytic
FROM equation_20, switching_one_way, equation_20_error WHERE size_bytes = 64
UNION ALL
SELECT 'wulfkit.switching.stages', ns, sci_switching_stages_ns() FROM switching_one_way;

CREATE VIEW finding_remedies AS
SELECT printf('wulfkit.what_if.%gMHz.%dbit.%gns.%s', mhz, bits, in_ns + out_ns, lc2_switching) AS id,
       printf('latency of a change of dimension, one way; B-Link of %g MHz and %d bits, FIFOs of %g and %g ns, %s', mhz,
              bits, in_ns, out_ns, lc2_switching) AS quantity,
       ns AS simulated, sci_switching_stages_ns(lc2_switching, mhz, bits / 8, in_ns, out_ns) AS analytic,
       printf('%.0f %% of the card''s', 100 * ns / (SELECT ns FROM switching_one_way)) AS remark
FROM (SELECT lc2_switching, blink_clock_mhz AS mhz, 8 * blink_bytes_per_cycle_bytes AS bits,
             lc2_in_fifo_to_blink_ns AS in_ns, lc2_blink_to_out_fifo_ns AS out_ns,
             max(latency_ns) FILTER (WHERE "to" = 4) - max(latency_ns) FILTER (WHERE "to" = 1)
                 - (SELECT max(l_p) FROM component) AS ns
      FROM remedies GROUP BY point)
ORDER BY lc2_switching DESC, ns DESC;

-- Components from ping-pongs on small machines alone, for all tori below.
CREATE TABLE at_64_bytes AS
SELECT overhead_ns AS o, l_p, forwarding_ns AS l_f, switching_ns - (forwarding_ns + l_p) / 2 AS l_s
FROM component JOIN equation_20 USING (size_bytes) WHERE size_bytes = 64;

CREATE TABLE request_pair AS
SELECT requests.rowid AS place, torus, "from", "to", latency_ns,
       sci_torus_request_ns(torus, "from", "to", o, l_p, l_f, l_s) AS formula_ns
FROM requests, at_64_bytes;

CREATE TABLE request_torus AS
SELECT torus, min(place) AS place, count(*) AS pairs, mean(latency_ns) AS mean_ns,
       max(abs(latency_ns / formula_ns - 1)) AS largest_error
FROM request_pair GROUP BY torus;

CREATE VIEW worst_pair AS
SELECT min(pair.place) AS place, pair.torus, pairs, "from", "to", latency_ns, formula_ns
FROM request_pair AS pair JOIN request_torus AS torus
  ON pair.torus = torus.torus AND abs(latency_ns / formula_ns - 1) = largest_error
GROUP BY pair.torus;

CREATE VIEW finding_request AS
SELECT id, quantity, simulated, analytic, source, remark
FROM (SELECT request_torus.place, 1 AS part, 'wulfkit.request.' || torus || '.worst_pair' AS id,
             printf('latency of a request; %s, of %d pairs the one farthest from the equation', torus, pairs)
                 AS quantity,
             latency_ns AS simulated, formula_ns AS analytic, '[000 eq. 8]' AS source,
             printf('from node %d to %d', "from", "to") AS remark
      FROM worst_pair JOIN request_torus USING (torus, pairs)
      UNION ALL
      SELECT place, 2, 'wulfkit.request.' || torus || '.average',
             printf('latency of a request, average; %s, %d pairs', torus, pairs), mean_ns,
             sci_torus_average_ns(torus, o, l_p, l_f, l_s), '[000 eq. 17]', NULL
      FROM request_torus, at_64_bytes)
ORDER BY place, part;

-- Hops of a response are those of the request the other way.
CREATE VIEW finding_equation_11 AS
SELECT 'wulfkit.equation_11.as_printed' AS id, mean(hops) AS simulated,
       sci_response_hops_as_printed(1, sci_nodes(torus)) AS analytic,
       printf('without it %.2f', sci_response_hops(1, sci_nodes(torus))) AS remark
FROM requests WHERE torus = '8';

CREATE VIEW finding_ways AS
SELECT 'wulfkit.equation_14.hops' AS id, sum(abs(hops - sci_average_hops(torus)) < 1e-9) AS simulated,
       count(*) AS published
FROM (SELECT torus, mean(hops) AS hops FROM requests GROUP BY torus)
UNION ALL
SELECT 'wulfkit.equation_15.switches', sum(abs(switches - sci_average_switches(torus)) < 1e-9), count(*)
FROM (SELECT torus, mean(rings - 1) AS switches FROM requests GROUP BY torus)
UNION ALL
SELECT 'wulfkit.round_trip_passes_all', sum(there.hops + back.hops = sci_nodes(torus)), count(*)
FROM requests AS there JOIN requests AS back USING (torus)
WHERE torus = '8' AND there."from" = back."to" AND there."to" = back."from";

-- Table 1 whole, with what a metre of cable adds.
CREATE VIEW added_metre AS
SELECT two.latency_avg_ns - one.latency_avg_ns AS ns
FROM cable AS one, cable AS two WHERE one.cable_length_m = 1 AND two.cable_length_m = 2;

CREATE VIEW table_1 AS
SELECT 'propagation l_p' AS component, printf('%g', published('wulfkit.component.propagation')) AS "published (ns)",
       printf('%.2f', ns) AS "simulated (ns)",
       '64 B over one metre more; the equations take it as published, as in the papers' AS "over 64 to 512 B"
FROM added_metre
UNION ALL
SELECT 'forwarding l_f', printf('%g', published('wulfkit.component.forwarding')), printf('%.1f', mean(forwarding_ns)),
       printf('%.1f to %.1f', min(forwarding_ns), max(forwarding_ns))
FROM component
UNION ALL
SELECT 'switching l_s, equation 20', printf('%g', published('wulfkit.component.switching')),
       printf('%.1f', mean(switching_ns)), printf('%.1f to %.1f', min(switching_ns), max(switching_ns))
FROM equation_20
UNION ALL
SELECT 'switching l_s, less (l_f + l_p) / 2',
       printf('%.1f', published('wulfkit.component.switching') - max(published_ns)),
       printf('%.1f', mean(switching_ns) - max(simulated_ns)), 'the excess of equation 20 on rings of three'
FROM equation_20, equation_20_error
UNION ALL
SELECT 'overhead o, 64 B', printf('%,d', published('wulfkit.component.overhead_64B')),
       printf('%,d%s', round(least, 1), substr(printf('%.1f', least), -2)),
       printf('%,d%s + %.2f (m - 64)', round(at_64, 1), substr(printf('%.1f', at_64), -2), per_byte)
FROM (SELECT min(overhead_ns) AS least, slope(size_bytes, overhead_ns) AS per_byte,
             intercept(size_bytes, overhead_ns) + 64 * slope(size_bytes, overhead_ns) AS at_64
      FROM component);
