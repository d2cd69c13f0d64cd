import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numericStream, testEpisode } from '../test-subject.ts';
import { ActionSpaceStatistics } from './diagnose.ts';

const file = resolve(
  import.meta.dirname,
  '../../../../../shared/data/rlds/bridge/bridge_dataset-train.tfrecord-00000-of-00001',
);
const missing = existsSync(file) ? '' : ' (skipped: no ../shared/data here)';
const names = ['x', 'y', 'z', 'roll', 'pitch', 'yaw', 'gripper'];

describe.skipIf(missing !== '')(`the diagnosis of BridgeData V2${missing}`, () => {
  it.each([
    ['named', names, 'end_effector'],
    ['unnamed', null, 'unknown'],
  ])('reads %s actions as end-effector steps with an absolute gripper', (_, given, space) => {
    const statistics = new ActionSpaceStatistics();
    for (const [index, features] of records(readFileSync(file)).map(floatFeatures).entries()) {
      const stream = (id: string, role: 'action' | 'state', values: Float32Array) => ({
        ...numericStream(id, role, values.length / 7, 7, (row, d) => values[7 * row + d], 5),
        names: given,
      });
      const action = stream('action', 'action', features.get('steps/action')!);
      const state = stream('state', 'state', features.get('steps/observation/state')!);
      statistics.add(testEpisode(index, [action, state]));
    }
    const diagnosis = statistics.conclude();
    expect(diagnosis).toMatchObject({
      status: 'diagnosed',
      representation: 'step_delta',
      space,
      episodes: { looked_at: 25 },
    });
    if (diagnosis.status !== 'diagnosed' || given === null) return;
    expect(diagnosis.confidence).toBeGreaterThan(0.8);
    expect(diagnosis.groups).toMatchObject([
      { space: 'end_effector', units: 'as_state' },
      { space: 'gripper', representation: 'absolute' },
    ]);
  });
});

/** Records of a TFRecord file; their check sums are not looked at. */
function records(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Number(bytes.readBigUInt64LE(at));
    found.push(bytes.subarray(at + 12, at + 12 + length));
    at += 12 + length + 4;
  }
  return found;
}

/** Lists of floats of a tf.train.Example by their keys. */
function floatFeatures(example: Buffer): Map<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  for (const [, features] of fields(example)) {
    for (const [, entry] of fields(features)) {
      const parts = new Map(fields(entry));
      const floats = new Map(fields(parts.get(2) ?? Buffer.alloc(0))).get(2);
      if (floats === undefined) continue;
      const packed = new Map(fields(floats)).get(1) ?? Buffer.alloc(0);
      found.set(
        String(parts.get(1)),
        Float32Array.from({ length: packed.length / 4 }, (_, i) => packed.readFloatLE(4 * i)),
      );
    }
  }
  return found;
}

/** Length-delimited fields of a protobuf message; others do not occur on the way to the floats. */
function fields(message: Buffer): [number, Buffer][] {
  const found: [number, Buffer][] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const length = varint();
    if ((key & 7) !== 2) return found;
    found.push([key >> 3, message.subarray(at, at + length)]);
    at += length;
  }
  return found;
}
