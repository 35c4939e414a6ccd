-- A round of n ranks is n messages, one after the other: twice the ranks take twice the time, but for the distances.
CREATE VIEW finding_rounds AS
SELECT '@name@.twice_the_ranks' AS id, 16.0 / 8 AS analytic, more.time_ns / fewer.time_ns AS simulated
FROM rounds AS fewer, rounds AS more WHERE fewer.ranks = 8 AND more.ranks = 16;
