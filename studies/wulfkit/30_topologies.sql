-- SPDX-License-Identifier: Apache-2.0
-- Chapter 6 of [000]: the crossovers of Table 2 and the gains of switching in half the time. The formulas with the
-- published components are judged by what was published, the simulation by the formulas at the sizes that were run,
-- and then by what was published.

-- From D dimensions to D + 1.
CREATE VIEW step AS SELECT column1 AS d FROM (VALUES (1), (2), (3));

CREATE VIEW paper AS
SELECT column1 AS system, published('wulfkit.component.overhead_64B') AS o,
       published('wulfkit.component.propagation') AS l_p, published('wulfkit.component.forwarding') AS l_f,
       published('wulfkit.component.switching') * column2 AS l_s, column2 AS part
FROM (VALUES ('current', 1), ('enhanced', 0.5));

-- By how many nodes a crossover moves if each component moves by half of its last printed digit. The halved switching
-- latency has half the uncertainty.
CREATE TABLE paper_crossover AS
SELECT system, d, o, l_p, l_f, l_s, sci_crossover_nodes(d, o, l_p, l_f, l_s) AS nodes,
       max(abs(sci_crossover_nodes(d, o, l_p + p.half, l_f + f.half, l_s + s.half * part)
               - sci_crossover_nodes(d, o, l_p, l_f, l_s))) AS rounding,
       published(printf('wulfkit.crossover.%dd_%dd.%s.average', d, d + 1, system)) AS average,
       published(printf('wulfkit.crossover.%dd_%dd.%s.multi_unicast', d, d + 1, system)) AS multi_unicast
FROM paper, step, (SELECT -0.5 AS half UNION SELECT 0.5) AS p, (SELECT -0.5 AS half UNION SELECT 0.5) AS f,
     (SELECT -0.5 AS half UNION SELECT 0.5) AS s
GROUP BY system, d;

CREATE VIEW finding_published_crossover AS
SELECT printf('wulfkit.crossover.%dd_%dd.%s.average', d, d + 1, system) AS id, nodes AS analytic,
       printf('%!.17g nodes', rounding + 1) AS tolerance,
       printf('tolerance: one node, and %.2f that components rounded to 1 ns leave open', rounding) AS remark
FROM paper_crossover
UNION ALL
SELECT printf('wulfkit.crossover.%dd_%dd.%s.closed_form', d, d + 1, system),
       sci_crossover_of_ring_and_torus(o, l_p, l_f, l_s), printf('%!.17g nodes', rounding + 1), NULL
FROM paper_crossover WHERE d = 1
UNION ALL
SELECT printf('wulfkit.crossover.%dd_%dd.%s.multi_unicast', d, d + 1, system), nodes,
       printf('%!.17g nodes', rounding + 1),
       printf('at %d nodes %d dimensions are %s %.1f %% %s', multi_unicast, d + 1, iif(penalty > 0, 'still', 'already'),
              abs(penalty), iif(penalty > 0, 'slower', 'faster'))
FROM (SELECT *, sci_penalty_percent(d, multi_unicast, o, l_p, l_f, l_s) AS penalty FROM paper_crossover);

-- The components of either system, as the papers derive them, but l_p from the length of the cable.
CREATE TABLE derived AS
SELECT system, sci_overhead_from_ping_pong(one_hop, l_p) AS o, l_p,
       sci_forwarding_from_ping_pongs(one_hop, four_hops, l_p) AS l_f,
       sci_switching_from_ping_pongs(one_ring, two_rings, l_p)
           - (sci_forwarding_from_ping_pongs(one_hop, four_hops, l_p) + l_p) / 2 AS l_s
FROM (SELECT variant AS system, sci_propagation_ns(max(cable_length_m)) AS l_p,
             max(latency_avg_ns) FILTER (WHERE torus = '2') AS one_hop,
             max(latency_avg_ns) FILTER (WHERE torus = '8') AS four_hops,
             max(latency_avg_ns) FILTER (WHERE torus = '3x3' AND partner = 2) AS one_ring,
             max(latency_avg_ns) FILTER (WHERE torus = '3x3' AND partner = 5) AS two_rings
      FROM components GROUP BY variant);

CREATE TABLE sized AS
SELECT system, sci_dimensions(torus) AS dimensions, sci_nodes(torus) AS nodes, latency_mean_ns AS simulated_ns,
       sci_torus_average_ns(torus, o, l_p, l_f, l_s) AS formula_ns
