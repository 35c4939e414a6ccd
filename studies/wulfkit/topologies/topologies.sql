-- SPDX-License-Identifier: Apache-2.0
-- Views answer_* are the answers for programs, table_* those for readers.

CREATE VIEW answer_changes AS
SELECT key AS parameter, current.value AS current, changed.value AS changed, meaning
FROM parameters AS current JOIN (SELECT test, variant, key, value FROM parameters) AS changed USING (test, key)
WHERE test = 'tori' AND current.variant = 'current' AND changed.variant = 'changed' AND current.value <> changed.value
      AND key <> 'topology.dimensions'
ORDER BY current.rowid;

CREATE VIEW table_changes AS SELECT * FROM answer_changes;

-- By arithmetic over the parameters: the propagation of a cable, and the switching latency as the sum of its stages.
-- Delays that are counted in link clocks are specified for symbols of 4 ns; lc2.transit_share is of the sum.
CREATE TABLE stages AS
SELECT test, variant, sci_propagation_ns(cable_m) * 0.5 / velocity AS l_p,
       share * sci_switching_stages_ns(switching, symbol_ns,
                               decode_ns * iif(clocked IN ('ring', 'all'), symbol_ns / 4, 1),
                               in_fifo_ns * iif(clocked = 'all', symbol_ns / 4, 1),
                               out_fifo_ns * iif(clocked = 'all', symbol_ns / 4, 1), blink_mhz, blink_bytes,
                               arbitration, header, trailer) AS l_s,
       share * sci_switching_stages_ns(switching, symbol_ns,
                               decode_ns * iif(clocked IN ('ring', 'all'), symbol_ns / 4, 1),
                               in_fifo_ns * iif(clocked = 'all', symbol_ns / 4, 1),
                               out_fifo_ns * iif(clocked = 'all', symbol_ns / 4, 1), 0, blink_bytes, arbitration,
                               header, trailer) AS l_s_without_bus, switching
FROM (SELECT test, variant, max(iif(key = 'topology.kind', value, NULL)) AS kind,
             max(iif(key = 'lc2.switching', value, NULL)) AS switching,
             coalesce(max(iif(key = 'lc2.transit_share', number, NULL)), 1) AS share,
             max(iif(key = 'lc2.link_clocked', value, NULL)) AS clocked,
             max(iif(key = 'lc2.decode', number, NULL)) AS decode_ns,
             max(iif(key = 'lc2.in_fifo_to_blink', number, NULL)) AS in_fifo_ns,
             max(iif(key = 'lc2.blink_to_out_fifo', number, NULL)) AS out_fifo_ns,
             max(iif(key = 'link.symbol_time', number, NULL)) AS symbol_ns,
             max(iif(key = 'cable.length', number, NULL)) AS cable_m,
             max(iif(key = 'cable.velocity_factor', number, NULL)) AS velocity,
             max(iif(key = 'blink.clock', number, NULL)) AS blink_mhz,
             max(iif(key = 'blink.bytes_per_cycle', number, NULL)) AS blink_bytes,
             max(iif(key = 'blink.arbitration', number, NULL)) AS arbitration,
             max(iif(key = 'blink.header', number, NULL)) AS header,
             max(iif(key = 'blink.trailer', number, NULL)) AS trailer
      FROM parameters GROUP BY test, variant)
WHERE kind = 'torus';                   -- the papers' equations cover unidirectional rings alone; others are simulated

-- The components of either system, as the papers derive them.
CREATE TABLE answer_components AS
SELECT system, l_p AS propagation_ns, l_f AS forwarding_ns, sci_overhead_from_ping_pong(one_hop, l_p) AS overhead_ns,
       equation_20 - (l_f + l_p) / 2 AS switching_ns, equation_20 AS switching_by_equation_20_ns,
       l_s AS switching_by_stages_ns
FROM (SELECT *, sci_forwarding_from_ping_pongs(one_hop, four_hops, l_p) AS l_f,
             sci_switching_from_ping_pongs(one_ring, two_rings, l_p) AS equation_20
      FROM (SELECT variant AS system, l_p, l_s, max(iif(torus = '2', latency_avg_ns, NULL)) AS one_hop,
                   max(iif(torus = '8', latency_avg_ns, NULL)) AS four_hops,
                   max(iif(torus = '3x3' AND partner = 2, latency_avg_ns, NULL)) AS one_ring,
                   max(iif(torus = '3x3' AND partner = 5, latency_avg_ns, NULL)) AS two_rings
            FROM components JOIN (SELECT * FROM stages WHERE test = 'components') USING (variant) GROUP BY variant));

