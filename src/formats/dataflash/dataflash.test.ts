import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { deriveKind } from '#quality/readiness';
import { DataflashBytes, type DataflashType } from '#test/support/dataflash-bytes';
import { readEverything } from '#test/support/read-dataset';

const folder = mkdtempSync(join(tmpdir(), 'assay-dataflash-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
async function readBytes(bytes: Uint8Array | string, name = `log${files++}.bin`) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const { sets } = await readEverything(path);
  return sets[0];
}

async function readOne(bytes: Uint8Array | string) {
  const { episodes } = await readBytes(bytes);
  const [episode] = episodes;
  const stream = (id: string) => {
    const found = episode.streams.find((candidate) => candidate.id === id);
    if (found === undefined) throw new Error(`no stream ${id} among ${episode.streams.map(({ id }) => id)}`);
    return found;
  };
  return {
    episode,
    stream,
    values: (id: string) => [...(stream(id).series?.values ?? [])],
    times: (id: string) => [...(stream(id).clocks[0]?.time_s ?? [])],
    finding: (code: string) => episode.findings.find((finding) => finding.code === code),
  };
}

const attitude: DataflashType = {
  ...{ id: 10, name: 'ATT', format: 'QccccCC', columns: 'TimeUS,DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw' },
  ...{ units: 'sddddhh', multipliers: 'FBBBBBB' },
};
const inertial: DataflashType = {
  ...{ id: 11, name: 'IMU', format: 'QBffffff', columns: 'TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ' },
  ...{ units: 's#EEEooo', multipliers: 'F-000000' },
};
const satellite: DataflashType = {
  ...{ id: 12, name: 'GPS', format: 'QBBIHBcLLe', columns: 'TimeUS,I,Status,GMS,GWk,NSats,HDop,Lat,Lng,Alt' },
  ...{ units: 's#-s-S-DUm', multipliers: 'F--C-0BGGB' },
};
const battery: DataflashType = {
  id: 13,
  name: 'BAT',
  format: 'QBff',
  columns: 'TimeUS,Inst,Volt,Curr',
  units: 's#vA',
  multipliers: 'F-00',
};
const dropped: DataflashType = {
  id: 14,
  name: 'DSF',
  format: 'QIHIIII',
  columns: 'TimeUS,Dp,Blk,Bytes,FMn,FMx,FAv',
};
const text: DataflashType = { id: 15, name: 'MSG', format: 'QZ', columns: 'TimeUS,Message' };
const parameter: DataflashType = { id: 16, name: 'PARM', format: 'QNf', columns: 'TimeUS,Name,Value' };
const mode: DataflashType = { id: 17, name: 'MODE', format: 'QMBB', columns: 'TimeUS,Mode,ModeNum,Rsn' };
const event: DataflashType = { id: 18, name: 'EV', format: 'QB', columns: 'TimeUS,Id' };
const arm: DataflashType = {
  id: 19,
  name: 'ARM',
  format: 'QBIBB',
  columns: 'TimeUS,ArmState,ArmChecks,Forced,Method',
};
const errors: DataflashType = { id: 20, name: 'ERR', format: 'QBB', columns: 'TimeUS,Subsys,ECode' };
const types = [attitude, inertial, satellite, battery, dropped, text, parameter, mode, event, arm, errors];

/** A second of flight: attitude, two IMUs. */
function flight(log = new DataflashBytes(types)): DataflashBytes {
  for (let i = 0; i < 10; i++) {
    const time_us = 5_000_000 + i * 100_000;
    log.message('ATT', time_us, 100, -57, 0, i, 36_000, 35_999);
    for (const instance of [0, 1]) log.message('IMU', time_us, instance, 0.5, i, instance, 0, 0, -9.75);
  }
  return log;
}

describe('a DataFlash log', () => {
  it('is recognised by FMT describing itself, whatever the file is called', async () => {
    expect((await readBytes(flight().bytes(), 'flight.dat')).format).toBe('dataflash');
    await expect(readBytes('a text that is no log', 'text.bin')).rejects.toMatchObject({
      code: 'not_recognised',
    });
  });

  it('becomes streams timed since boot, in the units that the log declares', async () => {
    const log = await readOne(flight().bytes());
    expect(log.values('ATT.desired').slice(0, 3)).toEqual([1, 0, 360]);
    expect(log.values('ATT.attitude').slice(0, 3)).toEqual([-0.57, 0, 359.99]);
    expect(log.stream('ATT.desired')).toMatchObject({
      role: 'action',
      names: ['DesRoll', 'DesPitch', 'DesYaw'],
    });
    expect(log.stream('ATT.attitude').unit).toMatchObject({ unit: 'mixed', evidence: 'declared' });
    expect(log.stream('IMU.gyro').unit).toMatchObject({ unit: 'rad/s', evidence: 'declared' });
    expect(log.times('ATT.attitude')[1]).toBeCloseTo(0.1);
    expect(log.episode).toMatchObject({ start_ns: null, robot: 'ArduPilot' });
    expect(log.episode.duration_s).toBeCloseTo(0.9);
    expect(log.stream('ATT.attitude').clocks[0]).toMatchObject({ name: 'TimeUS', provenance: 'hardware' });
  });

  it('keeps the instances of a sensor apart', async () => {
    const log = await readOne(flight().bytes());
    expect(log.stream('IMU.gyro').sample_count).toBe(10);
    expect(log.values('IMU[1].gyro').slice(3, 6)).toEqual([0.5, 1, 1]);
    expect(log.stream('IMU[1].accelerometer').names).toEqual(['AccX', 'AccY', 'AccZ']);
  });

  it('reads every format letter', async () => {
    const plain: DataflashType = {
      id: 30,
      name: 'PLN',
      format: 'QabBhHiIqfdg',
      columns: 'TimeUS,a,b,B,h,H,i,I,q,f,d,g',
    };
    const more: DataflashType = {
      id: 31,
      name: 'MORE',
      format: 'QcCeELMnNZ',
      columns: 'TimeUS,c,C,e,E,L,M,n,N,Z',
    };
    const array = Array.from({ length: 32 }, (_, i) => i - 16);
    const numbers = [-5, 200, -30_000, 60_000, -2e9, 4e9, -(2 ** 40), 0.5, Math.PI];
    const log = await readOne(
      new DataflashBytes([plain, more])
        .message('PLN', 1_000_000, array, ...numbers, 0x3e00)
        .message('MORE', 1_000_000, -57, 65_535, -123_456, 123_456, 472_345_678, 5, 'n', 'N', 'Z')
        .bytes(),
    );
    expect(log.values('PLN')).toEqual([...array, ...numbers, 1.5]);
    expect(log.values('MORE')).toEqual([-0.57, 655.35, -1234.56, 1234.56, 47.2345678, 5]);
    expect(log.stream('PLN').names?.slice(30, 34)).toEqual(['a[30]', 'a[31]', 'b', 'B']);
  });

  it('says nothing of units where the log declares none, and takes no instances apart', async () => {
    const log = await readOne(flight(new DataflashBytes(types, false)).bytes());
    expect(log.stream('IMU.gyro')).toMatchObject({
      sample_count: 20,
      unit: { unit: 'unknown', evidence: 'unknown' },
    });
  });

  it('takes its date from GPS week and milliseconds, leap seconds taken off', async () => {
    // 2023-01-01T00:00:00Z is 18 s past midnight in week 2243 of GPS.
    const log = await readOne(
      new DataflashBytes(types)
        .message('GPS', 1_000_000, 0, 1, 0, 0, 0, 9999, 0, 0, 0)
        .message('GPS', 3_000_000, 0, 3, 18_000, 2243, 12, 80, 472_000_000, 85_500_000, 43_000)
        .bytes(),
    );
    expect(new Date(Number(BigInt(log.episode.start_ns ?? 0) / 1_000_000n)).toISOString()).toBe(
      '2022-12-31T23:59:58.000Z',
    );
    expect(log.values('GPS.position').slice(3)).toEqual([47.2, 8.55, 430]);
    expect(log.stream('GPS.quality').names).toEqual(['Status', 'NSats', 'HDop']);
  });

  it('passes over junk between messages, and says how much', async () => {
    const junk = Buffer.concat([Buffer.alloc(700, 7), Buffer.from([0xa3, 0x95, 10, 1, 2, 3])]);
    const log = await readOne(flight(flight().raw(junk)).bytes());
    expect(log.stream('ATT.attitude').sample_count).toBe(20);
    expect(log.finding('file_corrupt')).toMatchObject({
      severity: 'warning',
      evidence: { bytes: junk.length, spans: 1 },
    });
  });

  it('takes up to 528 bytes of junk at the end for what they are', async () => {
    const few = await readOne(flight().raw(Buffer.alloc(528, 0xff)).bytes());
    expect(few.finding('file_truncated')).toMatchObject({ severity: 'info', evidence: { bytes: 528 } });
    expect(few.finding('file_corrupt')).toBeUndefined();
    const many = await readOne(flight().raw(Buffer.alloc(529, 0xff)).bytes());
    expect(many.finding('file_corrupt')?.evidence).toMatchObject({ bytes: 529 });
  });

  it('ends in a finding wherever it is cut off', async () => {
    const whole = flight().bytes();
    for (let length = 100; length < whole.length; length += 37) {
      const { episodes, unreadable } = await readBytes(whole.subarray(0, length), 'cut.bin');
      expect(episodes.length + unreadable.length).toBe(1);
    }
  });

  it('carries blocks that the logger says it dropped', async () => {
    const log = await readOne(
      flight()
        .message('DSF', 6_000_000, 0, 0, 0, 0, 0, 0)
        .message('DSF', 7_000_000, 12, 0, 0, 0, 0, 0)
        .message('DSF', 8_000_000, 15, 0, 0, 0, 0, 0)
        .bytes(),
    );
    expect(log.episode.dropouts).toEqual([
      { time_s: 2, duration_s: null, lost: 12 },
      { time_s: 3, duration_s: null, lost: 3 },
    ]);
    expect(log.finding('recorder_dropouts')?.evidence).toEqual({ count: 2, blocks: 15 });
  });

  it('makes events of texts, arming, modes, errors and changed parameters', async () => {
    const log = await readOne(
      flight()
        .message('MSG', 5_100_000, 'ArduCopter V4.5.7 (2a3dc4b7)')
        .message('PARM', 5_100_000, 'WPNAV_SPEED', 500)
        .message('MODE', 5_200_000, 5, 5, 1)
        .message('EV', 5_300_000, 10)
        .message('ARM', 5_300_000, 1, 0, 0, 0)
        .message('PARM', 5_400_000, 'WPNAV_SPEED', 800)
        .message('ERR', 5_500_000, 6, 1)
        .message('EV', 5_600_000, 28)
        .message('EV', 5_700_000, 11)
        .bytes(),
    );
    expect(log.episode.robot).toBe('ArduPilot ArduCopter');
    expect(log.episode.events.map(({ label }) => label)).toEqual([
      'ArduCopter V4.5.7 (2a3dc4b7)',
      'flight mode Loiter',
      'armed',
      'parameter WPNAV_SPEED = 800',
      'error 1 of subsystem 6',
      'event 28',
      'disarmed',
    ]);
    expect(log.finding('log_parameters')?.evidence).toEqual({ parameters: 1, changed: ['WPNAV_SPEED'] });
  });

  it('does not call a rover an aircraft', async () => {
    const rover = await readOne(flight().message('MSG', 5_100_000, 'ArduRover V4.5.7 (2a3dc4b7)').bytes());
    expect(rover.episode.robot).toBe('ArduRover');
    expect(deriveKind(rover.episode).kind).toBe('state-only');
    expect(deriveKind((await readOne(flight().bytes())).episode).kind).toBe('aerial-flight');
  });

  it('reads older logs in milliseconds, whose GPS keeps its own time in T', async () => {
    const old: readonly DataflashType[] = [
      { id: 40, name: 'ATT', format: 'Icc', columns: 'TimeMS,Roll,Pitch' },
      { id: 41, name: 'GPS', format: 'BIHBI', columns: 'Status,TimeMS,Week,NSats,T' },
    ];
    const log = await readOne(
      new DataflashBytes(old, false)
        .message('ATT', 2000, 150, 0)
        .message('GPS', 3, 16_000, 1800, 9, 3000)
        .message('ATT', 4000, 250, 0)
        .bytes(),
    );
    expect(log.times('ATT.attitude')).toEqual([0, 2]);
    expect(log.times('GPS.quality')).toEqual([1]);
    // 2014: 16 leap seconds.
    expect(log.episode.start_ns).toBe(String((315_964_800n + 1800n * 604_800n - 1n) * 1_000_000_000n));
  });

  it('gives the same streams from the text variant, with or without a head before it', async () => {
    const written = flight().message('MSG', 5_950_000, 'a text, with a comma');
    const binary = await readOne(written.bytes());
    for (const head of ['', ' 12\r\nsaved by a ground station\r\n']) {
      const spoken = await readOne(head + written.text());
      for (const { id, names } of binary.episode.streams) {
        expect(spoken.stream(id).names).toEqual(names);
        expect(spoken.values(id).map(Math.fround)).toEqual(binary.values(id).map(Math.fround));
        expect(spoken.times(id)).toEqual(binary.times(id));
        expect(spoken.stream(id).unit).toEqual(binary.stream(id).unit);
      }
      expect(spoken.episode.events).toEqual(binary.episode.events);
      expect(spoken.finding('file_corrupt')).toBeUndefined();
    }
  });

  it('leaves out lines of a text log that make no sense, and says how many bytes they were', async () => {
    const lines = flight().text().split('\r\n');
    lines.splice(40, 0, 'ATT, 12', 'what is this');
    const log = await readOne(lines.join('\n'));
    expect(log.stream('ATT.attitude').sample_count).toBe(10);
    expect(log.finding('file_corrupt')?.evidence).toMatchObject({ spans: 2, bytes: 19 });
  });

  it('counts a line that is too long for any message as lost', async () => {
    const lines = flight().text().split('\r\n');
    lines.splice(40, 0, 'x'.repeat(200_000));
    const log = await readOne(lines.join('\n'));
    expect(log.stream('ATT.attitude').sample_count).toBe(10);
    expect(log.finding('file_corrupt')?.evidence).toMatchObject({ bytes: 200_000 });
  });

  it('believes no number of a type that a message cannot carry', async () => {
    const log = await readOne(`${flight().text()}FMT, 4000000000, 11, FAR, Q, TimeUS\r\nFAR, 1\r\n`);
    expect(log.finding('topic_unreadable')?.message).toContain(
      'FAR were skipped: invalid type number 4000000000',
    );
    expect(log.stream('ATT.attitude').sample_count).toBe(10);
  });

  it('says so when a type has more instances than are read', async () => {
    const written = flight();
    for (let i = 0; i < 70; i++) written.message('BAT', 6_000_000, i, 12, 1);
    const log = await readOne(written.bytes());
    expect(log.finding('topic_unreadable')?.message).toContain('BAT were skipped: only the first 64');
    expect(log.stream('BAT[63].power').sample_count).toBe(1);
  });

  it('leaves out types that declare what cannot be, and reads the others', async () => {
    const wrong: DataflashType = { id: 50, name: 'BAD', format: 'Qf', columns: 'TimeUS,x,y' };
    const log = await readOne(flight(new DataflashBytes([...types, wrong])).bytes());
    expect(log.finding('topic_unreadable')?.message).toContain(
      'BAD were skipped: it declares 3 columns but 2 format letters',
    );
    expect(log.stream('ATT.attitude').sample_count).toBe(10);
  });
});
