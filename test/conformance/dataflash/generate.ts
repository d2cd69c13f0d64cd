/**
 * Writes the inputs of the cases for ArduPilot DataFlash: a short flight with attitude, two IMUs, a receiver with a
 * date, a battery, texts, arming and dropped blocks; binary, as text, with junk in between and behind, in milliseconds as
 * older logs are, and without any word of units.
 * `node test/conformance/dataflash/generate.ts`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataflashBytes, type DataflashType } from '../../support/dataflash-bytes.ts';

const types: readonly DataflashType[] = [
  {
    ...{ id: 10, name: 'ATT', format: 'QccccCC', columns: 'TimeUS,DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw' },
    ...{ units: 'sddddhh', multipliers: 'FBBBBBB' },
  },
  {
    ...{ id: 11, name: 'IMU', format: 'QBffffff', columns: 'TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ' },
    ...{ units: 's#EEEooo', multipliers: 'F-000000' },
  },
  {
    ...{
      id: 12,
      name: 'GPS',
      format: 'QBBIHBcLLe',
      columns: 'TimeUS,I,Status,GMS,GWk,NSats,HDop,Lat,Lng,Alt',
    },
    ...{ units: 's#-s-S-DUm', multipliers: 'F--C-0BGGB' },
  },
  {
    id: 13,
    name: 'BAT',
    format: 'QBff',
    columns: 'TimeUS,Inst,Volt,Curr',
    units: 's#vA',
    multipliers: 'F-00',
  },
  { id: 14, name: 'DSF', format: 'QIHIIII', columns: 'TimeUS,Dp,Blk,Bytes,FMn,FMx,FAv' },
  { id: 15, name: 'MSG', format: 'QZ', columns: 'TimeUS,Message' },
  { id: 16, name: 'MODE', format: 'QMBB', columns: 'TimeUS,Mode,ModeNum,Rsn' },
  { id: 17, name: 'ARM', format: 'QBIBB', columns: 'TimeUS,ArmState,ArmChecks,Forced,Method' },
];

function flight(log = new DataflashBytes(types), from = 0, to = 40): DataflashBytes {
  if (from === 0)
    log.message('MSG', 8_000_000, 'ArduCopter V4.5.7 (2a3dc4b7)').message('MODE', 8_000_000, 5, 5, 1);
  for (let tenth = from; tenth < to; tenth++) {
    const time_us = 8_000_000 + tenth * 100_000;
    log.message('ATT', time_us, 100, tenth, 0, -tenth, 18_000, 18_000 + tenth);
    for (const instance of [0, 1]) log.message('IMU', time_us, instance, 0.25, tenth / 8, 0, 0, 0, -9.75);
    if (tenth % 10 !== 0) continue;
    log.message(
      'GPS',
      time_us,
      0,
      3,
      18_000 + tenth * 100,
      2243,
      12,
      80,
      472_000_000 + tenth,
      85_500_000,
      43_000,
    );
    log.message('BAT', time_us, 0, 16.5, 12);
    if (tenth === 10) log.message('ARM', time_us, 1, 0, 0, 0).message('DSF', time_us, 7, 0, 0, 0, 0, 0);
    if (tenth === 30) log.message('ARM', time_us, 0, 0, 0, 0);
  }
  return log;
}

function inMilliseconds(): DataflashBytes {
  const log = new DataflashBytes(
    [
      { id: 40, name: 'ATT', format: 'Icc', columns: 'TimeMS,Roll,Pitch' },
      { id: 41, name: 'GPS', format: 'BIHBLLI', columns: 'Status,TimeMS,Week,NSats,Lat,Lng,T' },
    ],
    false,
  );
  for (let tenth = 0; tenth < 20; tenth++) {
    log.message('ATT', 4000 + tenth * 100, tenth, -tenth);
    if (tenth % 10 === 0)
      log.message('GPS', 3, 16_000 + tenth * 100, 1800, 9, 472_000_000, 85_500_000, 4000 + tenth * 100);
  }
  return log;
}

const cases: Readonly<Record<string, readonly [file: string, content: Uint8Array | string]>> = {
  binary: ['flight.bin', flight().bytes()],
  text: ['00000012.LOG', flight().text()],
  junk: [
    'flight.bin',
    flight(flight(undefined, 0, 20).raw(Buffer.alloc(200, 0xa3)), 20)
      .raw(Buffer.alloc(400, 0xff))
      .bytes(),
  ],
  'power-cut': ['flight.bin', flight().bytes().subarray(0, -17)],
  milliseconds: ['old.bin', inMilliseconds().bytes()],
  unitless: ['flight.bin', flight(new DataflashBytes(types, false)).bytes()],
};
for (const [name, [file, content]] of Object.entries(cases)) {
  const folder = join(import.meta.dirname, name, 'input');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), content);
}