CREATE VIEW both_systems AS
SELECT current.propagation_ns AS l_p, current.forwarding_ns AS l_f, current.overhead_ns AS o,
       current.switching_ns AS l_s, current.switching_by_equation_20_ns AS equation_20,
       current.switching_by_stages_ns AS by_stages, changed.propagation_ns AS l_p_2, changed.forwarding_ns AS l_f_2,
       changed.overhead_ns AS o_2, changed.switching_ns AS l_s_2, changed.switching_by_equation_20_ns AS equation_20_2,
       changed.switching_by_stages_ns AS by_stages_2
FROM answer_components AS current, answer_components AS changed
WHERE current.system = 'current' AND changed.system = 'changed';

CREATE VIEW table_components AS
SELECT what AS "component, 64-byte messages", coalesce(fixed(published, 1), '-') AS "testbed, published (ns)",
       fixed(current, 1) AS "current (ns)", fixed(changed, 1) AS "changed (ns)",
       coalesce(printf('%+.2f', 100 * (changed - current) / nullif(current, 0)), '-') AS "change (%)"
FROM (SELECT 'propagation l_p, by arithmetic' AS what, published('wulfkit.component.propagation') AS published,
             l_p AS current, l_p_2 AS changed FROM both_systems
      UNION ALL
      SELECT 'forwarding l_f, equation 19', published('wulfkit.component.forwarding'), l_f, l_f_2 FROM both_systems
      UNION ALL
      SELECT 'overhead o, equation 18', published('wulfkit.component.overhead_64B'), o, o_2 FROM both_systems
      UNION ALL
      SELECT 'switching l_s, equation 20', published('wulfkit.component.switching'), equation_20, equation_20_2
      FROM both_systems
      UNION ALL
      SELECT 'switching l_s, less (l_f + l_p) / 2', NULL, l_s, l_s_2 FROM both_systems
      UNION ALL
      SELECT 'switching l_s, sum of the stages', NULL, by_stages, by_stages_2 FROM both_systems);

CREATE VIEW note_components AS
SELECT 'On the papers'' rings of three, equation 20 is (l_f + l_p) / 2 too high. The formulas below use the corrected '
       || 'value.';

-- Of the current system: overlays that shorten its switching latency.
CREATE TABLE answer_remedies AS
SELECT variant AS overlay, overlay_meaning(variant) AS meaning, l_s AS switching_ns
FROM stages JOIN (SELECT variant, min(rowid) AS place FROM parameters WHERE test = 'remedies' GROUP BY variant)
     USING (variant)
WHERE test = 'remedies' ORDER BY place;

CREATE VIEW table_remedies AS
SELECT overlay, fixed(switching_ns, 1) AS "l_s (ns)", fixed(100 * switching_ns / now, 0) AS "of now (%)",
       coalesce(meaning, '') AS meaning
FROM answer_remedies, (SELECT switching_ns AS now FROM answer_remedies WHERE overlay = 'none')
ORDER BY answer_remedies.rowid;

-- The second sentence only if it is true.
CREATE VIEW note_remedies AS
SELECT printf('Half is %s ns.', fixed(l_s / 2, 1))
       || iif(switching = 'store-and-forward' AND l_s_without_bus > l_s / 2,
              ' A faster or wider B-Link alone cannot do it: the packet still waits to be whole before it, and passes '
              || 'two FIFOs.', '')
FROM stages WHERE test = 'remedies' AND variant = 'none';

CREATE TABLE sized AS
SELECT variant AS system, sci_dimensions(torus) AS dimensions, sci_nodes(torus) AS nodes,
       sci_torus_average_ns(torus, overhead_ns, propagation_ns, forwarding_ns, switching_ns) AS formula_ns,
       latency_mean_ns AS simulated_ns
FROM (SELECT variant, torus || '' AS torus, latency_mean_ns FROM tori) -- sizes of rings alone are numbers
     LEFT JOIN answer_components ON system = variant;

CREATE TABLE answer_latencies AS
SELECT dimensions, nodes, max(iif(system = 'current', formula_ns, NULL)) AS current_formula_ns,
       max(iif(system = 'current', simulated_ns, NULL)) AS current_simulated_ns,
       max(iif(system = 'changed', formula_ns, NULL)) AS changed_formula_ns,
       max(iif(system = 'changed', simulated_ns, NULL)) AS changed_simulated_ns
FROM sized GROUP BY dimensions, nodes ORDER BY dimensions, nodes;

