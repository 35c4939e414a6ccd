-- SPDX-License-Identifier: Apache-2.0
CREATE VIEW finding_starved AS
SELECT 'youngest.longest_by_oldest' AS id, 1 AS analytic, young.latency_max_ns > old.latency_max_ns AS simulated,
       printf('%.0f ns and %.0f ns', young.latency_max_ns, old.latency_max_ns) AS remark
FROM arbiters AS young, arbiters AS old WHERE young.variant = 'youngest_first' AND old.variant = 'oldest';
