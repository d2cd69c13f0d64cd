/** Writes the inputs of this folder: node test/conformance/mapped/generate.ts */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hdf5File, type WrittenGroup } from '@assay/hdf5/testing';
import { borrowConnection, returnConnection } from '../../../src/formats/shared/parquet/duck.ts';
import { tinyPng } from '../../support/case-files.ts';
import { jpegLike, moving, pixels } from '../../support/hdf5-recordings.ts';
import { npyBytes } from '../../support/npy-file.ts';
import { npzBytes } from '../../support/npz-file.ts';
import { gelloEpisode } from '../../support/gello-episodes.ts';
import { pickleBytes } from '../../support/pickle-file.ts';
import { egodexEpisode, robomindEpisode } from '../../support/preset-episodes.ts';
import { unitreeEpisode } from '../../support/unitree-episodes.ts';
import { addArray, type Files } from '../../support/zarr-files.ts';

function write(path: string, content: string | Uint8Array): void {
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

/** An arm in a layout of its own: joints at 50 Hz by the device's nanoseconds, JPEGs of variable length, a text. */
function labRecording(rows: number, stateRows = rows): WrittenGroup {
  const stamps = BigInt64Array.from(
    { length: rows },
    (_, row) => 1_700_000_000_000_000_001n + BigInt(row * 20_000_000 + ((row * 7919) % 1000) * 1000),
  );
  return {
    attributes: { success: true, fps: 50 },
    texts: { language_raw: ['put the apple in the bowl'] },
    arrays: { stamp: { values: stamps, shape: [rows] } },
    groups: {
      puppet: { arrays: { joint_position: moving(stateRows, 7), pose: { ...moving(rows, 16), shape: [rows, 4, 4] } } },
      master: { arrays: { joint_position: { ...moving(rows, 7), gzip_rows: 5 } } },
      images: { arrays: { top: pixels(rows) }, sequences: { wrist: Array.from({ length: rows }, (_, row) => jpegLike(row)) } },
    },
  };
}

write('hdf5/input/0/trajectory.hdf5', hdf5File(labRecording(24)));
write('hdf5/input/1/trajectory.hdf5', hdf5File(labRecording(12, 10)));
write('hdf5/input/2/trajectory.hdf5', hdf5File(labRecording(12)).subarray(0, 900));
write(
  'hdf5/input/assay.map.yaml',
  `assay_map: 1
episodes: { files: "{episode}/trajectory.hdf5" }
clocks: [{ column: stamp, unit: ns, epoch: unix, provenance: hardware }]
rate_hz: { path: "@fps" }
streams:
  - { id: joints, role: state, columns: [puppet/joint_position], unit: rad }
  - { id: pose, role: state, columns: [puppet/pose] }
  - { id: action, role: action, columns: [master/joint_position], unit: rad }
  - { id: hand, role: tactile, columns: [hand/touch], optional: true }
videos:
  - { id: top, column: images/top, colours: bgr }
  - { id: wrist, column: images/wrist }
  - { id: side, column: images/side, optional: true }
task: { path: language_raw }
outcome: { path: "@success", success: true }
robot: two arms
`,
);

const demonstrations = Object.fromEntries(
  [10, 2, 1].map((number): [string, WrittenGroup] => [
    `run_${number}`,
    {
      attributes: { lang: `task ${number}` },
      arrays: { q: moving(8 + number, 3), cmd: moving(8 + number, 3), views: pixels(8 + number) },
    },
  ]),
);
write('hdf5-groups/input/all.h5', hdf5File({ groups: { data: { attributes: { hz: 10 }, groups: demonstrations } } }));
write(
  'hdf5-groups/input/assay.map.yaml',
  `assay_map: 1
episodes: { file: all.h5, group: "data/run_{episode}" }
rate_hz: { path: "/data@hz" }
streams:
  - { id: state, role: state, columns: [q] }
  - { id: action, role: action, columns: [cmd] }
videos: [{ id: views, column: views }]
task: { path: "@lang" }
`,
);

/** Steps of an arm as records: a list of joints, a stamp in milliseconds, a picture in every other row. */
const steps = Array.from({ length: 20 }, (_, i) => ({
  t: 1_700_000_000_000 + i * 50 + (i % 3),
  arm: { q: [Math.sin(i / 9), i === 4 ? null : Math.cos(i / 9)], grip: i > 9 },
  cmd: [Math.sin((i + 2) / 9), Math.cos((i + 2) / 9)],
  ...(i % 2 === 0 ? { view: `pictures/${i}.png` } : {}),
}));
const session = JSON.stringify({ info: { fps: 20, goal: 'wipe the table', done: 'yes' }, steps });
write('json/input/run_1/log.json', session);
write('json/input/run_2/log.json', session.slice(0, session.indexOf('{"t":1700000000601')));
for (const run of ['run_1', 'run_2'])
  for (let i = 0; i < 18; i += 2) write(`json/input/${run}/pictures/${i}.png`, tinyPng);
write(
  'json/input/assay.map.yaml',
  `assay_map: 1
episodes: { files: "{episode}/log.json" }
rows: steps
rate_hz: { path: info.fps }
clocks: [{ column: t, unit: ms, epoch: unix }]
streams:
  - { id: arm, role: state, columns: [arm.q, arm.grip], grippers: [{ column: arm.grip, open_value: 1 }] }
  - { id: cmd, role: action, columns: [cmd] }
videos: [{ id: view, column: view }]
task: { path: info.goal }
outcome: { path: info.done, success: "yes" }
`,
);

write('json-lines/input/all.jsonl', steps.map((step, i) => `${JSON.stringify({ run: i >> 3, ...step })}\n`).join(''));
write(
  'json-lines/input/assay.map.yaml',
  `assay_map: 1
episodes: { file: all.jsonl, column: run }
streams: [{ id: state, role: state, columns: [arm.q] }]
`,
);

for (const [path, content] of Object.entries({
  ...unitreeEpisode('unitree/input/episode_0000', 12, ['color_0', 'color_2']),
  ...unitreeEpisode('unitree/input/episode_0003', 8, ['color_0', 'color_2']),
}))
  write(path, content);

/** Arrays of an arm as `numpy.save` writes them: float32 states, commands in Fortran order, raw pictures, a stamp. */
function armArrays(rows: number): Record<string, Uint8Array> {
  const { values } = moving(rows, 3);
  const columns = Float64Array.from({ length: rows * 2 }, (_, i) => Math.cos((i % rows) / 9 + Math.floor(i / rows)));
  const stamps = BigInt64Array.from({ length: rows }, (_, i) => 1_700_000_000_000_000_000n + BigInt(i * 33_000_000 + (i % 3)));
  const pictures = pixels(rows);
  return {
    qpos: npyBytes([rows, 3], new Uint8Array(Float32Array.from(values as Float64Array).buffer), { descr: '<f4' }),
    cmd: npyBytes([rows, 2], columns, { fortran: true }),
    stamp: npyBytes([rows], new Uint8Array(stamps.buffer), { descr: '<i8' }),
    top: npyBytes(pictures.shape ?? [rows], new Uint8Array(pictures.values.buffer), { descr: '|u1' }),
  };
}

const armMapping = (episodes: string, more = '') => `assay_map: 1
episodes: ${episodes}
clocks: [{ column: stamp, unit: ns, epoch: unix }]
streams:
  - { id: joints, role: state, columns: [qpos], unit: rad }
  - { id: action, role: action, columns: [cmd] }
videos: [{ id: top, column: top }]
${more}`;

const facts = {
  fps: npyBytes([], Float64Array.of(30), { shape: '()' }),
  goal: npyBytes([], Buffer.from('open the drawer'), { descr: '|S15', shape: '()' }),
  notes: npyBytes([1], new Uint8Array(8), { descr: '|O' }),
};
write('npz/input/ep_1.npz', npzBytes({ ...armArrays(14), ...facts }));
write('npz/input/ep_2.npz', npzBytes({ ...armArrays(12), ...facts }, { deflate: true }));
write('npz/input/ep_3.npz', npzBytes({ ...armArrays(12), qpos: facts.notes }));
write('npz/input/ep_4.npz', npzBytes(armArrays(12)).subarray(0, 2000));
write(
  'npz/input/assay.map.yaml',
  armMapping('{ files: "ep_{episode}.npz" }', 'rate_hz: { path: fps }\ntask: { path: goal }\n'),
);

const grouped = [10, 2].flatMap((ep) =>
  Object.entries(armArrays(6 + ep)).map(([name, bytes]) => [`episode_${ep}/${name}`, bytes] as const),
);
write('npz-groups/input/all.npz', npzBytes(Object.fromEntries(grouped)));
write('npz-groups/input/assay.map.yaml', armMapping('{ file: all.npz, group: "episode_{episode}" }'));

for (const [run, rows] of [['1', 12], ['2', 9]] as const)
  for (const [name, bytes] of Object.entries(armArrays(rows))) write(`npy/input/run_${run}/${name}.npy`, bytes);
write('npy/input/assay.map.yaml', armMapping('{ folders: "run_{episode}" }'));

// Steps of GELLO under names that every file system allows; the last one is cut off.
for (const [run, count] of [['1', 12], ['2', 9]] as const)
  for (const [step, bytes] of Object.values(gelloEpisode('', count)).entries())
    write(`pickle-steps/input/run_${run}/frame_${step}.pkl`, run === '2' && step === 8 ? bytes.subarray(0, 300) : bytes);
write(
  'pickle-steps/input/assay.map.yaml',
  `assay_map: 1
episodes: { folders: "run_{episode}", steps: "frame_*.pkl" }
rate_hz: 20
streams:
  - { id: joints, role: state, columns: [joint_positions, gripper_position] }
  - { id: control, role: action, columns: [control] }
videos:
  - { id: wrist, column: wrist_rgb }
  - { id: depth, role: depth, column: wrist_depth }
`,
);

const joints = { descr: 'f4', shape: [10, 2], values: Float32Array.from({ length: 20 }, (_, i) => i / 7) } as const;
write('pickle/input/a.pkl', pickleBytes({ obs: { q: joints }, action: Array.from({ length: 10 }, (_, i) => [i, -i]), fps: 15 }));
write('pickle/input/b.pkl', pickleBytes(Array.from({ length: 9 }, (_, i) => ({ obs: { q: [i, i / 2] }, action: [i, -i] }))));
write('pickle/input/c.pkl', "cos\nsystem\n(S'echo'\ntR.");
write(
  'pickle/input/assay.map.yaml',
  `assay_map: 1
episodes: { files: "{episode}.pkl" }
rate_hz: 15
streams:
  - { id: state, role: state, columns: [obs.q] }
  - { id: action, role: action, columns: [action] }
`,
);

for (const [step, record] of steps.entries()) {
  write(`json-steps/input/session/${step}.json`, step === 7 ? '{' : JSON.stringify(record));
  write(`json-steps/input/session/cam/${step}.png`, tinyPng);
}
write(
  'json-steps/input/assay.map.yaml',
  `assay_map: 1
episodes: { folders: "{episode}", steps: "*.json" }
clocks: [{ column: t, unit: ms, epoch: unix }]
streams:
  - { id: arm, role: state, columns: [arm.q, arm.grip] }
  - { id: cmd, role: action, columns: [cmd] }
videos: [{ id: cam, files: "{episode}/cam/*.png" }]
`,
);

for (const [path, content] of Object.entries({
  ...robomindEpisode('robomind/input/1014_144602', 14),
  ...robomindEpisode('robomind/input/1014_144755', 9),
  ...egodexEpisode('egodex/input/0', 12),
  ...egodexEpisode('egodex/input/1', 8),
}))
  write(path, content);

const zarr: Files = new Map<string, Uint8Array>([
  ['all.zarr/.zgroup', Buffer.from('{"zarr_format":2}')],
  ['all.zarr/.zattrs', Buffer.from('{"control_freq":20,"instruction":"open the drawer"}')],
]);
for (const [demo, length] of [
  ['demo_0', 40],
  ['demo_1', 25],
] as const) {
  const wave = (lag: number) => (at: number) => Math.sin((Math.floor(at / 2) + lag) / 8 + (at % 2));
  const at = `all.zarr/data/${demo}`;
  addArray(zarr, `${at}/obs/joint_pos`, { shape: [length, 2], chunks: [16, 2], dtype: '<f8', values: wave(0) });
  addArray(zarr, `${at}/actions`, { shape: [length, 2], chunks: [30, 1], order: 'F', values: wave(2) });
  const pixel = (i: number) => (i * 7) % 251;
  addArray(zarr, `${at}/obs/wrist`, { shape: [length, 16, 16, 3], chunks: [8, 16, 16, 3], dtype: '|u1', values: pixel });
}
for (const [path, content] of zarr) write(`zarr-groups/input/${path}`, content);
write(
  'zarr-groups/input/assay.map.yaml',
  `assay_map: 1
episodes: { folder: all.zarr, group: "data/demo_{episode}" }
rate_hz: { path: "/@control_freq" }
streams:
  - { id: joints, role: state, columns: [obs/joint_pos], unit: rad }
  - { id: action, role: action, columns: [actions], unit: rad }
videos: [{ id: wrist, column: obs/wrist }]
task: { path: "/@instruction" }
`,
);