-- From D dimensions to D + 1.
CREATE TABLE answer_crossovers AS
SELECT d AS from_dimensions, d + 1 AS to_dimensions, system,
       published(printf('wulfkit.crossover.%dd_%dd.%s.average', d, d + 1, paper)) AS published_average,
       published(printf('wulfkit.crossover.%dd_%dd.%s.multi_unicast', d, d + 1, paper)) AS published_multi_unicast,
       sci_crossover_nodes(d, published('wulfkit.component.overhead_64B'), published('wulfkit.component.propagation'),
                           published('wulfkit.component.forwarding'), part * published('wulfkit.component.switching'))
           AS formula_published_components,
       sci_crossover_nodes(d, overhead_ns, propagation_ns, forwarding_ns, switching_ns) AS formula,
       simulated, below AS simulated_below, above AS simulated_above
FROM (SELECT column1 AS system, column2 AS paper, column3 AS part
      FROM (VALUES ('current', 'current', 1), ('changed', 'enhanced', 0.5)))
     CROSS JOIN (SELECT column1 AS d FROM (VALUES (1), (2), (3)))
     LEFT JOIN answer_components USING (system)
     LEFT JOIN (SELECT system, d, sci_crossover(dimensions, nodes, simulated_ns) AS simulated,
                       sci_crossover_below(dimensions, nodes, simulated_ns) AS below,
                       sci_crossover_above(dimensions, nodes, simulated_ns) AS above
                FROM sized JOIN (SELECT column1 AS d FROM (VALUES (1), (2), (3))) ON dimensions IN (d, d + 1)
                GROUP BY system, d HAVING count(DISTINCT dimensions) = 2) USING (system, d)
ORDER BY part DESC, d;

CREATE VIEW crossover_words AS
SELECT from_dimensions AS d, system, iif(simulated IS NULL, 'at none of the sizes that were run',
       printf('from %s nodes (%.0f to %.0f)', fixed(simulated, 1), simulated_below, simulated_above)) AS words,
       simulated IS NOT NULL AS found
FROM answer_crossovers;

CREATE VIEW finding_crossovers AS
SELECT printf('%dD-%dD, %s, equation 17', from_dimensions, to_dimensions, system) AS id, formula AS simulated
FROM answer_crossovers
UNION ALL
SELECT printf('%dD-%dD, %s, simulated', from_dimensions, to_dimensions, system), simulated FROM answer_crossovers;

CREATE VIEW crossover_cell AS
SELECT system, from_dimensions AS d, 1 AS place, 'published for the testbed [000 Table 2]' AS section,
       iif(system = 'current', 'current', 'l_s halved') || ', average latency' AS what,
       printf('%d', published_average) AS text FROM answer_crossovers
UNION ALL
SELECT system, from_dimensions, 1, 'published for the testbed [000 Table 2]',
       iif(system = 'current', 'current', 'l_s halved') || ', multi-unicast', printf('%d', published_multi_unicast)
FROM answer_crossovers
UNION ALL
SELECT system, from_dimensions, 2, 'equation 17, published components',
       iif(system = 'current', 'current', 'l_s halved'), fixed(formula_published_components, 2) FROM answer_crossovers
UNION ALL
SELECT system, from_dimensions, 3, 'equation 17, components of the simulated machines', system, fixed(formula, 2)
FROM answer_crossovers
UNION ALL
SELECT system, from_dimensions, 4, 'simulated, between sizes that were run', system,
       printf('%s (%.0f to %.0f)', fixed(simulated, 1), simulated_below, simulated_above)
FROM answer_crossovers WHERE simulated IS NOT NULL
UNION ALL
SELECT system, from_dimensions, 4, 'simulated, between sizes that were run', system, NULL
FROM answer_crossovers WHERE simulated IS NULL;

CREATE VIEW table_crossovers AS
SELECT section, what AS "crossover, in nodes", coalesce(max(iif(d = 1, text, NULL)), '-') AS "1D-2D",
       coalesce(max(iif(d = 2, text, NULL)), '-') AS "2D-3D", coalesce(max(iif(d = 3, text, NULL)), '-') AS "3D-4D"
FROM crossover_cell GROUP BY place, what ORDER BY place, system DESC, what;

CREATE VIEW note_crossovers AS
SELECT 'Simulated crossovers lie between tori of equal dimensions, on lines in log N; ''-'': no two sizes that were '
       || 'run enclose one. Multi-unicast is N - 1 times the average, so its crossovers are the same: the published '
       || 'ones do not follow from the papers'' equations.';

