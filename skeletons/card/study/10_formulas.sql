CREATE VIEW finding_latency AS
SELECT '@name@.latency' AS id, 1 AS analytic, slope(card_latency_ns, latency_min_ns) AS simulated FROM far;

CREATE VIEW finding_rate AS
SELECT printf('@name@.rate.%gns', card_byte_time_ns) AS id, 1e3 / card_byte_time_ns AS analytic,
       max(bandwidth_mb_per_s) AS simulated
FROM slow GROUP BY card_byte_time_ns;
