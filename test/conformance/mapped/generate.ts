/** Writes the inputs of this folder: node test/conformance/mapped/generate.ts */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { borrowConnection, returnConnection } from '../../../src/formats/shared/parquet/duck.ts';

function write(path: string, content: string): void {
  const place = join(import.meta.dirname, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
}

/** An arm of two joints and a gripper at about 50 Hz; rows end in CRLF, some values are missing, one row is short. */
function arm(rows: number, success: boolean): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const time_ns = 1_700_000_000_000_000_000n + BigInt(row * 20_000_000 + ((row * 7919) % 1000) * 1000);
    const grip = row < rows / 2 ? 0 : 1;
    const joint = row % 10 === 3 ? '' : Math.sin(row / 15).toFixed(6);
    const line = `${time_ns},${joint},${Math.cos(row / 15).toFixed(6)},${grip},${Math.sin((row + 2) / 15).toFixed(6)},"reach, then ""grasp""",${success}`;
    return row === 5 ? line.split(',').slice(0, 3).join(',') : line;
  });
  return `\ufefftime_ns,joint_1,joint_2,gripper,cmd_1,task,done\r\n${lines.join('\r\n')}\r\n`;
}

write('table-an-episode/input/log/run_1.csv', arm(60, true));
write('table-an-episode/input/log/run_2.csv', arm(40, false));
write(
  'table-an-episode/input/assay.map.yaml',
  `assay_map: 1
episodes: { files: "log/run_{episode}.csv" }
clocks: [{ column: time_ns, unit: ns, epoch: unix, provenance: header }]
streams:
  - { id: state, role: state, columns: ["joint_*", gripper], unit: rad, grippers: [{ column: gripper, open_value: 1, unit: "0..1" }] }
  - { id: action, role: action, columns: [cmd_1] }
videos: [{ id: front, files: "video/{episode}.mp4" }]
task: { column: task }
outcome: { column: done, success: true, failure: false }
robot: two-joint arm
`,
);

const rows = Array.from(
  { length: 30 },
  (_, row) => `${Math.floor(row / 10)};${(row / 20).toFixed(2).replace('.', ',')};${row % 7};`,
);
write('one-table/input/all.csv', `ep;t;a;b\n${rows.join('\n')}\n0;9,5;1;2\n`);
write(
  'one-table/input/assay.map.json',
  `${JSON.stringify(
    {
      assay_map: 1,
      episodes: { file: 'all.csv', column: 'ep' },
      csv: { decimal: ',' },
      clocks: [{ column: 't', unit: 's' }],
      streams: [{ id: 'signals', role: 'other', columns: ['a', 'b'] }],
    },
    null,
    2,
  )}\n`,
);

write(
  'parquet/input/assay.map.yaml',
  `assay_map: 1
episodes: { file: all.parquet, column: episode }
clocks: [{ column: at, unit: ns, epoch: unix, provenance: hardware }]
rate_hz: 100
streams:
  - { id: joints, role: state, columns: [q] }
  - { id: speed, role: vehicle, columns: [speed], unit: m/s }
outcome: { column: ok, success: 1 }
`,
);
const connection = await borrowConnection();
await connection.run(
  `COPY (SELECT 'run ' || (i // 25) AS episode, TIMESTAMP '2026-05-01 12:00:00' + to_microseconds(i * 10000 + i % 3 * 150) AS at,
    [i / 10, i / 5]::FLOAT[] AS q, CASE WHEN i % 4 = 0 THEN NULL ELSE i * 0.25 END AS speed, (i < 25)::INTEGER AS ok
    FROM range(60) r(i)) TO '${join(import.meta.dirname, 'parquet/input/all.parquet')}' (FORMAT parquet)`,
);
returnConnection(connection);