-- The best of all topologies at one size. The papers kept the overhead.
CREATE TABLE answer_gains AS
SELECT nodes, sci_best_dimensions(nodes, o, l_p, l_f, l_s) AS current_dimensions,
       sci_best_dimensions(nodes, o_2, l_p_2, l_f_2, l_s_2) AS changed_dimensions,
       100 * (1 - sci_best_ns(nodes, o_2, l_p_2, l_f_2, l_s_2) / sci_best_ns(nodes, o, l_p, l_f, l_s)) AS gain_percent,
       100 * (1 - sci_best_ns(nodes, o, l_p_2, l_f_2, l_s_2) / sci_best_ns(nodes, o, l_p, l_f, l_s))
           AS gain_overhead_kept_percent,
       100 * (1 - sci_best_ns(nodes, paper_o, paper_l_p, paper_l_f, paper_l_s / 2)
                  / sci_best_ns(nodes, paper_o, paper_l_p, paper_l_f, paper_l_s)) AS gain_published_components_percent
FROM both_systems, (SELECT column1 AS nodes FROM (VALUES (100), (1000))),
     (SELECT published('wulfkit.component.overhead_64B') AS paper_o,
             published('wulfkit.component.propagation') AS paper_l_p,
             published('wulfkit.component.forwarding') AS paper_l_f,
             published('wulfkit.component.switching') AS paper_l_s);

CREATE VIEW table_gains AS
SELECT printf('%d', nodes) AS nodes, printf('%d-D', current_dimensions) AS "best now",
       printf('%d-D', changed_dimensions) AS "best changed", fixed(gain_percent, 2) AS "gain (%)",
       fixed(gain_overhead_kept_percent, 2) AS "overhead kept (%)",
       fixed(gain_published_components_percent, 2) AS "papers' l_s halved (%)",
       iif(nodes < 1000, 'about 5 % (average), none (multi-unicast)', 'about 10 % (multi-unicast)') AS "and as they say"
FROM answer_gains;

CREATE VIEW note_gains AS
SELECT 'A change to the LC-2 or the B-Link also shortens the overhead; the papers kept it.';

-- What is said first: what differs, where other dimensions become faster, what the change is worth.
CREATE VIEW answer AS
SELECT 'The changed machine has ' || group_concat(parameter || ' ' || changed || ' in place of ' || current, ', ')
       || '.' AS sentence
FROM answer_changes HAVING count(*) > 0
UNION ALL
SELECT 'Simulated, ' || group_concat(printf('a %d-D torus is faster than %s %s, changed %s', d + 1,
                                            iif(d = 1, 'a ring', printf('a %d-D one', d)), current.words,
                                            changed.words), '; ') || '.'
FROM crossover_words AS current JOIN crossover_words AS changed USING (d)
WHERE current.system = 'current' AND changed.system = 'changed' AND (current.found OR changed.found)
HAVING count(*) > 0
UNION ALL
SELECT 'The best torus becomes '
       || group_concat(printf('%s %% faster at %d nodes', fixed(gain_percent, 1), nodes), ', ')
       || ' (equation 17).'
FROM answer_gains WHERE gain_percent IS NOT NULL HAVING count(*) > 0;

-- Rings were run at many sizes, to locate the first crossover. Sizes without a torus are not shown.
CREATE VIEW table_latencies AS
SELECT printf('%d-D', dimensions) AS section, printf('%d', nodes) AS nodes,
       coalesce(fixed(current_formula_ns, 1), '-') AS "current formula (ns)",
       fixed(current_simulated_ns, 1) AS "current simulated (ns)",
       coalesce(fixed(changed_formula_ns, 1), '-') AS "changed formula (ns)",
       fixed(changed_simulated_ns, 1) AS "changed simulated (ns)",
       printf('%+.2f', 100 * (changed_simulated_ns - current_simulated_ns) / current_simulated_ns) AS "change (%)",
       fixed(current_simulated_ns * (nodes - 1.0) / 1e3, 1) AS "current multi-unicast (us)",
       fixed(changed_simulated_ns * (nodes - 1.0) / 1e3, 1) AS "changed multi-unicast (us)"
FROM answer_latencies AS here
WHERE dimensions > 1 OR EXISTS (SELECT * FROM answer_latencies WHERE dimensions > 1 AND nodes = here.nodes)
      OR NOT EXISTS (SELECT * FROM answer_latencies WHERE dimensions > 1)
ORDER BY dimensions, here.nodes;

CREATE VIEW note_latencies AS
SELECT 'Multi-unicast: the root sends to each other node, one after the other. All sizes: --csv FILE.';
