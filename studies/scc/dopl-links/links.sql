-- SPDX-License-Identifier: Apache-2.0
CREATE VIEW table_links AS
SELECT way AS broadcast, size_bytes AS bytes, printf('%.1f', mesh.min_ns / 1e3) AS "on the mesh",
       printf('%.1f', free.min_ns / 1e3) AS "with free links",
       printf('%.1f', 100 * (1 - free.min_ns / mesh.min_ns)) AS "saved (%)"
FROM links AS mesh JOIN links AS free USING (way, size_bytes)
WHERE mesh.variant = 'mesh' AND free.variant = 'free' ORDER BY way DESC, size_bytes;
