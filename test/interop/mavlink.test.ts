import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { onPeers, peersPython } from '../support/peers.ts';
import { readEverything } from '../support/read-dataset.ts';
import { askScript } from './python-worker.ts';

type Rows = readonly Readonly<Record<string, number>>[];

const folder = mkdtempSync(join(tmpdir(), 'assay-tlog-'));
afterAll(() => rmSync(folder, { recursive: true }));

const radiansPerMilli = 1e-3;
const gravityPerMilli = 9.80665e-3;

/** Streams with the message and system of pymavlink, and the factor of each of its fields. */
const compared: readonly (readonly [string, string, Readonly<Record<string, number>>])[] = [
  ['ATTITUDE.attitude', 'ATTITUDE 1', { roll: 1, pitch: 1, yaw: 1 }],
  ['ATTITUDE.rates', 'ATTITUDE 1', { rollspeed: 1, pitchspeed: 1, yawspeed: 1 }],
  [
    'SCALED_IMU2.accelerometer',
    'SCALED_IMU2 1',
    { xacc: gravityPerMilli, yacc: gravityPerMilli, zacc: gravityPerMilli },
  ],
  [
    'SCALED_IMU2.gyro',
    'SCALED_IMU2 1',
    { xgyro: radiansPerMilli, ygyro: radiansPerMilli, zgyro: radiansPerMilli },
  ],
  ['GPS_RAW_INT.position', 'GPS_RAW_INT 1', { lat: 1e-7, lon: 1e-7, alt: 1e-3 }],
  ['GPS_RAW_INT.velocity', 'GPS_RAW_INT 1', { vel: 0.01, cog: 0.01 }],
  ['HIGHRES_IMU (system 2).accelerometer', 'HIGHRES_IMU 2', { xacc: 1, yacc: 1, zacc: 1 }],
];

async function readLog(path: string): Promise<Episode> {
  const { sets } = await readEverything(path);
  return sets[0].episodes[0];
}

function compare(episode: Episode, theirs: Readonly<Record<string, Rows>>): void {
  for (const [id, key, fields] of compared) {
    const stream = episode.streams.find((candidate) => candidate.id === id)!;
    const rows = theirs[key];
    expect(stream.sample_count, id).toBe(rows.length);
    expect(stream.names, id).toEqual(Object.keys(fields));
    const expected = rows.flatMap((row) =>
      Object.entries(fields).map(([name, factor]) => row[name] * factor),
    );
    expect([...stream.series!.values], id).toEqual(expected.map((value) => expect.closeTo(value, 6)));
    const start_s = Number(BigInt(episode.start_ns!) / 1000n) / 1e6;
    const log_s = stream.clocks.find(({ name }) => name === 'log_time')!.time_s;
    expect([...log_s], id).toEqual(rows.map(({ time_s }) => expect.closeTo(time_s - start_s, 4)));
  }
}

describe.skipIf(!peersPython)(onPeers('telemetry logs of pymavlink'), () => {
  it('give the numbers and times that pymavlink reads', async () => {
    const path = join(folder, 'flight.tlog');
    await askScript('peers', 'pymavlink_telemetry.py', 'write', path);
    const theirs = await askScript('peers', 'pymavlink_telemetry.py', 'read', path);
    const episode = await readLog(path);
    compare(episode, theirs);
    expect(episode.events.map(({ label }) => label)).toEqual(['disarmed', 'flight mode Loiter', 'armed']);
  }, 120_000);

  it('with corrupt bytes lose no message that pymavlink finds', async () => {
    const path = join(folder, 'junk.tlog');
    const bytes = readFileSync(join(folder, 'flight.tlog'));
    const half = bytes.indexOf(Buffer.from([0xfd]), bytes.length >> 1) - 8;
    writeFileSync(path, Buffer.concat([bytes.subarray(0, half), Buffer.alloc(64, 7), bytes.subarray(half)]));
    const whole = await readLog(join(folder, 'flight.tlog'));
    const episode = await readLog(path);
    expect(episode.findings.map(({ code }) => code)).toContain('file_corrupt');
    for (const { id, sample_count } of whole.streams)
      expect(episode.streams.find((stream) => stream.id === id)?.sample_count, id).toBe(sample_count);
  }, 120_000);
});
