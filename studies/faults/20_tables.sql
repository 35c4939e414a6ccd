-- SPDX-License-Identifier: Apache-2.0
CREATE VIEW table_messages AS
SELECT variant, size, rate, round(latency_min_ns / 1e3, 3) AS "shortest (us)", round(latency_mean_ns / 1e3, 3) AS "mean (us)"
FROM messages ORDER BY variant, size, rate;

CREATE VIEW table_open_cable AS
SELECT fault_open_when AS "open from", delivered, lost, round(latency_mean_ns / 1e3, 3) AS "mean (us)",
       round(latency_p99_ns / 1e3, 3) AS "99 % (us)", round(latency_max_ns / 1e3, 3) AS "longest (us)"
FROM open_cable;
