-- SPDX-License-Identifier: Apache-2.0
CREATE VIEW table_exchange AS
SELECT library, size_bytes AS bytes, printf('%.2f', alone.time_min_ns / 1e3) AS "one pair",
       printf('%.2f', apart.time_min_ns / 1e3) AS "two, four PCs",
       printf('%.2f', shared.time_min_ns / 1e3) AS "two, two PCs",
       printf('%+.1f', 100 * (shared.time_min_ns / apart.time_min_ns - 1)) AS "sharing costs (%)"
FROM exchange AS alone JOIN exchange AS apart USING (library, size_bytes)
     JOIN exchange AS shared USING (library, size_bytes)
WHERE alone.variant = 'alone' AND apart.variant = 'apart' AND shared.variant = 'shared' ORDER BY library, size_bytes;

CREATE VIEW table_local AS
SELECT library, size_bytes AS bytes, printf('%.2f', far.latency_min_ns / 1e3) AS "two PCs",
       printf('%.2f', near.latency_min_ns / 1e3) AS "one PC"
FROM local AS far JOIN local AS near USING (library, size_bytes)
WHERE far.variant = 'two_pcs' AND near.variant = 'one_pc' ORDER BY library, size_bytes;
