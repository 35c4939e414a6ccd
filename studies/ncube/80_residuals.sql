-- SPDX-License-Identifier: Apache-2.0
-- Simulation against the formulas of Table 3, over size: where they leave their domain.

CREATE VIEW residuals AS
SELECT place, 'Table 3 [001]' AS formula, name AS curve, 'bytes' AS over, size_bytes AS at, us AS simulated,
       ncube_time_us(name, size_bytes) AS analytic,
       100 * (us / ncube_time_us(name, size_bytes) - 1) AS residual_percent
FROM timed JOIN six USING (name);

-- Within 5 % a formula stands for the machine; "leaves" is the first place, in rising order, beyond that.
CREATE VIEW table_residuals AS
SELECT formula, curve, count(*) || ', ' || printf('%g', min(at)) || ' to ' || printf('%g', max(at)) || ' ' || over
           AS "points",
       printf('%+.2f', min(residual_percent)) AS "least (%)", printf('%+.2f', max(residual_percent)) AS "largest (%)",
       coalesce(min(at) FILTER (WHERE abs(residual_percent) > 5) || ' ' || over, 'not in these')
           AS "leaves 5 % at"
FROM residuals GROUP BY place, formula, curve ORDER BY place, curve;
