import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { companionCode, type Finding } from '#core/episode';
import { temporaryFolder } from '#test/support/lerobot-set';
import { NamedFiles } from '../../shared/named-files.ts';
import { discover, reopen } from '../discover.ts';
import { isTrainingKey } from './file-roles.ts';
import { findMentions } from './json-facts.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\0\0\0\0isommp42')]);
const hdf5 = Buffer.from('\x89HDF\r\n\x1a\n damaged', 'latin1');
const number = (i: number) => String(i).padStart(6, '0');
const frames = (folder: string, count = 12): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/${number(i)}.png`, png]));
const rows = (count: number, row: (i: number) => string, header = '') =>
  `${header}${Array.from({ length: count }, (_, i) => row(i)).join('\n')}\n`;

const rowsOf = <Row>(count: number, row: (i: number) => Row): Row[] =>
  Array.from({ length: count }, (_, i) => row(i));

async function folderWith(files: Files): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Returns the episodes that are sent to review because of files beside them, and the warnings of their datasets. */
async function findAccused(
  files: Files,
): Promise<{ episodes: string[]; warnings: Finding[]; rest: readonly Finding[] }> {
  const { datasets, findings } = await discover(await folderWith(files));
  const episodes: string[] = [];
  for (const { dataset } of datasets)
    for (const unit of dataset.units)
      for await (const item of dataset.read(unit, {}))
        if (
          !('unreadable' in item) &&
          item.findings.some(({ code, severity }) => code === companionCode && severity === 'error')
        )
          episodes.push(item.id);
  const warnings = datasets.flatMap(({ dataset }) =>
    dataset.findings.filter(({ code }) => code === companionCode),
  );
  return { episodes, warnings, rest: findings };
}

const names = Array.from({ length: 12 }, (_, i) => `rgb/${number(i)}.png`);

/** Files that belong to recordings: the title, the files, the unread file that is named, episodes concerned. */
const halves: readonly (readonly [string, Files, string, number])[] = [
  [
    'JSON that names the pictures',
    {
      ...frames('e/rgb'),
      'e/data.json': JSON.stringify({ data: names.map((rgb, i) => ({ rgb, q: [i, 2 * i] })) }),
    },
    'e/data.json',
    12,
  ],
  [
    'a table that names the pictures',
    { ...frames('rgb'), 'poses.csv': rows(12, (i) => `${names[i]},${i},0`, 'image,x,y\n') },
    'poses.csv',
    12,
  ],
  [
    'a text that names the pictures with times',
    { ...frames('rgb'), 'rgb.txt': rows(12, (i) => `13050311.${i} ${names[i]}`) },
    'rgb.txt',
    12,
  ],
  [
    'a label file named by another tool',
    {
      'a.png': png,
      'b.png': png,
      'c.png': png,
      'labels/a.txt': 'x y z',
      'labels/b.txt': 'x y z',
      'labels/c.txt': 'x y z',
    },
    'labels/a.txt',
    3,
  ],
  [
    'labels beside some pictures',
    {
      'img/a.png': png,
      'img/b.png': png,
      'ann/a.png.json': JSON.stringify({ instances: [{ className: 'cup' }] }),
    },
    'ann/a.png.json',
    1,
  ],
  ['arrays of the same names', { 'e/cam.mp4': mp4, 'e/cam.npz': 'PK', 'f/other.mp4': mp4 }, 'e/cam.npz', 1],
  [
    'a file that cannot be opened',
    { '0.mp4': mp4, '0.hdf5': hdf5, '1.mp4': mp4, '1.hdf5': hdf5 },
    '0.hdf5',
    2,
  ],
  [
    'a table with a row per picture',
    { ...frames('cam'), 'log.csv': rows(12, (i) => `${i / 10},1`, 'arm,hand\n') },
    'log.csv',
    12,
  ],
  [
    'numbers with a line per picture',
    { ...frames('cam'), 'gt.txt': rows(12, (i) => `${i} 0 1 0.5`) },
    'gt.txt',
    12,
  ],
  [
    'a timed table beside a video',
    { 'e/front.mp4': mp4, 'e/arm.csv': rows(300, (i) => `${i / 100},1,2`, 'time,j1,j2\n') },
    'e/arm.csv',
    1,
  ],
  [
    'a task text beside a video',
    { 'e/front.mp4': mp4, 'e/instruction.txt': 'pick up the cup' },
    'e/instruction.txt',
    1,
  ],
  [
    'poses two levels above the frames, by time',
    {
      ...frames('e/cams/left'),
      'e/groundtruth.txt': rows(40, (i) => `${i / 100} 0 0 ${i} 1`),
    },
    'e/groundtruth.txt',
    12,
  ],
  [
    'times of frames',
    { ...frames('00/image_0'), '00/times.txt': rows(12, (i) => (i / 10).toExponential(6)) },
    '00/times.txt',
    12,
  ],
  [
    'JSON lines after a header',
    {
      'ep0.mp4': mp4,
      'ep0.jsonl': rows(50, (i) => JSON.stringify({ t: i, qpos: [i, 1, 2] }), '{"type":"header","fps":30}\n'),
    },
    'ep0.jsonl',
    1,
  ],
  [
    'poses by picture number',
    { ...frames('rgb'), 'gt.yml': rows(12, (i) => `${i}:\n- cam_R_m2c: [1, 0, 0]`) },
    'gt.yml',
    12,
  ],
  [
    'a task by its name in JSON',
    { 'e.mp4': mp4, 'info.json': JSON.stringify({ video: 'e.mp4', task: 'pick up the cup' }) },
    'info.json',
    1,
  ],
  ['pickles beside frames', { ...frames('e/cam'), 'e/robot.pkl': '\x80\x04' }, 'e/robot.pkl', 12],
  [
    'as many files as pictures',
    { ...frames('cam'), ...Object.fromEntries(names.map((_, i) => [`scans/s${i}_x.dat`, 'x'])) },
    'scans/s0_x.dat',
    12,
  ],
];

/** Files that belong to none. */
const others: readonly (readonly [string, Files])[] = [
  [
    'a readme that shows pictures',
    { ...frames('docs'), 'README.txt': rows(12, (i) => `see docs/${number(i)}.png`) },
  ],
  [
    'notes that name a picture',
    { 'fig.png': png, 'notes.txt': 'First run.\nSee fig.png for the plot.\nLoss fell.\n' },
  ],
  [
    'a list of files with sizes and hashes',
    {
      ...frames('rgb'),
      'files.json': JSON.stringify(
        names.map((path) => ({ path, size: png.length, sha256: 'ab'.repeat(32) })),
      ),
    },
  ],
  ['checksums', { ...frames('rgb'), 'sums.txt': rows(12, (i) => `${'ab'.repeat(32)}  ${names[i]}`) }],
  ['sizes', { ...frames('rgb'), 'sizes.txt': rows(12, (i) => `${png.length} ${names[i]}`) }],
  [
    'a table of sources',
    {
      ...frames('rgb'),
      'SOURCES.tsv': rows(12, (i) => `${names[i]}\t68\tabc\tMIT`, 'path\tsize\tcommit\tlicence\n'),
    },
  ],
  [
    'frame times of a video',
    {
      'a.mp4': mp4,
      'a.mp4.json': JSON.stringify(
        Array.from({ length: 30 }, (_, i) => ({ pts_time: i / 30, duration_time: 1 / 30 })),
      ),
    },
  ],
  [
    'settings and class names',
    { ...frames('rgb'), 'config.yaml': 'video: rgb/000000.png', 'classes.txt': 'cup\nplate' },
  ],
  [
    'names of classes',
    { 'label.png': png, 'label_names.txt': 'cup\nplate\n', ...frames('rgb'), 'rgb/label_names.txt': 'cup\n' },
  ],
  [
    'files of tools, named like the recordings',
    {
      'a.mp4': mp4,
      'a.mp4.dvc': 'outs:\n- md5: 0123\n',
      'a.mp4.sha1': 'ab'.repeat(20),
      'a.mp4.lock': 'x',
      'a.zip': 'PK',
      'a.wav': 'RIFF',
      'a.pt': 'PK',
      'a.xmp': '<x:xmpmeta/>',
    },
  ],
  [
    'calibrations, statistics and settings',
    {
      'left.mp4': mp4,
      'left.yaml': 'K: [1, 0, 320, 0, 1, 240, 0, 0, 1]\n',
      'calibration.npz': 'PK',
      'camera_intrinsics.json': JSON.stringify({ fx: 1, K: [1, 0, 320, 0, 1, 240, 0, 0, 1, 0] }),
      'stats.json': JSON.stringify({ action: { mean: [1, 2, 3, 4, 5, 6, 7], std: [1, 2, 3, 4, 5, 6, 7] } }),
      'norm_stats.pkl': '\x80\x04',
      'config.json': JSON.stringify({ lr: 0.1, betas: [0.9, 0.95] }),
      'trainer_state.json': JSON.stringify({ log_history: rowsOf(30, (i) => ({ step: i, loss: 0.5 })) }),
      'labels.txt': 'cup\nplate\n',
      'package.xml': '<package format="3"><name>left.mp4</name></package>',
    },
  ],
  [
    'as many checkpoints as videos',
    Object.fromEntries(
      Array.from({ length: 5 }, (_, i) => [
        [`v/${i}.mp4`, mp4],
        [`ckpt/step_${i}00.pt`, 'PK'],
        [`ckpt/model_${i}00.pkl`, 'PK'],
      ]).flat(),
    ) as Files,
  ],
  [
    'class names and files of tools beside a video',
    {
      'e.mp4': mp4,
      'label_map.json': JSON.stringify({ 0: 'cup', 1: 'plate' }),
      'labels.json': JSON.stringify(['cup', 'plate']),
      'id2label.json': JSON.stringify({ 0: 'cup' }),
      'tasks.json': JSON.stringify({ version: '2.0.0', tasks: [{ label: 'build', command: 'make' }] }),
      'state.json': JSON.stringify({ state: 'ok' }),
    },
  ],
  [
    'remarks named like a video',
    {
      'ep0.mp4': mp4,
      'ep0_log.txt': 'started\nfinished\n',
      'ep0.txt': '# nothing yet\n',
      'ep0_notes.txt': 'fine',
    },
  ],
  [
    'a log of training and of the load of a machine',
    {
      'eval.mp4': mp4,
      'train.csv': rows(30, (i) => `${i},${i},0.5`, 'time,step,loss\n'),
      'load.csv': rows(30, (i) => `${i},${i},0.5`, 'timestamp,cpu_percent,x\n'),
    },
  ],
  [
    'a list with one number more or less than pictures',
    { ...frames('rgb'), 'spans.csv': rows(11, (i) => `${i},0.5`, 'a,b\n') },
  ],
  ['indices of pictures', { ...frames('rgb'), 'val.txt': rows(12, (i) => `${i}`) }],
  [
    'as many numbers as pictures',
    { ...frames('rgb'), 'bins.json': JSON.stringify({ bins: names.map((_, i) => i) }) },
  ],
  [
    'documents that name one picture',
    {
      'icon.png': png,
      'package.json': JSON.stringify({ name: 'x', scripts: {}, icon: 'icon.png', state: 'ok' }),
      'icon.png.json': JSON.stringify({ title: 'icon.png', photoTakenTime: { timestamp: '1' } }),
      'exif.json': JSON.stringify([{ SourceFile: 'icon.png', FNumber: 2.8, GPSLatitude: 1 }]),
      'probe.json': JSON.stringify({ streams: [{ codec_name: 'png' }], format: { filename: 'icon.png' } }),
      'site.json': JSON.stringify({ title: 'Robots', logo: 'icon.png' }),
    },
  ],
  [
    'the list of topics of a recording',
    {
      'a.bag': '#ROSBAG V2.0\n',
      'a.json': JSON.stringify(rowsOf(30, (i) => ({ name: `/t${i}`, type: 'x', count: i, frequency: 10 }))),
    },
  ],
  [
    'signals of somebody else in a folder of the same form',
    { 'alice/cam/0.png': png, 'bob/cam/1.png': png, 'alice/cam/1.npz': 'PK' },
  ],
  ['another image format', { 'a.png': png, 'a.svg': '<svg/>' }],
  [
    'tables elsewhere',
    { 'docs/a.png': png, 'docs/b.png': png, 'results/run.csv': rows(50, (i) => `${i},0.5`, 'epoch,loss\n') },
  ],
  ['an empty file', { 'a.mp4': mp4, 'a.json': '' }],
];

describe('files beside recordings', () => {
  it.each(halves)('belong to them: %s', async (_, files, named, count) => {
    const { episodes, warnings, rest } = await findAccused(files);
    expect(episodes).toHaveLength(count);
    expect(warnings.map(({ severity }) => severity)).toEqual(['warning']);
    expect(warnings[0].message).toContain(named);
    expect(warnings[0].advice).toMatch(/assay map init|COCO/);
    expect(
      rest.filter(({ advice, message }) => advice.startsWith('nothing to do') && message.includes(named)),
    ).toEqual([]);
  });

  it.each(others)('belong to something else: %s', async (_, files) => {
    expect(await findAccused(files)).toMatchObject({ episodes: [], warnings: [] });
  });

  it('are known again when the dataset is opened in another thread', async () => {
    const folder = await folderWith({ ...frames('e/rgb'), 'e/robot.pkl': '\x80\x04' });
    const { datasets } = await discover(folder);
    const { path, recognition, companions } = datasets[0];
    const again = await reopen(folder, JSON.parse(JSON.stringify({ path, recognition, companions })));
    expect(again.findings).toEqual(datasets[0].dataset.findings);
  });

  it('are judged by those named alike where there are too many to read', async () => {
    const count = 60;
    const text = (i: number) => JSON.stringify({ q: [i, 1], rgb: `cam/${number(i)}.png` });
    const files = Array.from({ length: count }, (_, i) => [`e${i}/cam/${number(i)}.png`, png] as const);
    const data = Array.from({ length: count }, (_, i) => [`e${i}/data.json`, text(i)] as const);
    const { episodes, warnings } = await findAccused(Object.fromEntries([...files, ...data]));
    expect(episodes).toHaveLength(count);
    expect(warnings[0].message).toContain(`${count} files`);
  });

  it('may be previews that a camera wrote, which are neither recordings nor parts of them', async () => {
    const { datasets } = await discover(
      await folderWith({ 'GH01.MP4': mp4, 'GH01.LRV': mp4, 'GH01.THM': png, 'DJI_1.LRF': mp4 }),
    );
    expect(datasets.map(({ recognition }) => recognition.files)).toEqual([['GH01.MP4']]);
    expect(datasets[0].companions).toBeUndefined();
  });

  it('are judged by those named alike although the names are UUIDs, in linear time', async () => {
    const count = 1200;
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    const { episodes } = await findAccused(
      Object.fromEntries(
        ids.flatMap((id) => [
          [`${id}/cam.mp4`, mp4],
          [`${id}/data.json`, JSON.stringify({ states: Array.from({ length: 12 }, (_, i) => [i, 1]) })],
        ]),
      ),
    );
    expect(episodes).toHaveLength(count);
  });

  it('that are damaged are reported as such as well', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 123456\n`;
    const { episodes, rest } = await findAccused({ 'a.mp4': mp4, 'a.csv': pointer, 'a.npz': pointer });
    expect(episodes).toHaveLength(1);
    expect(rest.filter(({ code }) => code === 'lfs_pointer')).toMatchObject([
      { message: '2 files are Git LFS pointers, not the actual files: a.csv, a.npz' },
    ]);
  });

  it('are named by their format if it is known', async () => {
    const instances = [{ className: 'cup', type: 'bbox' }];
    const { warnings } = await findAccused({ 'a.png': png, 'ann/set.json': JSON.stringify({ instances }) });
    expect(warnings[0].message).toContain('SuperAnnotate labels');
    expect(warnings[0].advice).toContain('COCO');
  });

  it('may be a recording that is assessed on its own, of which a video shows the same', async () => {
    const bag = '#ROSBAG V2.0\n';
    const { datasets } = await discover(await folderWith({ 'a.mp4': mp4, 'b.mp4': mp4, 'a.bag': bag }));
    const videos = datasets.find(({ recognition }) => recognition.format === 'videos');
    expect(videos?.companions).toMatchObject([{ files: ['a.bag'], is_assessed: true, episodes: ['a.mp4'] }]);
    expect(videos?.dataset.findings.map(({ code }) => code)).toEqual(['recording_in_two_datasets']);
    expect(datasets.find(({ recognition }) => recognition.format === 'rosbag')?.companions).toBeUndefined();
  });

  it('are searched in linear time, whatever they hold', () => {
    const started = performance.now();
    expect(findMentions(`${'a.'.repeat(500_000)}png ${'b'.repeat(1_000_000)} c.jpg`)).toContain('c.jpg');
    expect(isTrainingKey(`${'loss_'.repeat(200_000)}\n`)).toBe(false);
    const files = new NamedFiles(
      Array.from({ length: 20_000 }, (_, i) => `episode_${i % 1000}/rgb/frame_${Math.floor(i / 1000)}.jpg`),
    );
    for (let i = 0; i < 20_000; i++)
      expect(files.namesakes(`episode_${i % 1000}/labels`, `frame_${i % 20}`)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
