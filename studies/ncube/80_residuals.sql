-- SPDX-License-Identifier: Apache-2.0
-- Simulation against the formulas of Table 3, over size: where they leave their domain.

CREATE VIEW residuals AS
SELECT place, 'Table 3 [001]' AS formula, name AS curve, 'bytes' AS over, size_bytes AS at, us AS simulated,
       ncube_time_us(name, size_bytes) AS analytic,
       100 * (us / ncube_time_us(name, size_bytes) - 1) AS residual_percent
FROM timed JOIN six USING (name);
