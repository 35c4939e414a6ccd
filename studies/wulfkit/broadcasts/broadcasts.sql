-- SPDX-License-Identifier: Apache-2.0
CREATE VIEW by_way AS
SELECT torus, size_bytes, max(min_ns) FILTER (WHERE way = 'linear') / 1e3 AS linear,
       max(min_ns) FILTER (WHERE way = 'binomial') / 1e3 AS binomial,
       max(min_ns) FILTER (WHERE way = 'scatter-allgather') / 1e3 AS scatter,
       max(min_ns) FILTER (WHERE way = 'cube') / 1e3 AS cube, max(min_ns) FILTER (WHERE way = 'dopl') / 1e3 AS dopl
FROM broadcasts GROUP BY torus, size_bytes;

CREATE VIEW table_broadcasts AS
SELECT torus, size_bytes AS "bytes", printf('%.1f', linear) AS linear, printf('%.1f', binomial) AS binomial,
       printf('%.1f', scatter) AS "scatter-allgather", printf('%.1f', cube) AS cube, printf('%.1f', dopl) AS dopl
FROM by_way ORDER BY torus, size_bytes;

CREATE VIEW best AS SELECT torus, size_bytes, min(min_ns) / 1e3 AS us FROM broadcasts GROUP BY torus, size_bytes;

CREATE VIEW table_conclusion AS
SELECT torus, size_bytes AS "bytes",
       CASE us WHEN linear THEN 'linear' WHEN binomial THEN 'binomial' WHEN scatter THEN 'scatter-allgather'
               WHEN cube THEN 'cube' ELSE 'dopl' END AS fastest,
       printf('%+.0f', 100 * (linear / us - 1)) AS linear, printf('%+.0f', 100 * (binomial / us - 1)) AS binomial,
       printf('%+.0f', 100 * (scatter / us - 1)) AS "scatter-allgather", printf('%+.0f', 100 * (cube / us - 1)) AS cube,
       printf('%+.0f', 100 * (dopl / us - 1)) AS dopl
FROM by_way JOIN best USING (torus, size_bytes) ORDER BY torus, size_bytes;
