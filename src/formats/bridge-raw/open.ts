import type { Episode, Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { dayOf, type Trajectory, trajectoriesOf } from './layout.ts';
import { idOf, rate_hz, readTrajectory } from './read-trajectory.ts';

/** A trajectory a work unit. */
export function openBridge(tree: SourceTree, recognition: Recognition): Dataset {
  const trajectories = trajectoriesOf(tree);
  return {
    facts: {
      format: 'bridge-raw',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: rate_hz,
      robot: 'WidowX 250',
      declared_cameras: [],
    },
    recognition,
    findings: [...pickleFindings(trajectories), ...undatedFindings(trajectories)],
    units: trajectories.map(unitOf),
    read: (unit, options) => readUnit(tree, trajectories[unit.first_index], unit, options),
    close: async () => {},
  };
}

function unitOf(own: Trajectory, index: number): WorkUnit {
  return {
    id: idOf(own),
    expected_episodes: 1,
    first_index: index,
    bytes: own.bytes,
    look_bytes: own.bytes - own.picture_bytes,
    selector: null,
  };
}

async function* readUnit(
  tree: SourceTree,
  own: Trajectory,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  options.signal?.throwIfAborted();
  const context = { index: unit.first_index, hasher: createFileHasher(tree), hashes: hashScope(options) };
  yield await readTrajectory(tree, own, context);
  options.onBytes?.(unit.bytes);
}

function pickleFindings(trajectories: readonly Trajectory[]): Finding[] {
  const pickles = trajectories.reduce((count, own) => count + own.pickles.length, 0);
  if (pickles === 0) return [];
  return [
    {
      ...{ code: 'pickles_not_read', severity: 'warning', path: null },
      message: `states, actions, gripper and times lie in Python pickles (${pickles} files) and are not read: loading a pickle runs whatever is in it; pictures and texts alone are judged`,
      advice: 'to have the numbers judged, take the NumPy or the RLDS (TFDS) version of BridgeData V2',
      evidence: { pickles },
    },
  ];
}

/** Below a root that is deeper than the folder of a recording, nothing says when that was made. */
function undatedFindings(trajectories: readonly Trajectory[]): Finding[] {
  const undated = trajectories.filter((own) => dayOf(own) === null).length;
  if (undated === 0) return [];
  return [
    {
      ...{ code: 'recording_date_unknown', severity: 'info', path: null },
      message: `${undated} of ${trajectories.length} trajectories are in no folder that says when they were recorded; pictures from before 2021-07-23 come one step late`,
      advice: 'pass the folder above the one called by date and time, so that such recordings are told',
    },
  ];
}
