-- SPDX-License-Identifier: Apache-2.0
-- Several channels active on one node [001 5.2], beside the null models and other explanations for six.

CREATE VIEW active AS
SELECT active_channels AS active, active_channels / 2 AS senders, us_per_message AS period_us, slowdown,
       published(printf('ncube.channels%d.time', active_channels)) AS table_us,
       published(printf('ncube.channels%d.slowdown', active_channels)) AS table_slowdown
FROM channels WHERE variant = 'port';

-- E alone, and interrupts alone with the load and the periods that the report counts with.
CREATE VIEW null_model AS
SELECT active, ncube_time_us('E', 2000) AS us,
       ncube_interrupt_slowdown(published('ncube.null.load'), senders, table_us) AS slowdown
FROM active;

CREATE VIEW finding_null AS
SELECT 'ncube.null.time' AS id, ncube_time_us('E', 2000) AS analytic
UNION ALL
SELECT printf('ncube.null.slowdown%d', active), slowdown FROM null_model
UNION ALL
SELECT printf('ncube.null.left%d', active), 1 / slowdown FROM null_model;

-- One message of 2000 bytes that passes through a node.
CREATE VIEW finding_load AS
SELECT 'ncube.null.load' AS id, us AS simulated, ncube_time_us('R', 2000) + ncube_time_us('S', 2000) AS analytic
FROM timed WHERE name = 'R_S' AND size_bytes = 2000;

CREATE VIEW finding_channels AS
SELECT printf('ncube.channels%d.time', active) AS id, period_us AS simulated, us AS analytic
FROM active JOIN null_model USING (active)
UNION ALL
SELECT printf('ncube.channels%d.slowdown', active), active.slowdown, null_model.slowdown
FROM active JOIN null_model USING (active);

-- The processor's speed that is left when interrupts are accounted for, without DMA: R + S at 0 bytes. The tolerance is
-- what those of slowdown and time amount to, 0.01 and 40 us.
CREATE VIEW bare_load(us) AS SELECT ncube_time_us('R', 0) + ncube_time_us('S', 0);

CREATE VIEW finding_speed AS
SELECT printf('ncube.channels%d.speed', active) AS id,
       ncube_processor_speed(slowdown, us, senders, period_us) AS simulated,
       ncube_processor_speed(table_slowdown, us, senders, table_us) AS published,
       printf('%.4f', 0.01 / (table_slowdown * table_slowdown) + 40 * senders * us / (table_us * table_us)) AS tolerance
FROM active, bare_load;

-- Beyond interrupts alone: by the report's numbers, and with the simulated load and periods.
CREATE VIEW interference AS
SELECT active, table_slowdown / null_model.slowdown AS published,
       active.slowdown / ncube_interrupt_slowdown(timed.us, senders, period_us) AS simulated
FROM active JOIN null_model USING (active), timed
WHERE name = 'R_S' AND size_bytes = 2000;

CREATE VIEW finding_interference AS
SELECT 'ncube.channels.jump' AS id, 2 AS published,
       (four.simulated > two.simulated)
       + (six.simulated - four.simulated > four.simulated - two.simulated) AS simulated,
       printf('a factor of %.2f, %.2f and %.2f beyond interrupts alone; published %.2f, %.2f and %.2f', two.simulated,
              four.simulated, six.simulated, two.published, four.published, six.published) AS remark
FROM interference AS two, interference AS four, interference AS six
WHERE two.active = 2 AND four.active = 4 AND six.active = 6;

CREATE VIEW finding_impeded AS
SELECT 'ncube.channels.impeded' AS id, many.period_us / few.period_us AS simulated,
       many.table_us / few.table_us AS published,
       printf('%.3f x', 40 / few.table_us * (1 + many.table_us / few.table_us)) AS tolerance
FROM active AS many, active AS few WHERE many.active = 6 AND few.active = 4;

CREATE VIEW null_cell AS
SELECT active, 1 AS place, printf('%d channels, us per message', active) AS words, '%.0f' AS format,
       table_us AS published, us AS null_model, period_us AS simulated
FROM active JOIN null_model USING (active)
UNION ALL
SELECT active, 2, printf('%d channels, slowdown', active), '%.2f', table_slowdown, null_model.slowdown, active.slowdown
FROM active JOIN null_model USING (active);

CREATE VIEW table_nulls AS
SELECT words AS "", printf(format, published) AS published, printf(format, null_model) AS "null model",
       printf('%+.1f', 100 * (null_model - published) / published) AS "its error (%)",
       printf(format, simulated) AS simulated,
       printf('%+.1f', 100 * (simulated - published) / published) AS "error (%)"
FROM null_cell ORDER BY active, place;

CREATE VIEW note_nulls(words) AS
SELECT printf('The null models come nearer than the simulation in %s: there the comparison says nothing about the '
              || 'memory port.', group_concat(words, '; '))
FROM (SELECT * FROM null_cell ORDER BY active, place)
WHERE abs(null_model - published) < abs(simulated - published);

