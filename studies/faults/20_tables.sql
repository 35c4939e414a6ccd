-- SPDX-License-Identifier: Apache-2.0
CREATE VIEW table_messages AS
SELECT variant, rate, round(latency_avg_ns / 1e3, 3) AS "mean (us)"
FROM messages ORDER BY variant, rate;

CREATE VIEW table_open_cable AS
SELECT fault_open_when_ns / 1e3 AS "open from (us)", delivered, lost, round(latency_mean_ns / 1e3, 3) AS "mean (us)",
       round(latency_p99_ns / 1e3, 3) AS "99 % (us)", round(latency_max_ns / 1e3, 3) AS "longest (us)"
FROM open_cable;
