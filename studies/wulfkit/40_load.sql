-- SPDX-License-Identifier: Apache-2.0
-- Left out by the papers: rings with many senders, against the closed form of docs/reference/evidence/analytic.md, and
-- the throughput limit of a torus.

-- If less than this part is delivered in the window, the queues at the sources grow throughout the run.
CREATE VIEW stationary AS SELECT 0.98 AS part;

CREATE VIEW loaded AS
SELECT link_flow_control AS word, iif(link_flow_control = 'off', 'off', 'on') AS flow_control, nodes, percent,
       round(sci_saturation_load(nodes) * percent / 100, 4) AS load, latency_mean_ns, latency_ci95_ns, accepted_load,
       accepted_part
FROM loaded_ring;

CREATE VIEW finding_load AS
SELECT printf('wulfkit.load.%d.%d_percent.%s', nodes, percent, flow_control) AS id,
       printf('latency of a request; ring of %d, load %s (%d %% of saturation), flow control %s', nodes, load, percent,
              word) AS quantity,
       latency_mean_ns AS simulated, sci_loaded_ns(nodes, load) AS analytic,
       printf('ci95 %.0f ns', latency_ci95_ns)
           || iif(flow_control = 'on' AND accepted_part < stationary.part,
                  printf('; saturated: accepts %.2f, and the latency grows with the window', accepted_load), '')
           AS remark
FROM loaded, stationary ORDER BY word = 'go-bits', nodes, percent;

CREATE VIEW finding_saturation AS
SELECT printf('wulfkit.load.%d.saturation.%s', nodes, iif(link_flow_control = 'off', 'off', 'on')) AS id,
       printf('load accepted when %g is offered; ring of %d, flow control %s', offered_load, nodes, link_flow_control)
           AS quantity,
       accepted_load AS simulated, sci_saturation_load(nodes) AS analytic
FROM flooded_ring;

-- Each node shares the ring with all others. The first number is of the machine as it is, with go bits.
CREATE VIEW finding_sharing AS
SELECT 'wulfkit.load.share_of_32_by_8' AS id, large.accepted_mb_per_s / small.accepted_mb_per_s AS simulated,
       sci_link_limit_mb_per_s('32') / sci_link_limit_mb_per_s('8') AS analytic,
       printf('%.1f and %.1f MB/s', large.accepted_mb_per_s, small.accepted_mb_per_s) AS remark
FROM flooded_ring AS small JOIN flooded_ring AS large USING (link_flow_control)
WHERE link_flow_control = 'go-bits' AND small.nodes = 8 AND large.nodes = 32;

-- PCI clocks for 64 bytes: on the sender's bus sixteen stores of three clocks, on the receiver's one burst: arbitration
-- 2, address 1, data 16, turnaround 1. These are the platform's values, which SQL cannot read: if pci.* changes there,
-- change them here.
CREATE VIEW pci AS
SELECT 16 * 3 * clock_ns AS sending_ns, 20 * clock_ns AS receiving_ns FROM (SELECT 1000.0 / 33 AS clock_ns);

CREATE VIEW torus_limit AS
SELECT sci_link_limit_mb_per_s(torus) AS link, sci_blink_limit_mb_per_s(torus) AS blink,
       sci_pci_limit_mb_per_s(torus, sending_ns, receiving_ns) AS pci, accepted_mb_per_s AS accepted, link_use_mean,
       blink_use_mean
FROM flooded_torus, pci;

CREATE VIEW finding_torus AS
SELECT 'wulfkit.torus_4x4.accepted' AS id, accepted AS simulated, min(link, blink) AS analytic,
       printf('calculated: the lower of the two limits below, %s; an upper bound, from which queues, retries and go '
              || 'bits take more off', iif(link < blink, 'the links''', 'the B-Links''')) AS remark
FROM torus_limit
UNION ALL
SELECT 'wulfkit.torus_4x4.limit.link', accepted / link_use_mean, link,
       printf('simulated: accepted over its mean use, %.3f; retries use links, too', link_use_mean)
FROM torus_limit
UNION ALL
SELECT 'wulfkit.torus_4x4.limit.blink', accepted / blink_use_mean, blink,
       printf('simulated: accepted over its mean use, %.3f', blink_use_mean)
FROM torus_limit;

CREATE VIEW finding_torus_pci AS
SELECT 'wulfkit.torus_4x4.limit.pci' AS id, pci AS analytic,
       'of the whole machine ' || CASE min(pci, link, blink)
           WHEN pci THEN 'PCI binds, so that software does not reach the other two'
           WHEN blink THEN 'the B-Link binds'
           ELSE 'the link binds' END AS remark
FROM torus_limit;

-- One writer, as [SCINET] simulated it. Its numbers are gross: 84 bytes of link for each 64.
CREATE VIEW finding_one_writer AS
SELECT 'wulfkit.scinet.saturation' AS id, accepted_mb_per_s * 84 / 64 AS simulated, 500.0 * 84 / (84 + 12) AS analytic,
       printf('%.1f MB/s of payload; calculated: a request and the echo of its response on the writer''s link',
              accepted_mb_per_s) AS remark
FROM one_writer WHERE options_rate = 380
UNION ALL
SELECT 'wulfkit.scinet.constant_latency', max(latency_mean_ns) / min(latency_mean_ns), NULL,
       printf('%.1f to %.1f ns at %g to %g MB/s of payload', min(latency_mean_ns), max(latency_mean_ns),
              min(options_rate), max(options_rate))
FROM one_writer WHERE options_rate < 333;

CREATE VIEW finding_slow_receiver AS
SELECT printf('wulfkit.scinet.slow_receiver.%gns', lc2_retry_interval_ns) AS id,
       stored_retries.accepted_mb_per_s * 84 / 64 AS simulated,
       printf('queues of %d, for a simulator that keeps refused packets apart without bound; with the 8 of the card '
              || '%.1f MB/s', slots, slow_receiver.accepted_mb_per_s * 84 / 64) AS remark
FROM stored_retries JOIN slow_receiver USING (lc2_retry_interval_ns) WHERE slow_receiver.options_rate > 114.3;