-- What slows a node: the model and other explanations, and other ports.
CREATE VIEW explanation(place, variant, words) AS
VALUES (1, 'port', 'memory port (the model)'),
       (2, 'as_the_loop', 'memory port; Vertex wants of it what the loop wants'),
       (3, 'free', 'interrupts alone: DMA costs nothing'),
       (4, 'repeat_5', 'memory port; buffers for 5 messages, refused requests are repeated'),
       (5, 'wait_5', 'memory port; buffers for 5 messages, requests wait'),
       (6, 'free_repeat_5', 'DMA costs nothing; buffers for 5 messages, refused requests are repeated');

CREATE VIEW port(place, variant, words) AS
VALUES (1, 'model', 'the model: inputs first, variables on the stack, 11 clocks an instruction'),
       (2, 'fewer', '8 clocks an instruction'),
       (3, 'more', '12 clocks an instruction'),
       (4, 'channels_first', 'outputs, too, before the processor'),
       (5, 'registers', 'variables in registers, 3 clocks an instruction');

CREATE VIEW slowed(kind, place, words, active, us, slowdown, refusals) AS
SELECT 'explanation', place, words, active_channels, us_per_message, slowdown, refusals
FROM channels JOIN explanation USING (variant)
UNION ALL
SELECT 'port', place, words, active_channels, us_per_message, slowdown, refusals
FROM ports JOIN port USING (variant)
UNION ALL
SELECT kind, 0, 'published', active, table_us, table_slowdown, NULL
FROM active, (SELECT 'explanation' AS kind UNION SELECT 'port');

-- A row for each, with three pairs of time and slowdown.
CREATE VIEW slowed_row AS
SELECT kind, place, words AS "what slows",
       printf('%.0f', max(us) FILTER (WHERE active = 2)) AS "2: time (us)",
       printf('%.2f', max(slowdown) FILTER (WHERE active = 2)) AS "2: slowdown",
       printf('%.0f', max(us) FILTER (WHERE active = 4)) AS "4: time (us)",
       printf('%.2f', max(slowdown) FILTER (WHERE active = 4)) AS "4: slowdown",
       printf('%.0f', max(us) FILTER (WHERE active = 6)) AS "6: time (us)",
       printf('%.2f', max(slowdown) FILTER (WHERE active = 6)) AS "6: slowdown",
       CAST(max(refusals) FILTER (WHERE active = 6) AS TEXT) AS refused
FROM slowed GROUP BY kind, place;

CREATE VIEW table_explanations AS
SELECT "what slows", "2: time (us)", "2: slowdown", "4: time (us)", "4: slowdown", "6: time (us)", "6: slowdown",
       refused
FROM slowed_row WHERE kind = 'explanation' ORDER BY place;

-- Processor clocks that are lost per byte, at 7 clocks a microsecond.
CREATE VIEW port_loss AS
SELECT place, 7 * slope(size_bytes, R_us) AS received, 7 * slope(size_bytes, S_us) AS sent
FROM port_slopes JOIN port USING (variant) GROUP BY place
UNION ALL
SELECT 0, 7 * r.table_slope, 7 * s.table_slope FROM line AS r, line AS s WHERE r.name = 'R' AND s.name = 'S';

CREATE VIEW table_ports AS
SELECT "what slows", printf('%.3f', received) AS "received (clocks/byte)", printf('%.3f', sent) AS "sent (clocks/byte)",
       "2: time (us)", "2: slowdown", "4: time (us)", "4: slowdown", "6: time (us)", "6: slowdown", refused
FROM slowed_row JOIN port_loss USING (place) WHERE kind = 'port' ORDER BY place;

CREATE VIEW note_explanations(words) AS
WITH six AS (SELECT * FROM channels WHERE active_channels = 6)
SELECT printf('Of the %.2f by which six channels were measured to slow a node, interrupts alone give %.2f, the port '
              || '%.2f if handlers want of it what the loop wants, and %.2f with what their own code wants, which '
              || 'these %.2f have set. Requests repeated at full buffers give %.2f, but a message then takes %.0f %% '
              || 'longer than was measured; without the port they give %.2f. With the model''s own buffers %d requests '
              || 'are refused.',
              told.slowdown, free.slowdown, alike.slowdown, port.slowdown, told.slowdown, again.slowdown,
              100 * (again.us_per_message / told.us - 1), freed.slowdown, port.refusals)
FROM slowed AS told, six AS free, six AS port, six AS alike, six AS again, six AS freed
WHERE told.kind = 'port' AND told.place = 0 AND told.active = 6 AND free.variant = 'free' AND port.variant = 'port'
  AND alike.variant = 'as_the_loop' AND again.variant = 'repeat_5' AND freed.variant = 'free_repeat_5';

CREATE VIEW note_ports(words) AS
SELECT printf('The loss per byte received has set the clocks of an instruction; all else in the first row follows. Per '
              || 'byte sent it loses %.3f clocks, published %.3f.', model.sent, told.sent)
FROM port_loss AS model, port_loss AS told WHERE model.place = 1 AND told.place = 0;
