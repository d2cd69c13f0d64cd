import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench.ts';
import { medianCost, type ProcessCost } from '../support/measured-process.ts';
import { numericSet } from './numeric-set.ts';

const root = join(import.meta.dirname, '../..');
const peersPython = process.env.ASSAY_PEERS_PYTHON;

/** Assess against a bare DuckDB scan of the same columns (the limit) and `lerobot-doctor check` (the peer). */
export const numericBench: Bench = {
  id: 'lerobot',
  title: 'LeRobot v3, 300 rows x (6 state + 6 action) an episode, no video; whole processes',
  run: async (options) => {
    const episodes = options.quick ? 2_000 : 10_000;
    const set = await numericSet(options, episodes);
    const ours = await medianCost(3, process.execPath, [join(root, 'bin/assay'), 'assess', set]);
    const limit = await medianCost(3, process.execPath, [join(root, 'bench/lerobot/bare-scan.ts'), set]);
    report(options, 'assess', episodes, ours);
    report(options, 'bare DuckDB scan', episodes, limit);
    const toLimit = ours.wall_s / limit.wall_s;
    options.print(`  assess takes ${toLimit.toFixed(2)} times the bare scan (at most 3.5)`);
    const peer = await doctor(options, ours, episodes);
    return { passed: ours.exit_code === 0, figures: { episodes, ours, limit, toLimit, ...peer } };
  },
};

async function doctor(options: BenchOptions, ours: ProcessCost, episodes: number): Promise<object> {
  if (!peersPython) {
    options.print('  lerobot-doctor: not measured (set ASSAY_PEERS_PYTHON to a Python that has it)');
    return {};
  }
  // A tenth of the episodes: its time grows in step with them, and the whole set would take minutes.
  const fewer = episodes / 10;
  const set = await numericSet(options, fewer);
  const peer = await medianCost(1, join(peersPython, '../lerobot-doctor'), ['check', set]);
  report(options, 'lerobot-doctor', fewer, peer);
  const faster = episodes / ours.wall_s / (fewer / peer.wall_s);
  options.print(`  assess does ${faster.toFixed(1)} times its episodes a second (at least 20)`);
  return { doctor: peer, faster };
}

function report(options: BenchOptions, name: string, episodes: number, cost: ProcessCost): void {
  const rate = Math.round(episodes / cost.wall_s);
  const memory = cost.peak_memory_mb === null ? '' : `, ${Math.round(cost.peak_memory_mb)} MB`;
  const first = cost.first_output_s === null ? '' : `, first line after ${cost.first_output_s.toFixed(2)} s`;
  options.print(`  ${name}: ${rate} episodes/s (${cost.wall_s.toFixed(2)} s${memory}${first})`);
}