FROM equal_tori JOIN derived ON system = variant;

-- On lines in log N between the sizes that were run.
CREATE TABLE crossed AS
SELECT system, d, o, l_p, l_f, l_s, sci_crossover(dimensions, nodes, simulated_ns) AS simulated,
       sci_crossover_below(dimensions, nodes, simulated_ns) AS below,
       sci_crossover_above(dimensions, nodes, simulated_ns) AS above,
       sci_crossover(dimensions, nodes, formula_ns) AS at_sizes,
       sci_crossover_nodes(d, o, l_p, l_f, l_s) AS continuous
FROM sized JOIN step ON dimensions IN (d, d + 1) JOIN derived USING (system)
GROUP BY system, d;

CREATE VIEW finding_simulated_crossover AS
SELECT printf('wulfkit.crossover.%dd_%dd.%s.simulated', d, d + 1, system) AS id, simulated, at_sizes AS analytic,
       printf('calculated: at the same sizes, with the components of the simulated machine (l_s %.1f ns); between '
              || 'whole numbers %.2f; published: %d; between %d and %d', l_s, continuous, average, below, above)
           AS remark
FROM crossed JOIN (SELECT system, d, average FROM paper_crossover) USING (system, d)
WHERE simulated IS NOT NULL;

CREATE VIEW finding_crossover_beyond AS
SELECT printf('wulfkit.crossover.%dd_%dd.%s.simulated', d, d + 1, system) AS id, continuous AS analytic,
       printf('no two sizes below a thousand nodes enclose it; published: %d', average) AS remark
FROM crossed JOIN (SELECT system, d, average FROM paper_crossover) USING (system, d)
WHERE simulated IS NULL;

-- Table 2 against the simulation, with more sizes: whole tori up to 2401 nodes.
CREATE TABLE all_sized AS
SELECT * FROM sized
UNION ALL
SELECT variant, sci_dimensions(torus), sci_nodes(torus), latency_mean_ns, sci_torus_average_ns(torus, o, l_p, l_f, l_s)
FROM more_tori JOIN derived ON system = variant;

CREATE TABLE crossed_again AS
SELECT system, d, sci_crossover(dimensions, nodes, simulated_ns) AS simulated,
       sci_crossover(dimensions, nodes, formula_ns) AS at_sizes,
       sci_crossover_below(dimensions, nodes, simulated_ns) AS below,
       sci_crossover_above(dimensions, nodes, simulated_ns) AS above
FROM all_sized JOIN step ON dimensions IN (d, d + 1)
GROUP BY system, d;

-- No multi-unicast is simulated: by the papers it takes N - 1 times the average latency.
CREATE VIEW factor AS
SELECT 'the average latency, simulated: the factor N - 1 of a multi-unicast is the papers'' and not simulated'
    AS papers_factor;

-- With the switching latency that the papers' number stands for.
CREATE VIEW corrected AS
SELECT d, l_s - (l_f + l_p) / 2 AS l_s, sci_crossover_nodes(d, o, l_p, l_f, l_s - (l_f + l_p) / 2) AS nodes
FROM paper_crossover WHERE system = 'current';

CREATE VIEW finding_table_2 AS
SELECT printf('wulfkit.table_2.%dd_%dd.%s', d, d + 1, system) AS id, simulated, at_sizes AS analytic,
       average AS published, printf('%!.17g nodes', rounding + 1) AS tolerance,
       printf('between %d and %d', below, above)
           || iif(system = 'current', (SELECT printf('; equation 17 with l_s = %.1f ns: %.2f', l_s, nodes)
                                       FROM corrected WHERE corrected.d = crossed_again.d), '') AS remark
FROM crossed_again JOIN (SELECT system, d, average, rounding FROM paper_crossover) USING (system, d)
UNION ALL
SELECT printf('wulfkit.table_2.%dd_%dd.%s.multi_unicast', d, d + 1, system), simulated, at_sizes, multi_unicast,
       printf('%!.17g nodes', rounding + 1),
       printf('%s; published for the average: %d', papers_factor, average)
FROM crossed_again JOIN (SELECT system, d, average, multi_unicast, rounding FROM paper_crossover) USING (system, d),
     factor;

CREATE VIEW finding_earlier AS
SELECT 'wulfkit.enhanced.earlier_crossovers' AS id, sum(enhanced.simulated < current.simulated) AS simulated,
       count(*) AS published
