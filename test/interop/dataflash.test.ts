import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { Episode } from '#core/episode';
import { DataflashBytes } from '../support/dataflash-bytes.ts';
import { onPeers, peersPython } from '../support/peers.ts';
import { readEverything } from '../support/read-dataset.ts';
import { askScript } from './python-worker.ts';

interface TheirMessage {
  readonly name: string;
  readonly cells: Readonly<Record<string, number | string>>;
  readonly time_s: number;
}

/** Two minutes of a flight: attitude, two IMUs, a receiver with a date, a battery, texts. */
function flight(): DataflashBytes {
  const random = seededRandom(11);
  const log = new DataflashBytes([
    {
      id: 10,
      name: 'ATT',
      format: 'QccccCC',
      columns: 'TimeUS,DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw',
      units: 'sddddhh',
      multipliers: 'FBBBBBB',
    },
    {
      id: 11,
      name: 'IMU',
      format: 'QBffffff',
      columns: 'TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ',
      units: 's#EEEooo',
      multipliers: 'F-000000',
    },
    {
      id: 12,
      name: 'GPS',
      format: 'QBBIHBcLLe',
      columns: 'TimeUS,I,Status,GMS,GWk,NSats,HDop,Lat,Lng,Alt',
      units: 's#-s-S-DUm',
      multipliers: 'F--C-0BGGB',
    },
    {
      id: 13,
      name: 'BAT',
      format: 'QBffe',
      columns: 'TimeUS,Inst,Volt,Curr,Res',
      units: 's#vA-',
      multipliers: 'F-00-',
    },
    { id: 15, name: 'MSG', format: 'QZ', columns: 'TimeUS,Message' },
  ]);
  log.message('MSG', 1_000_000, 'ArduCopter V4.5.7 (2a3dc4b7)');
  for (let i = 0; i < 1200; i++) {
    const time_us = 1_000_000 + i * 100_000;
    log.message(
      'ATT',
      time_us,
      random.integer(-3000, 3000),
      random.integer(-3000, 3000),
      0,
      i,
      random.integer(0, 35_999),
      18_000,
    );
    for (const instance of [0, 1])
      log.message('IMU', time_us, instance, random.normal(), random.normal(), random.normal(), 0, 0, -9.81);
    if (i % 2 === 0)
      log.message(
        'GPS',
        time_us,
        0,
        3,
        345_600_000 + i * 100,
        2243,
        14,
        82,
        472_345_678 + i,
        85_432_100 - i,
        43_000 + i,
      );
    if (i % 10 === 0) log.message('BAT', time_us, 0, 16.8 - i / 500, 12.5, 8000 - i);
  }
  return log;
}

describe.skipIf(!peersPython)(onPeers('a DataFlash log, beside pymavlink'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-interop-dataflash-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['flight.bin', (log: DataflashBytes) => log.bytes()],
    ['flight.log', (log: DataflashBytes) => log.text()],
  ] as const)('is the same numbers, message by message, in %s', async (name, bytesOf) => {
    const path = join(folder, name);
    writeFileSync(path, bytesOf(flight()));
    const { sets } = await readEverything(path);
    const [episode] = sets.find(({ path: at, episodes }) => at === '' && episodes.length > 0)!.episodes;
    const theirs: TheirMessage[] = await askScript('peers', 'pymavlink_messages.py', path);
    const messages = theirs.filter(({ name }) => ['ATT', 'IMU', 'GPS', 'BAT'].includes(name));
    expect(messages.length).toBe(1200 * 3 + 600 + 120);
    const rows = new Map<string, number>();
    const start_s = Number(BigInt(episode.start_ns ?? 0) / 1000n) / 1e6;
    for (const { name, cells, time_s } of messages) {
      const instance = Number(cells.I ?? cells.Inst ?? 0);
      const track = instance === 0 ? name : `${name}[${instance}]`;
      const row = rows.get(track) ?? 0;
      rows.set(track, row + 1);
      for (const [column, value] of Object.entries(cells)) {
        if (['TimeUS', 'I', 'Inst'].includes(column)) continue;
        expect(cellOf(episode, track, column, row)).toBeCloseTo(Number(value), 6);
      }
      const stream = episode.streams.find(({ id }) => id.startsWith(`${track}.`));
      expect(start_s + stream!.clocks[0].time_s[row]).toBeCloseTo(time_s, 4);
    }
  });
});

function cellOf({ streams }: Episode, track: string, column: string, row: number): number {
  for (const { id, names, series } of streams) {
    const at = id === track || id.startsWith(`${track}.`) ? (names?.indexOf(column) ?? -1) : -1;
    if (at >= 0) return series!.values[row * series!.dims + at];
  }
  throw new Error(`no column ${column} of ${track}`);
}
