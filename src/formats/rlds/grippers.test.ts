import { describe, expect, it } from 'vitest';
import type { Stream } from '#core/episode';
import { gripperConventions } from './build-episode.ts';
import { knownDataset } from './known-datasets.ts';

function streamOf(id: string, dims: number, values: readonly number[]): Stream {
  return {
    id,
    role: id.startsWith('action') ? 'action' : 'state',
    modality: 'numeric',
    shape: [dims],
    names: null,
    unit: { unit: 'unknown', evidence: 'unknown', reason: '' },
    declared_rate_hz: null,
    sample_count: values.length,
    clocks: [],
    clock: null,
    series: {
      dims,
      values: Float32Array.from(values.flatMap((value) => [...new Array(dims - 1).fill(9), value])),
    },
  };
}

const closedness = 'action/gripper_closedness_action';

/** Tables 12.6 and 18.2 of the format notes: name, stream, dimensions, range, the value that opens. */
const table: readonly (readonly [string, string, number, readonly number[], number])[] = [
  ['fractal20220817_data', closedness, 1, [-1, 0, 1], -1],
  ['fractal20220817_data', 'observation/gripper_closed', 1, [0, 1], 0],
  ['kuka', closedness, 1, [-1, 1], -1],
  ['jaco_play', closedness, 1, [-1, 1], -1],
  ['nyu_door_opening_surprising_effectiveness', closedness, 1, [-1, 1], -1],
  ['berkeley_autolab_ur5', closedness, 1, [-1, 1], -1],
  ['roboturk', closedness, 1, [0, 1], 0],
  ['viola', closedness, 1, [0, 1], 0],
  ['austin_buds_dataset_converted_externally_to_rlds', 'action', 7, [0, 1], 0],
  ['bridge_dataset', 'action', 7, [0, 1], 1],
  ['bridge_orig', 'observation/state', 7, [0.1, 1.006], 1],
  ['taco_play', 'action/rel_actions_world', 7, [-1, 1], 1],
  ['toto', 'action/open_gripper', 1, [0, 1], 1],
  ['roboset', 'action', 8, [-1, 1], -1],
  ['droid', 'observation/gripper_position', 1, [0, 1], 0],
  ['droid_100', 'action', 7, [0, 1], 0],
];

describe('which end of a gripper is open', () => {
  it.each(table)('is known of %s by its name: %s', (name, id, dims, values, open_value) => {
    const [found, ...others] = gripperConventions([streamOf(id, dims, values)], knownDataset(name));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ stream: id, dimension: dims - 1, open_value, evidence: 'known_format' });
    expect(found.reason).not.toBe('');
  });

  it.each(table)('is unknown of %s once its numbers leave the convention: %s', (name, id, dims) => {
    const [found] = gripperConventions([streamOf(id, dims, [0, 100])], knownDataset(name));
    expect(found).toMatchObject({ open_value: null, evidence: 'unknown' });
  });

  it('is unknown of any other set, whatever its numbers', () => {
    expect(knownDataset('my_bridge_like_set')).toBeNull();
    const streams = [streamOf('observation/gripper_position', 1, [0, 1]), streamOf('action', 7, [0, 1])];
    expect(gripperConventions(streams, null)).toMatchObject([
      {
        stream: 'observation/gripper_position',
        open_value: null,
        evidence: 'unknown',
        range_observed: [0, 1],
      },
    ]);
  });

  it('is declared where the feature is called open_gripper', () => {
    expect(gripperConventions([streamOf('action/open_gripper', 1, [0, 1])], null)).toMatchObject([
      { open_value: 1, evidence: 'declared' },
    ]);
  });

  it('is asked of nothing in language_table, which has none', () => {
    expect(gripperConventions([streamOf('action', 2, [-1, 1])], knownDataset('language_table'))).toEqual([]);
  });
});
