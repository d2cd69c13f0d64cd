/**
 * Micro-benchmark: microseconds a generated LeRobot-like episode (300 rows, 6 state and 6 action dimensions, 30 Hz,
 * computed stamps) costs in each signal check, features included where the check is the first to ask for them.
 * `node bench/measure.ts [rows] [dimensions]`.
 */

import { seededRandom } from '#core';
import { type Episode, type Stream, unknownOutcome } from '#core/episode';
import { type Check, createFeatures, type Subject } from '#quality/readiness';
import { actionStateAgreement } from '../src/quality/readiness/checks/action-state-agreement.ts';
import { episodeLength } from '../src/quality/readiness/checks/episode-length.ts';
import { gripperActivity } from '../src/quality/readiness/checks/gripper-activity.ts';
import { gripperConsistency } from '../src/quality/readiness/checks/gripper-consistency.ts';
import { kinematicSanity } from '../src/quality/readiness/checks/kinematic-sanity.ts';
import { signalSync } from '../src/quality/readiness/checks/signal-sync.ts';
import { timelineIntegrity } from '../src/quality/readiness/checks/timeline-integrity.ts';

const rows = Number(process.argv[2] ?? 300);
const dims = Number(process.argv[3] ?? 6);
const rate_hz = 30;
const names = Array.from({ length: dims }, (_, d) => (d === dims - 1 ? 'gripper' : `joint_${d}`));

const checks: readonly Check[] = [
  timelineIntegrity,
  signalSync,
  episodeLength,
  kinematicSanity,
  actionStateAgreement,
  gripperActivity,
  gripperConsistency,
];

function generatedEpisode(seed: number): Episode {
  const random = seededRandom(seed);
  const phase = Array.from({ length: dims }, () => random.between(0, 6));
  const pace = Array.from({ length: dims }, () => random.between(0.01, 0.04));
  const time_s = Float64Array.from({ length: rows }, (_, i) => i / rate_hz);
  const stream = (id: string, role: 'state' | 'action', late: number, noise: number): Stream => {
    const values = new Float32Array(rows * dims);
    for (let i = 0; i < rows; i++)
      for (let d = 0; d < dims; d++)
        values[i * dims + d] =
          d === dims - 1
            ? Math.round((Math.sin(phase[d] + 0.03 * (i - late)) + 1) / 2)
            : Math.sin(phase[d] + pace[d] * (i - late)) + noise * random.normal();
    return {
      id,
      role,
      modality: 'numeric',
      shape: [dims],
      names,
      unit: { unit: 'unknown', evidence: 'unknown', reason: 'generated' },
      declared_rate_hz: rate_hz,
      sample_count: rows,
      clocks: [{ name: 'timestamp', provenance: 'synthesised', time_s }],
      clock: { index: 0, reason: 'the only one' },
      series: { values, dims },
    };
  };
  return {
    id: `episode_${seed}`,
    index: seed,
    locator: { format: 'lerobot-v3', path: 'data/chunk-000/file-000.parquet' },
    sources: [],
    start_ns: null,
    duration_s: rows / rate_hz,
    streams: [stream('observation.state', 'state', 3, 1e-4), stream('action', 'action', 0, 0)],
    events: [],
    tasks: null,
    outcome: unknownOutcome,
    robot: null,
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
}

const episodes = Array.from({ length: 64 }, (_, seed) => generatedEpisode(seed));
const rounds = Math.max(2, Math.round(1e7 / (rows * dims * episodes.length)));

for (let repeat = 0; repeat < 5; repeat++) {
  const spent = new Float64Array(checks.length);
  const started = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    for (const episode of episodes) {
      const subject: Subject = {
        episode,
        kind: 'teleop',
        cameras: new Map(),
        features: createFeatures(episode),
      };
      for (let c = 0; c < checks.length; c++) {
        const before = performance.now();
        checks[c].measure(subject);
        spent[c] += performance.now() - before;
      }
    }
  }
  const count = rounds * episodes.length;
  const { user, system } = process.cpuUsage(started);
  const total = (user + system) / count;
  if (repeat < 4) continue;
  for (let c = 0; c < checks.length; c++)
    console.log(`${checks[c].id.padEnd(24)} ${((spent[c] * 1000) / count).toFixed(1).padStart(8)} µs`);
  console.log(
    `${'all'.padEnd(24)} ${total.toFixed(1).padStart(8)} µs of CPU an episode of ${rows} rows x (${dims} + ${dims})`,
  );
}
