import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MavlinkBytes } from '#test/support/mavlink-bytes';
import { readEverything } from '#test/support/read-dataset';
import { definitions } from './messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-mavlink-'));
afterAll(() => rmSync(folder, { recursive: true }));

const start_us = 1_750_000_000_000_000;
let files = 0;

async function readLog(log: MavlinkBytes | Buffer, name = `${files++}.tlog`) {
  const path = join(folder, name);
  writeFileSync(path, log instanceof MavlinkBytes ? log.bytes() : log);
  const { sets } = await readEverything(path);
  const episode = sets[0]?.episodes[0];
  const stream = (id: string) => episode.streams.find((candidate) => candidate.id === id)!;
  return { sets, episode, stream };
}

const heartbeat = { type: 2, autopilot: 3, base_mode: 1, custom_mode: 0, mavlink_version: 3 };

describe('definitions of MAVLink messages', () => {
  it('give the checksum seeds that MAVLink publishes', () => {
    const published = {
      HEARTBEAT: 50,
      ATTITUDE: 39,
      GPS_RAW_INT: 24,
      SERVO_OUTPUT_RAW: 222,
      RC_CHANNELS: 118,
    };
    const names = new Map([...definitions.values()].map(({ name, crcExtra }) => [name, crcExtra]));
    for (const [name, crcExtra] of Object.entries(published)) expect(names.get(name), name).toBe(crcExtra);
  });
});

