-- SPDX-License-Identifier: Apache-2.0
-- What the report discusses: messages without buffers, natural prevention of deadlock. Times are us.

-- Processor time of a program to send, to receive and to forward a message.
CREATE VIEW cost(way, size_bytes, e, send, receive, forward) AS
SELECT 'copied', size_bytes, E_us, F_S_us, A_U_us + R_us, A_U_us + R_us + F_S_us FROM timing
UNION ALL
SELECT 'unbuffered', size_bytes, E_us, F_S_us, A_U_us + R_us, A_U_us + R_us + F_S_us FROM timing_unbuffered;

-- By the report's own lines: U loses its copy, which is all that grows.
CREATE VIEW without_copies(own_us) AS
SELECT ncube_time_us('A', 2000) + ncube_time_us('U', 0) + ncube_time_us('R', 2000);

CREATE VIEW finding_unbuffered AS
WITH without AS (SELECT * FROM cost WHERE way = 'unbuffered' AND size_bytes = 2000)
SELECT 'ncube.unbuffered.send' AS id, send AS simulated, NULL AS analytic, NULL AS remark FROM without
UNION ALL
SELECT 'ncube.unbuffered.receive', receive, NULL, printf('the report''s own lines give A + U + R = %.0f us', own_us)
FROM without, without_copies
UNION ALL
SELECT 'ncube.unbuffered.elapsed', e / 1e3, ncube_time_us('E', 2000) / 1e3, NULL FROM without;

-- Twenty messages in a row.
CREATE VIEW row_of_messages AS
SELECT 'copied' AS way, time_min_ns / 1e3 / 20 AS us, maximum AS held_bytes
FROM streamed, streamed_statistics WHERE modules = 'node*.vertex' AND name = 'buffers_highest'
UNION ALL
SELECT 'unbuffered', time_min_ns / 1e3 / 20, maximum
FROM streamed_unbuffered, streamed_unbuffered_statistics WHERE modules = 'node*.vertex' AND name = 'buffers_highest';

CREATE VIEW finding_rate AS
SELECT 'ncube.unbuffered.rate' AS id, us AS simulated, ncube_time_us('E', 2000) AS published
FROM row_of_messages WHERE way = 'unbuffered';

-- The report speaks of long messages: from 500 bytes on.
CREATE VIEW natural_cost AS
SELECT size_bytes, 100 * send / e AS send_percent, 100 * forward / e AS forward_percent
FROM cost WHERE way = 'copied' AND size_bytes >= 500;

CREATE VIEW finding_natural AS
SELECT 'ncube.natural.send' AS id, count(*) AS published, sum(send_percent BETWEEN 50 AND 100) AS simulated,
       'simulated: ' || group_concat(printf('%.0f %% at %d B', send_percent, size_bytes), ', ') AS remark
FROM natural_cost
UNION ALL
SELECT 'ncube.natural.forward', count(*), sum(forward_percent > 100),
       'simulated: ' || group_concat(printf('%.0f %% at %d B', forward_percent, size_bytes), ', ')
FROM natural_cost;

CREATE VIEW table_streams AS
SELECT CASE way WHEN 'copied' THEN 'through system buffers' ELSE way END AS "20 messages of 2000 bytes in a row",
       printf('%.0f', us) AS "time (us/message)", printf('%.0f', send) AS "sender's processor (us/message)",
       printf('%.0f', receive) AS "receiver's processor (us/message)",
       printf('%d', held_bytes) AS "system buffers held (bytes)"
FROM row_of_messages JOIN cost USING (way) WHERE size_bytes = 2000;

CREATE VIEW note_streams(words) AS
SELECT printf('The channel alone takes E(2000) = %.0f us a message. The report expects less than %.0f us for each of '
              || 'sender and receiver; its own lines give A + U + R = %.0f us without the copies.',
              ncube_time_us('E', 2000), published('ncube.unbuffered.receive'), own_us)
FROM without_copies;

CREATE VIEW table_natural AS
SELECT printf('%d', size_bytes) AS "size (bytes)",
       printf('%.0f', 100 * copied.send / copied.e) AS "send F + S (% of E)",
       printf('%.0f', 100 * copied.forward / copied.e) AS "forward A + U + R + F + S (% of E)",
       printf('%.0f', 100 * without.send / without.e) AS "send, unbuffered (% of E)",
       printf('%.0f', 100 * without.forward / without.e) AS "forward, unbuffered (% of E)"
FROM cost AS copied JOIN cost AS without USING (size_bytes)
WHERE copied.way = 'copied' AND without.way = 'unbuffered' ORDER BY size_bytes;

CREATE VIEW note_natural(words) AS
WITH least AS (SELECT min(100 * send / e) AS send, min(100 * forward / e) AS forward FROM cost WHERE way = 'unbuffered')
SELECT printf('The report says 50 to 100 %% to send and more than 100 %% to forward. A message of %d bytes '
              || 'costs %.0f %% to send. Without buffers the least are %.0f %% to send and %.0f %% to forward: '
              || 'what costs less than 100 %% a program can do faster than its channel.',
              size_bytes, 100 * cost.send / e, least.send, least.forward)
FROM cost, least WHERE way = 'copied' AND size_bytes = 16;