FROM crossed_again AS current JOIN crossed_again AS enhanced USING (d)
WHERE current.system = 'current' AND enhanced.system = 'enhanced';

-- The gain: the best torus of either system, as simulated. The papers halve the switching latency alone, as overlay
-- enhanced does; half-switching also shortens the overheads, because a packet passes the same FIFOs and B-Links at both
-- ends of its way.
CREATE TABLE best AS
SELECT sci_nodes(torus) AS nodes, min(latency_mean_ns) FILTER (WHERE variant = 'current') AS current_ns,
       min(latency_mean_ns) FILTER (WHERE variant = 'enhanced') AS enhanced_ns,
       min(latency_mean_ns) FILTER (WHERE variant = 'half-switching') AS half_switching_ns
FROM gain GROUP BY sci_nodes(torus);

CREATE VIEW finding_gain AS
SELECT printf('wulfkit.enhanced.%s_gain_%d_nodes', application, nodes) AS id,
       100 * (1 - enhanced_ns / current_ns) AS simulated,
       100 * (1 - sci_best_ns(nodes, enhanced.o, enhanced.l_p, enhanced.l_f, enhanced.l_s)
                  / sci_best_ns(nodes, current.o, current.l_p, current.l_f, current.l_s)) AS analytic,
       printf('simulated: whole tori of 2 to 4 dimensions, overlay enhanced; with half-switching %.1f %%',
              100 * (1 - half_switching_ns / current_ns))
           || iif(application = 'average', '', '; ' || papers_factor) AS remark
FROM best, factor, paper AS current, paper AS enhanced,
     (SELECT column1 AS application FROM (VALUES ('average'), ('multi_unicast')))
WHERE current.system = 'current' AND enhanced.system = 'enhanced';

-- Each number of dimensions at each size that was run: as simulated, or on the line in log N between the nearest tori
-- of equal dimensions, as the papers draw their curves.
CREATE TABLE curve AS
WITH neighbour AS (
SELECT size.system, size.nodes, dimensions, max(run.nodes) FILTER (WHERE run.nodes <= size.nodes) AS below,
       min(run.nodes) FILTER (WHERE run.nodes >= size.nodes) AS above
FROM (SELECT DISTINCT system, nodes FROM all_sized) AS size JOIN all_sized AS run USING (system)
GROUP BY size.system, size.nodes, dimensions)
SELECT system, neighbour.nodes, dimensions, below = above AS whole,
       low.simulated_ns + (high.simulated_ns - low.simulated_ns)
           * iif(below = above, 0, ln(1.0 * neighbour.nodes / below) / ln(1.0 * above / below)) AS ns
FROM neighbour JOIN all_sized AS low USING (system, dimensions) JOIN all_sized AS high USING (system, dimensions)
WHERE low.nodes = below AND high.nodes = above;

CREATE TABLE fastest AS
SELECT system, nodes, group_concat(dimensions, '') AS known, cast(at_least(dimensions, ns) AS INTEGER) AS best
FROM curve GROUP BY system, nodes HAVING count(*) > 1;

-- What the papers' crossovers say is best there (above so many nodes another dimension is faster).
CREATE TABLE said AS
SELECT application, system, nodes, best, known,
       1 + (SELECT count(*) FROM paper_crossover
            WHERE paper_crossover.system = fastest.system
              AND fastest.nodes > iif(application = 'average', average, multi_unicast)) AS dimensions
FROM fastest, (SELECT column1 AS application FROM (VALUES ('average'), ('multi_unicast')));

-- Judged is every size, but those, which the remark names, that no simulated curve of the papers' choice reaches.
CREATE VIEW finding_range AS
SELECT printf('wulfkit.range.%s.%s', system, application) AS id, sum(best = dimensions) FILTER (WHERE reached)
       AS simulated,
       count(*) FILTER (WHERE reached) AS published,
       coalesce('others are faster at ' || group_concat(printf('%d (%d-D, not %d-D)', nodes, best, dimensions), ', ')
                FILTER (WHERE reached AND best <> dimensions), 'at all sizes')
           || coalesce('; not reached: ' || group_concat(nodes, ', ') FILTER (WHERE NOT reached), '')
           || iif(application = 'average', '', '; ' || max(papers_factor)) AS remark
FROM (SELECT *, instr(known, dimensions) > 0 AS reached FROM said ORDER BY nodes), factor
GROUP BY system, application;