describe('MAVLink telemetry logs', () => {
  it('give attitude, IMU and positions in SI units and degrees', async () => {
    const log = new MavlinkBytes()
      .message(start_us, 'HEARTBEAT', heartbeat)
      .message(start_us, 'SCALED_IMU2', { time_boot_ms: 1000, zacc: -1000, ygyro: 250 })
      .message(start_us, 'GPS_RAW_INT', {
        time_usec: 1e6,
        fix_type: 3,
        lat: 472_000_000,
        lon: -85_000_000,
        alt: 1500,
        eph: 85,
        epv: 65_535,
        vel: 250,
        cog: 9000,
        satellites_visible: 255,
      });
    const { episode, stream } = await readLog(log);
    expect(episode).toMatchObject({ robot: 'ArduPilot Copter', start_ns: `${start_us}000` });
    expect(stream('SCALED_IMU2.accelerometer')).toMatchObject({ role: 'imu', unit: { unit: 'm/s²' } });
    expect([...stream('SCALED_IMU2.accelerometer').series!.values]).toEqual([
      0,
      0,
      expect.closeTo(-9.80665, 6),
    ]);
    expect([...stream('SCALED_IMU2.gyro').series!.values]).toEqual([0, 0.25, 0]);
    expect(stream('GPS_RAW_INT.position')).toMatchObject({ role: 'gnss', names: ['lat', 'lon', 'alt'] });
    expect([...stream('GPS_RAW_INT.position').series!.values]).toEqual([47.2, -8.5, 1.5]);
    const quality = stream('GPS_RAW_INT.quality');
    expect(quality.names).toEqual(['hdop', 'vdop', 'fix_type', 'satellites_visible']);
    expect([...quality.series!.values]).toEqual([0.85, Number.NaN, 3, Number.NaN]);
  });

  it('are timed by the autopilot where a message says when it was measured', async () => {
    const log = new MavlinkBytes();
    for (let i = 0; i < 4; i++)
      log
        .message(start_us + i * 100_000 + (i % 2) * 30_000, 'ATTITUDE', { time_boot_ms: 5000 + 100 * i })
        .message(start_us + i * 100_000, 'VFR_HUD', { alt: i });
    const { stream } = await readLog(log);
    const attitude = stream('ATTITUDE.attitude');
    expect(attitude.clocks.map(({ name, provenance }) => `${name} ${provenance}`)).toEqual([
      'log_time log',
      'time_boot_ms hardware',
    ]);
    expect(attitude.clock?.index).toBe(1);
    expect([...attitude.clocks[1].time_s]).toEqual([0, 0.1, 0.2, 0.3].map((time) => expect.closeTo(time, 6)));
    expect(stream('VFR_HUD').clock?.index).toBe(0);
  });

  it('keep arrival times where the autopilot started again', async () => {
    const log = new MavlinkBytes();
    for (const [i, boot] of [9000, 9100, 100, 200].entries())
      log.message(start_us + i * 100_000, 'ATTITUDE', { time_boot_ms: boot });
    expect((await readLog(log)).stream('ATTITUDE.attitude').clock?.index).toBe(0);
  });

  it('give arming, modes, texts and changed parameters as events, of each vehicle', async () => {
    const armed = { ...heartbeat, base_mode: 0x81, custom_mode: 5 };
    const log = new MavlinkBytes()
      .message(start_us, 'HEARTBEAT', heartbeat)
      .message(start_us, 'ATTITUDE', { time_boot_ms: 1 })
      .message(start_us + 1e6, 'HEARTBEAT', armed)
      .message(
        start_us + 2e6,
        'HEARTBEAT',
        { type: 1, autopilot: 12, base_mode: 0x80, custom_mode: 0x04040000, mavlink_version: 3 },
        { system: 7 },
      )
      .message(start_us + 2e6, 'HEARTBEAT', { type: 6, autopilot: 8, mavlink_version: 3 }, { system: 255 })
      .message(start_us + 3e6, 'PARAM_VALUE', { param_id: 'FLTMODE1', param_value: 1 })
      .message(start_us + 3e6, 'PARAM_VALUE', { param_id: 'FLTMODE1', param_value: 2 })
      .message(start_us + 4e6, 'STATUSTEXT', { text: 'PreArm: Need 3D Fix' })
      .message(start_us + 4e6, 'ATTITUDE', { time_boot_ms: 2, roll: 1 }, { system: 7 });
    const { episode, stream } = await readLog(log);
    expect(episode.events.map(({ time_s, label }) => `${time_s} ${label}`)).toEqual([
      '0 disarmed',
      '0 flight mode Stabilize',
      '1 armed',
      '1 flight mode Loiter',
      '2 armed (system 7)',
      '2 flight mode Mission (system 7)',
      '3 parameter FLTMODE1 = 2',
      '4 PreArm: Need 3D Fix',
    ]);
    expect(stream('ATTITUDE (system 7).attitude').sample_count).toBe(1);
  });

  it('name vehicles that do not fly without their autopilot', async () => {
    const log = new MavlinkBytes()
      .message(start_us, 'HEARTBEAT', { ...heartbeat, type: 10 })
      .message(start_us, 'ATTITUDE', { time_boot_ms: 1 });
    expect((await readLog(log)).episode.robot).toBe('Rover');
  });

  it('read signed frames, MAVLink 1 and cut zeros, and count messages of other kinds', async () => {
    const log = new MavlinkBytes()
      .message(start_us, 'ATTITUDE', { time_boot_ms: 1, roll: 0.5 }, { signed: true })
      .message(start_us + 1e5, 'ATTITUDE', { time_boot_ms: 2, roll: 0.25 }, { version: 1 })
      .message(start_us + 1e5, 'SERVO_OUTPUT_RAW', { servo1_raw: 1100 }, { version: 1 })
      .unknown(start_us + 2e5, 70_000, Uint8Array.of(1))
      .message(start_us + 3e5, 'SERVO_OUTPUT_RAW', { servo1_raw: 1200, servo16_raw: 1500 });
    const { episode, stream } = await readLog(log);
    expect(stream('ATTITUDE.attitude').sample_count).toBe(2);
    const output = stream('SERVO_OUTPUT_RAW.output').series!;
    expect([output.values[0], output.values[15], output.values[16], output.values[31]]).toEqual([
      1100, 0, 1200, 1500,
    ]);
    expect(episode.findings.find(({ code }) => code === 'messages_not_read')?.message).toContain('ids 70000');
  });

  it('skip corrupt bytes and wrong checksums, and say so', async () => {
    const row = (i: number) =>
      new MavlinkBytes().message(start_us + i * 1e5, 'ATTITUDE', { time_boot_ms: i + 1 }).bytes();
    const wrong = row(1);
    wrong[18] ^= 2;
    const { episode, stream } = await readLog(
      Buffer.concat([row(0), wrong, Buffer.from('junk'), row(2), row(3).subarray(0, 12)]),
    );
    expect(stream('ATTITUDE.attitude').sample_count).toBe(2);
    expect(episode.findings).toMatchObject([
      { code: 'file_corrupt' },
      { code: 'file_truncated' },
      { code: 'clock_utc' },
    ]);
  });

  it('are recognised by their content under any name, and nothing else is', async () => {
    const log = new MavlinkBytes().message(start_us, 'ATTITUDE', { time_boot_ms: 1 }).bytes();
    expect((await readLog(log, 'log.xyz')).sets).toMatchObject([{ format: 'mavlink' }]);
    await expect(readLog(Buffer.from('x'.repeat(500)), 'other.tlog')).rejects.toThrow(
      'not in a supported format',
    );
  });
});
