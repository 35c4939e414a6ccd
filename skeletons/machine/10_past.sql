-- The ping from 0 to 4 passes node 3, the answer goes the other half round: half of a round trip has half of the delay.
CREATE VIEW finding_past AS
SELECT '@name@.slower_card' AS id, 12 * 2.5 / 2 AS analytic, slow.latency_min_ns - alike.latency_min_ns AS simulated
FROM past AS slow, past AS alike WHERE slow.variant = 'as_it_is' AND alike.variant = 'alike';