CREATE VIEW finding_savings AS
SELECT 'wulfkit.multi_unicast.second_dimension' AS id, sum(d1 - d2 > d2 - d3) AS simulated, count(*) AS published,
       group_concat(printf('%s system, %d nodes: %.0f us by the second dimension, %.0f by the third', system, nodes,
                           (nodes - 1) * (d1 - d2) / 1e3, (nodes - 1) * (d2 - d3) / 1e3), '; ')
           || '; ' || max(papers_factor) AS remark
FROM (SELECT system, nodes, max(ns) FILTER (WHERE dimensions = 1) AS d1, max(ns) FILTER (WHERE dimensions = 2) AS d2,
             max(ns) FILTER (WHERE dimensions = 3) AS d3
      FROM curve WHERE nodes = 729 GROUP BY system), factor;

-- An improvement of 5 % is called modest, and one of 10 % is named; no real one is taken to be less than half of 5 %.
CREATE VIEW finding_no_gain AS
SELECT 'wulfkit.enhanced.multi_unicast_medium' AS id, sum(percent < 2.5) AS simulated, count(*) AS published,
       printf('overlay enhanced: %s; %s',
              group_concat(printf('%.1f %% at %d', percent, nodes), ', '), max(papers_factor)) AS remark
FROM (SELECT nodes, 100 * (1 - min(ns) FILTER (WHERE system = 'enhanced')
                               / min(ns) FILTER (WHERE system = 'current')) AS percent
      FROM curve WHERE nodes BETWEEN 20 AND 200 GROUP BY nodes HAVING count(DISTINCT system) = 2 ORDER BY nodes),
     factor;

CREATE VIEW table_2 AS
SELECT printf('%d to %d, %s', d, d + 1, system) AS "from D to D + 1 dimensions",
       printf('%d', average) AS "published: average (nodes)", printf('%d', multi_unicast) AS "multi-unicast (nodes)",
       printf('%,d%s', round(nodes, 2), substr(printf('%.2f', nodes), -3)) AS "equation 17 (nodes)",
       printf('%,d%s', round(continuous, 2), substr(printf('%.2f', continuous), -3))
           AS "with simulated components (nodes)",
       iif(simulated IS NULL, 'no two sizes', printf('%.1f (%.0f to %.0f)', simulated, below, above))
           AS "simulated (nodes)"
FROM paper_crossover JOIN crossed USING (system, d);

CREATE VIEW note_2 AS
SELECT printf('Current: without the half hop by which equation 20 is too high on rings of three, with '
              || 'l_s = %.1f ns, equation 17 gives %s nodes.', max(l_s), group_concat(text, ', '))
FROM (SELECT l_s, printf('%,d%s', round(nodes, 2), substr(printf('%.2f', nodes), -3)) AS text FROM corrected ORDER BY d)
UNION ALL
SELECT printf('Enhanced: published with l_s = %.0f ns, simulated with overlay enhanced. Both applications have '
              || 'the same crossovers by the papers'' equations.', l_s) FROM paper WHERE system = 'enhanced'
UNION ALL
SELECT 'The last crossover of the current system needs tori of more than a thousand nodes: row '
       || printf('wulfkit.table_2.3d_4d.current, simulated %.0f (%.0f to %.0f).', simulated, below, above)
FROM crossed_again WHERE system = 'current' AND d = 3;

CREATE VIEW shown AS
SELECT system, nodes, dimensions, printf(iif(whole, '%.1f', '(%.1f)'), ns) AS text FROM curve;

CREATE VIEW table_ranges AS
SELECT system, nodes, max(text) FILTER (WHERE shown.dimensions = 1) AS "1-D (ns)",
       max(text) FILTER (WHERE shown.dimensions = 2) AS "2-D (ns)",
       max(text) FILTER (WHERE shown.dimensions = 3) AS "3-D (ns)",
       max(text) FILTER (WHERE shown.dimensions = 4) AS "4-D (ns)", best AS fastest,
       max(said.dimensions) FILTER (WHERE application = 'average') AS "papers: average",
       max(said.dimensions) FILTER (WHERE application = 'multi_unicast') AS "papers: multi-unicast"
FROM said JOIN shown USING (system, nodes) GROUP BY system, nodes, best ORDER BY system, nodes;

CREATE VIEW note_ranges AS
SELECT 'Latency of a request of 64 bytes, averaged over all destinations of node 0; in brackets on a line in log N'
UNION ALL
SELECT 'between the nearest whole tori of equal dimensions. The papers'' choice is by Table 2.';
