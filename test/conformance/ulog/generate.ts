/**
 * Writes the inputs of the cases for PX4 ULog: a short flight with attitude, a nested setpoint, two batteries, a
 * receiver with a date, texts, arming and a dropout; whole, with damaged bytes, with a crash dump appended behind a
 * message that was cut off, on a clock since 1970, and with a flag that nobody knows.
 * `node test/conformance/ulog/generate.ts`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stamped, UlogBytes } from '../../support/ulog-bytes.ts';

const boot_us = 20_000_000;
const dated_us = 1_700_000_000_000_000n;

const formats = [
  'vehicle_attitude:uint64_t timestamp;float[4] q;',
  'waypoint:float x;float y;uint8_t kind;uint8_t[3] _padding0;',
  'setpoint_path:uint64_t timestamp;waypoint[2] points;bool valid;uint8_t[7] _padding0;',
  'battery_status:uint64_t timestamp;float voltage_v;float current_a;',
  'vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;int32_t lat;int32_t lon;int32_t alt;uint8_t fix_type;',
  'vehicle_status:uint64_t timestamp;uint8_t arming_state;uint8_t nav_state;',
];
const topics = [
  'vehicle_attitude',
  'setpoint_path',
  'battery_status',
  'battery_status',
  'vehicle_gps_position',
  'vehicle_status',
];

function declared(start_us: number, appended: readonly bigint[] = []): UlogBytes {
  const log = new UlogBytes(BigInt(start_us)).flags(appended.length > 0 ? [1] : [], appended);
  for (const text of formats) log.format(text);
  log
    .information('char[3] sys_name', Buffer.from('PX4'))
    .information('char[8] ver_hw', Buffer.from('TEST_FMU'));
  log.information('int32_t SYS_AUTOSTART', Buffer.from([1, 0, 0, 0]), 'P');
  for (const [id, name] of topics.entries()) log.subscribe(name, id, id === 3 ? 1 : 0);
  return log;
}

function waypoint(x: number, y: number): Buffer {
  return Buffer.concat([stamped(0, x, y).subarray(8), Buffer.from([2, 0, 0, 0])]);
}

function fix(time_us: number, since_us: number): Buffer {
  const body = Buffer.alloc(21);
  body.writeBigUInt64LE(dated_us + BigInt(since_us), 0);
  body.writeInt32LE(472_000_000, 8);
  body.writeInt32LE(85_500_000, 12);
  body.writeInt32LE(430_000, 16);
  body[20] = 3;
  return Buffer.concat([stamped(time_us), body]);
}

/** Seconds `from` to `to` of the flight. */
function fly(log: UlogBytes, start_us: number, from: number, to: number, dated = true): UlogBytes {
  for (let tenth = from * 10; tenth < to * 10; tenth++) {
    const since_us = tenth * 100_000;
    const time_us = start_us + since_us;
    const turn = tenth / 50;
    log.data(0, stamped(time_us, Math.cos(turn), 0, 0, Math.sin(turn)));
    if (tenth % 5 === 0)
      log.data(
        1,
        Buffer.concat([stamped(time_us), waypoint(tenth, 1), waypoint(tenth, 2), Buffer.from([1])]),
      );
    if (tenth % 10 !== 0) continue;
    for (const id of [2, 3]) log.data(id, stamped(time_us, 16 - tenth / 100, 12));
    if (dated) log.data(4, fix(time_us, since_us));
    const armed = tenth >= 10 && tenth < 30 ? 2 : 1;
    log.data(5, Buffer.concat([stamped(time_us), Buffer.from([armed, armed === 2 ? 3 : 4])]));
    if (tenth === 20) log.text(BigInt(time_us), '[commander] halfway', '6').dropout(48).sync();
  }
  return log;
}

const whole = fly(declared(boot_us), boot_us, 0, 4);

function damaged(): UlogBytes {
  const log = fly(declared(boot_us), boot_us, 0, 2).raw(Buffer.alloc(333, 0xd5)).sync();
  return fly(log, boot_us, 2, 4);
}

function withCrashDump(): UlogBytes {
  const cut = Buffer.from([40, 0, 0x44, 0, 0, 1, 2, 3]);
  const length = fly(declared(boot_us, [1n]), boot_us, 0, 3).length + cut.length;
  const log = fly(declared(boot_us, [BigInt(length)]), boot_us, 0, 3).raw(cut);
  return log.text(BigInt(boot_us + 3_000_000), 'hard fault in wq:rate_ctrl', '2');
}

const since1970 = fly(declared(Number(dated_us)), Number(dated_us), 0, 2, false).data(
  0,
  stamped(0, 1, 0, 0, 0),
);

const cases: Readonly<Record<string, Uint8Array>> = {
  whole: whole.bytes(),
  damaged: damaged().bytes(),
  'crash-dump': withCrashDump().bytes(),
  'power-cut': whole.bytes().subarray(0, whole.length - 9),
  'since-1970': since1970.bytes(),
  'unknown-flag': new UlogBytes(BigInt(boot_us)).flags([0, 1]).bytes(),
};
for (const [name, bytes] of Object.entries(cases)) {
  const folder = join(import.meta.dirname, name, 'input');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'flight.ulg'), bytes);
}
