/**
 * Writes the inputs of the cases for MAVLink telemetry logs: a short flight in MAVLink 2 with a second vehicle, a ground
 * station and signed frames; the same in MAVLink 1; and one with corrupt bytes, a wrong checksum and a cut end.
 * `node test/conformance/mavlink/generate.ts`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MavlinkBytes } from '../../support/mavlink-bytes.ts';

const start_us = 1_750_000_000_000_000;
const armed = 0x80;
const station = { system: 255, component: 190 };

/** A flight of 4 s: heartbeats at 1 Hz, attitude and IMU at 10 Hz, positions at 5 Hz, arming after 1 s. */
function flight(version: 1 | 2, log = new MavlinkBytes()): MavlinkBytes {
  const sender = { version };
  for (let tenth = 0; tenth < 40; tenth++) {
    const boot_ms = 60_000 + tenth * 100;
    // Messages arrive 5 to 9 ms late.
    const time_us = start_us + tenth * 100_000 + 5000 + (tenth % 5) * 1000;
    if (tenth % 10 === 0) {
      const base_mode = tenth < 10 ? 1 : 1 | armed;
      log.message(time_us, 'HEARTBEAT', { type: 2, autopilot: 3, base_mode, custom_mode: tenth < 20 ? 0 : 5, mavlink_version: 3 }, sender);
      log.message(time_us, 'HEARTBEAT', { type: 6, autopilot: 8, mavlink_version: 3 }, { ...sender, ...station });
    }
    log.message(time_us, 'ATTITUDE', { time_boot_ms: boot_ms, roll: tenth / 8, pitch: -0.25, yawspeed: 0.5 }, sender);
    log.message(time_us, 'SCALED_IMU2', { time_boot_ms: boot_ms, xacc: tenth, zacc: -1000, ygyro: -250, zmag: 400 }, sender);
    log.message(time_us, 'SERVO_OUTPUT_RAW', { time_usec: boot_ms * 1000, servo1_raw: 1100 + tenth, servo9_raw: 1500 }, sender);
    log.message(time_us, 'RC_CHANNELS', { time_boot_ms: boot_ms, chancount: 8, chan1_raw: 1500, chan2_raw: 65_535, rssi: 255 }, sender);
    if (tenth % 2 !== 0) continue;
    const [lat, lon] = [472_000_000 + tenth, -85_000_000];
    log.message(time_us, 'GPS_RAW_INT', { time_usec: boot_ms * 1000, fix_type: 3, lat, lon, alt: 500_000 + tenth, eph: 85, epv: 65_535, vel: 250, cog: 9000, satellites_visible: 12 }, sender);
    log.message(time_us, 'GLOBAL_POSITION_INT', { time_boot_ms: boot_ms, lat, lon, alt: 500_000, relative_alt: tenth * 100, vx: 250, hdg: 65_535 }, sender);
    log.message(time_us, 'SYS_STATUS', { voltage_battery: 12_600, current_battery: -1, battery_remaining: 80 }, sender);
  }
  return log
    .message(start_us + 4_000_000, 'STATUSTEXT', { severity: 6, text: 'Landing complete' }, sender)
    .message(start_us + 4_000_000, 'PARAM_VALUE', { param_id: 'WPNAV_SPEED', param_value: 500, param_count: 1 }, sender);
}

function swarm(): MavlinkBytes {
  const log = flight(2);
  for (let i = 0; i < 20; i++) {
    const time_us = start_us + 4_100_000 + i * 100_000;
    log.message(time_us, 'ATTITUDE', { time_boot_ms: 64_100 + i * 100, roll: 1 }, { signed: true });
    log.message(time_us, 'ATTITUDE', { time_boot_ms: 1000 + i * 100, roll: -1 }, { system: 2 });
    if (i % 10 === 0) log.message(time_us, 'HEARTBEAT', { type: 1, autopilot: 12, base_mode: armed, custom_mode: 0x04040000, mavlink_version: 3 }, { system: 2 });
    log.unknown(time_us, 12_345, Uint8Array.of(1, 2, 3));
  }
  return log;
}

function damaged(): Buffer {
  const log = flight(2);
  const bytes = log.raw(Buffer.from('not a frame '.repeat(8))).bytes();
  const wrong = flight(1).bytes();
  wrong[20] ^= 0xff;
  return Buffer.concat([bytes, wrong.subarray(0, wrong.length - 7)]);
}

for (const [name, bytes] of [
  ['version-2', swarm().bytes()],
  ['version-1', flight(1).bytes()],
  ['damaged', damaged()],
] as const) {
  const input = join(import.meta.dirname, name, 'input');
  mkdirSync(input, { recursive: true });
  writeFileSync(join(input, 'flight.tlog'), bytes);
}
