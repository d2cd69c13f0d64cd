import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment, Receipt } from '#core/api';
import { verifyReceipt } from '#quality/readiness/documents';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { descendants, type Ran, runAssay } from './run-assay.ts';
import { folderBytes } from './support/folder-bytes.ts';
import { writeSet } from './support/lerobot-set.ts';
import { rounds } from './support/tiers.ts';

const data = resolve('../shared/data');
const g1 = join(data, 'lerobot-v21-g1-bottle');
const gr00t = join(data, 'lerobot-v20-gr00t-pick-place');
const absent = (path: string) => !existsSync(path);
const onLinux = process.platform === 'linux';
const asRoot = onLinux && process.getuid?.() === 0;

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

function parsed({ out }: Ran): Assessment {
  return JSON.parse(out);
}

/** Every file below a folder, relative and sorted. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function expectOnlyWholeReceipts(folder: string): void {
  if (!existsSync(folder)) return;
  for (const file of filesBelow(folder)) {
    expect(file).toMatch(/\.json$/);
    expect(verifyReceipt(readFileSync(join(folder, file))).problems).toEqual([]);
  }
}

function expectNoStack({ err, out }: Ran): void {
  expect(err + out).not.toMatch(/\n\s+at .*(:\d+:\d+|node:)/);
}

describe.skipIf(absent(g1))('assess on the recorded Unitree G1 set (needs ../shared/data)', () => {
  let out: string;
  let assessment: Assessment;
  let text: string;
  beforeAll(async () => {
    out = join(work, 'g1-out');
    const ran = await runAssay(['assess', g1, '--out', out, '--json']);
    expect(ran.code).toBe(0);
    text = ran.out;
    assessment = parsed(ran);
  }, 120_000);

  it('gives one receipt an episode, 35,965 frames in all', () => {
    expect(assessment.receipts).toHaveLength(100);
    expect(assessment.dataset.episodes).toBe(100);
    const frames = assessment.receipts.flatMap(({ streams }) => streams.filter(({ id }) => id === 'action'));
    expect(frames.reduce((sum, { sample_count }) => sum + sample_count, 0)).toBe(35_965);
  });

  it('names each of the 96 missing videos in its receipt', () => {
    const missing = assessment.receipts.filter(({ flags }) =>
      flags.some(({ code }) => code === 'camera_missing'),
    );
    expect(missing).toHaveLength(96);
    for (const receipt of missing) {
      const flag = receipt.flags.find(({ code }) => code === 'camera_missing');
      expect(flag?.message).toContain(`${receipt.episode.id}.mp4`);
    }
  });

  it('finds that at least a fifth of the frames repeat in the four episodes that have video', () => {
    const withVideo = assessment.receipts.filter(
      ({ flags }) => !flags.some(({ code }) => code === 'camera_missing'),
    );
    expect(withVideo.map(({ episode }) => episode.index)).toEqual([1, 2, 4, 5]);
    for (const { flags } of withVideo) {
      const repeats = flags.find(({ code }) => code === 'camera_frames_repeated');
      expect(repeats?.observed).toBeGreaterThanOrEqual(0.2);
    }
  });

  it('prints and writes the same bytes with one worker', { timeout: 120_000 }, async () => {
    const other = join(work, 'g1-one-worker');
    const again = await runAssay(['assess', g1, '--out', other, '--json', '--workers', '1']);
    expect(again.out === text).toBe(true);
    expect(folderBytes(other)).toEqual(folderBytes(out));
  });

  it('writes receipts that verify, also against the source, and a report that lists them', async () => {
    expect(filesBelow(join(out, 'receipts'))).toHaveLength(100);
    for (const receipt of assessment.receipts) {
      const written = readFileSync(join(out, 'receipts', `${receipt.episode.id}.json`), 'utf8');
      expect(JSON.parse(written)).toEqual(receipt);
    }
    expect(existsSync(join(out, 'index.html'))).toBe(true);
    expect(JSON.parse(readFileSync(join(out, 'assessment.json'), 'utf8')).episodes).toHaveLength(100);
    const sealed = await runAssay(['verify', join(out, 'receipts')]);
    expect([sealed.code, sealed.out]).toEqual([
      0,
      expect.stringContaining('100 receipts: all unchanged since they were sealed'),
    ]);
    const again = await runAssay(['verify', join(out, 'receipts/episode_000004.json'), '--source', g1]);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('again gives the same')]);
  });

  it('refuses a receipt whose source has changed, naming what differs', async () => {
    const copy = join(work, 'g1-copy');
    cpSync(g1, copy, { recursive: true, filter: (path) => !/videos/.test(path) });
    const own = join(work, 'g1-copy-out');
    await runAssay(['assess', copy, '--out', own, '--limit', '3']);
    const info = join(copy, 'meta/info.json');
    writeFileSync(info, `${readFileSync(info, 'utf8')} `);
    const receipt = join(own, 'receipts/episode_000002.json');
    const verified = await runAssay(['verify', receipt, '--source', copy, '--json']);
    expect(verified.code).toBe(1);
    const { receipts } = JSON.parse(verified.out);
    expect(receipts[0].problems.join()).toContain('/sources/');
  });

  it('refuses a receipt with another decision, by the file or by its folder', async () => {
    const folder = join(work, 'edited');
    mkdirSync(folder);
    for (const { episode } of assessment.receipts.slice(0, 3))
      cpSync(join(out, 'receipts', `${episode.id}.json`), join(folder, `${episode.id}.json`));
    const file = join(folder, 'episode_000002.json');
    const receipt: Receipt = JSON.parse(readFileSync(file, 'utf8'));
    expect((await runAssay(['verify', file])).code).toBe(0);
    writeFileSync(
      file,
      JSON.stringify({ ...receipt, decision: receipt.decision === 'accept' ? 'review' : 'accept' }),
    );
    expect((await runAssay(['verify', file])).code).toBe(1);
    const verified = await runAssay(['verify', folder]);
    expect(verified.code).toBe(1);
    expect(verified.out).toContain('3 receipts: 1 failed');
  });

  it('exits 1 when asked to fail on rejected episodes', async () => {
    const ran = await runAssay(['assess', g1, '--limit', '1', '--fail-on', 'reject']);
    expect(ran.code).toBe(1);
  });
});

describe.skipIf(absent(gr00t))('assess on the GR00T set whose metadata lies (needs ../shared/data)', () => {
  it('says so as findings of the dataset and judges its 5 episodes and 2,096 frames', async () => {
    const ran = await runAssay(['assess', gr00t, '--json']);
    const { dataset, receipts } = parsed(ran);
    expect(ran.code).toBe(0);
    expect(receipts).toHaveLength(5);
    const lengths = receipts.map(({ streams }) => streams.find(({ id }) => id === 'action')?.sample_count);
    expect(lengths).toEqual([416, 470, 470, 412, 328]);
    const said = dataset.findings.map(({ message }) => message).join('\n');
    for (const lie of ['observation.images.egoview', 'total_videos is 2', 'total_chunks is 0', '0:100']) {
      expect(said).toContain(lie);
    }
    const cameras = dataset.findings.filter(({ code }) => code.startsWith('camera'));
    expect(cameras.map(({ code }) => code)).toEqual(['camera_without_files', 'camera_stats_none']);
    // GR00T selects frames by index and does not read the second camera; LeRobot's refusals are information.
    expect(dataset.decisions).toEqual({ accept: 5, review: 0, reject: 0 });
    const [{ loads, usability }] = dataset.parts;
    expect(loads).toMatchObject({ loaders: ['gr00t'], choice: 'detected', marker: 'meta/modality.json' });
    expect(loads?.why.map(({ rule, does }) => [rule, does])).toEqual([
      ['path_template_wrong', 'refuses_rows'],
    ]);
    const others = loads?.others.map(({ loader, why }) => [loader, why.map(({ rule }) => rule)]);
    expect(others).toContainEqual(['gr00t-n1.5', ['path_template_wrong', 'timestamps_start_late']]);
    expect(usability).toMatchObject({ verdict: 'usable_after_fix', usable_episodes: 5 });
  });

  it('judges by the loader that is asked for', async () => {
    const ran = await runAssay(['assess', gr00t, '--loader', 'lerobot-0.3', '--limit', '1', '--json']);
    const { dataset } = parsed(ran);
    expect(dataset.decisions).toEqual({ accept: 0, review: 0, reject: 1 });
    expect(dataset.parts[0].loads).toMatchObject({ reader: 'LeRobot v2.1', choice: 'requested' });
    expect(dataset.findings).toContainEqual(
      expect.objectContaining({ code: 'camera_without_files', severity: 'blocking' }),
    );
  });
});

describe.skipIf(absent(data))('input that cannot be read (needs ../shared/data)', () => {
  const malformed = [
    'lerobot-malformed-omx',
    'lerobot-malformed-omx/dataset',
    'lerobot-malformed-omx/franka_pickplace',
    'malformed',
  ];
  it.each(malformed)('%s ends with exit code 3 and a message, without a stack', async (name) => {
    const ran = await runAssay(['assess', join(data, name)]);
    expect(ran.code).toBe(3);
    expect(ran.err).toMatch(/assay: (Input could not be read|Recording format not recognised)/);
    expectNoStack(ran);
  });

  it.each(['images', 'mcap'])('one bad file in %s costs one finding', async (name) => {
    const ran = await runAssay(['assess', join(data, name), '--json']);
    expect(ran.code).toBe(0);
    expectNoStack(ran);
    const { dataset, receipts } = parsed(ran);
    expect(receipts.length).toBeGreaterThan(20);
    expect(dataset.findings.length + dataset.unreadable).toBeGreaterThan(0);
    for (const { path, message } of dataset.findings) expect(path ?? message).not.toBe('');
  });
});

describe('paths that hold nothing to read', () => {
  it('a wrong path ends with exit code 3 and names it', async () => {
    const ran = await runAssay(['assess', join(work, 'nowhere'), '--out', join(work, 'nowhere-out')]);
    expect(existsSync(join(work, 'nowhere-out'))).toBe(false);
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('nowhere');
    expectNoStack(ran);
  });

  it('an empty file with the name of a recording ends with exit code 3 and is named as empty', async () => {
    const folder = join(work, 'zero');
    mkdirSync(folder);
    writeFileSync(join(folder, 'run.mcap'), '');
    for (const path of [folder, join(folder, 'run.mcap')]) {
      const ran = await runAssay(['assess', path]);
      expect(ran.code).toBe(3);
      expect(ran.err).toContain('run.mcap is empty (0 bytes)');
      expectNoStack(ran);
    }
  });

  it.skipIf(process.platform === 'win32')('a folder of links to itself ends with exit code 3', async () => {
    const folder = join(work, 'loop');
    mkdirSync(join(folder, 'inner'), { recursive: true });
    symlinkSync(folder, join(folder, 'inner/back'));
    symlinkSync('self.mcap', join(folder, 'self.mcap'));
    const ran = await runAssay(['assess', folder]);
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('link');
    expectNoStack(ran);
  });

  it.skipIf(!asRoot)(
    'what may not be read of a set is told as that (needs root to become another user)',
    async () => {
      const set = join(work, 'partly-closed');
      cpSync(await writeSet({ layout: 'v2', episodes: 3 }), set, { recursive: true });
      const table = 'data/chunk-000/episode_000001.parquet';
      for (const folder of [work, set]) chmodSync(folder, 0o755);
      chmodSync(join(set, table), 0);
      const other = { uid: 65534, env: { HOME: '/nonexistent' } };
      const judged = await runAssay(['assess', set], other);
      expect(judged.out.replace(/\s+/g, ' ')).toContain(
        `cannot read the data file ${table}: permission denied`,
      );
      expect(judged.out).toContain('Get read permission for the file');
      const fixed = await runAssay(['fix', set], other);
      expect([fixed.code, fixed.err]).toEqual([3, expect.stringContaining(`no permission to read ${table}`)]);
      expectNoStack(fixed);
      chmodSync(join(set, 'data'), 0);
      const closed = await runAssay(['assess', set], other);
      expect([closed.code, closed.err]).toEqual([3, expect.stringContaining('no permission to read data')]);
    },
  );

  it.skipIf(!asRoot)(
    'what may not be read of a set of any format is told as that (needs root to become another user)',
    async () => {
      const other = { uid: 65534, env: { HOME: '/nonexistent' } };
      chmodSync(work, 0o755);
      for (const path of ['data/action/0.0', 'data/img']) {
        const set = join(work, `closed-${basename(path)}`);
        cpSync(join(import.meta.dirname, 'conformance/zarr/pusht/input'), set, { recursive: true });
        chmodSync(join(set, path), 0);
        const { code, err } = await runAssay(['assess', set], other);
        expect([code, err]).toEqual([3, expect.stringContaining(`no permission to read ${path}`)]);
        const fixed = await runAssay(['fix', set], other);
        if (path === 'data/img') expect(fixed.err).toContain(`permission denied: ${path}`);
      }
    },
  );

  it.skipIf(!asRoot)(
    'a folder without permission ends with exit code 3 (needs root to become another user)',
    async () => {
      const folder = join(work, 'closed');
      mkdirSync(join(folder, 'inside'), { recursive: true });
      chmodSync(work, 0o755);
      chmodSync(folder, 0o700);
      const ran = await runAssay(['assess', folder], { uid: 65534, env: { HOME: '/nonexistent' } });
      expect(ran.code).toBe(3);
      expect(ran.err).toMatch(/permission denied/i);
      expectNoStack(ran);
    },
  );

  it('a command that is not understood exits 2', async () => {
    for (const args of [
      ['asses', 'x'],
      ['assess'],
      ['assess', 'x', '--workers', 'many'],
      ['assess', 'x', '--kind', 'boat'],
    ]) {
      const ran = await runAssay(args);
      expect(ran.code).toBe(2);
      expectNoStack(ran);
    }
  });

  it('an unknown loader is a usage error that lists the loaders', async () => {
    const ran = await runAssay(['assess', await writeSet(), '--loader', 'gr00t,lerobot-9']);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('lerobot-9');
    expect(ran.err).toContain('lerobot-0.4 (LeRobot v3.0), openpi, gr00t (GR00T N1.7)');
    expectNoStack(ran);
  });
});

describe.skipIf(absent(g1))('the output folder (needs ../shared/data)', () => {
  it('refuses a folder that holds other files, or the recordings, or lies in them', async () => {
    const out = join(work, 'mine');
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'thesis.txt'), 'precious');
    const cases = [
      [g1, out],
      [g1, join(g1, 'report')],
      [g1, data],
    ];
    for (const [source, to] of cases) {
      const ran = await runAssay(['assess', source, '--out', to, '--limit', '1']);
      expect(ran.code).toBe(2);
      expectNoStack(ran);
    }
    expect(readdirSync(out)).toEqual(['thesis.txt']);
    expect(existsSync(join(g1, 'report'))).toBe(false);
  });

  it.each([
    ['export', g1],
    ['certify', g1, '--target', 'behaviour-cloning'],
    ['annotate', g1, '--layers', 'segments'],
    ['fix', g1],
    ['demo'],
    ['mcp', g1],
  ])('is a folder for %s too: onto a file it is usage, and the file stays', async (...args) => {
    const file = join(work, 'a-file');
    writeFileSync(file, 'mine');
    const ran = await runAssay([...args, '--out', file]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(/a-file\S* is a file/)]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('writes over an earlier assessment and leaves nothing of it', async () => {
    const set = await writeSet({ layout: 'v2', episodes: 3 });
    const out = join(work, 'twice');
    await runAssay(['assess', set, '--out', out]);
    const ran = await runAssay(['assess', set, '--out', out, '--limit', '2']);
    expect(ran.code).toBe(0);
    expect(filesBelow(join(out, 'receipts'))).toEqual(['episode_000000.json', 'episode_000001.json']);
  });

  it.skipIf(!asRoot)(
    'a full disk ends with exit code 4, advice, and only whole receipts (needs root to mount a small disk)',
    async ({ skip }) => {
      const disk = join(work, 'disk');
      mkdirSync(disk);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'ignore' });
      } catch {
        skip('mounting is not permitted here');
      }
      const set = join(work, 'many');
      await generateNumericSet(set, 200, 30);
      try {
        for (const workers of ['2', '1'].slice(0, rounds(1, 2))) {
          const out = join(disk, 'out');
          const ran = await runAssay(['assess', set, '--out', out, '--workers', workers]);
          expect(ran.code).toBe(4);
          expect(ran.err).toContain('free some space');
          expectNoStack(ran);
          expectOnlyWholeReceipts(join(out, 'receipts'));
          expect(existsSync(join(out, 'assessment.json'))).toBe(false);
          rmSync(out, { recursive: true });
        }
      } finally {
        execFileSync('umount', [disk]);
      }
    },
  );
});

describe.skipIf(absent(g1) || !onLinux)('interruptions (needs ../shared/data and /proc)', () => {
  /** Two episodes with video are among them. */
  const limit = 3;
  const some = ['--limit', String(limit)];

  /** Waits for a decoder process to work, then calls. */
  function whenDecoding(pid: number, act: (decoders: number[]) => void): void {
    const timer = setInterval(() => {
      const decoders = descendants(pid).filter(({ command }) => /media.child/.test(command));
      if (decoders.length === 0) return;
      clearInterval(timer);
      setTimeout(() => act(decoders.map((decoder) => decoder.pid)), 150);
    }, 10);
  }

  it('goes on when the decoder process is killed in the middle, and leaves no process behind', async () => {
    let killed = 0;
    let pid = 0;
    const ran = await runAssay(['assess', g1, '--json', ...some], {
      onStart: (child) => {
        pid = child.pid!;
        whenDecoding(pid, (decoders) => {
          for (const decoder of decoders) {
            process.kill(decoder, 'SIGKILL');
            killed++;
          }
        });
      },
    });
    expect(killed).toBeGreaterThan(0);
    expect(ran.code).toBe(0);
    expect(parsed(ran).receipts).toHaveLength(limit);
    expect(descendants(pid)).toEqual([]);
  });

  it.each((['SIGTERM', 'SIGINT'] as const).slice(0, rounds(1, 2)))(
    'ends cleanly on %s: exit code 4, no process, no temporary file, only whole receipts',
    async (signal) => {
      const temp = join(work, `temp-${signal}`);
      const out = join(work, `out-${signal}`);
      mkdirSync(temp);
      let children: number[] = [];
      const ran = await runAssay(['assess', g1, '--out', out, ...some], {
        env: { TMPDIR: temp },
        onStart: (child) => {
          whenDecoding(child.pid!, (decoders) => {
            children = decoders;
            child.kill(signal);
          });
        },
      });
      expect(ran.code).toBe(4);
      expect(ran.err).toContain('stopped');
      expect(children.length).toBeGreaterThan(0);
      for (const child of children) expect(() => process.kill(child, 0)).toThrow();
      expect(readdirSync(temp)).toEqual([]);
      expectOnlyWholeReceipts(join(out, 'receipts'));
      expect(existsSync(join(out, 'assessment.json'))).toBe(false);
    },
  );

  it('leaves no process and no temporary file when it is killed outright', async () => {
    const temp = join(work, 'temp-kill');
    mkdirSync(temp);
    let children: number[] = [];
    await runAssay(['assess', g1, ...some], {
      env: { TMPDIR: temp },
      onStart: (child) => {
        whenDecoding(child.pid!, (decoders) => {
          children = decoders;
          child.kill('SIGKILL');
        });
      },
    });
    await expect.poll(() => children.filter(isAlive), { timeout: 5000 }).toEqual([]);
    expect(readdirSync(temp)).toEqual([]);
  });

  function isAlive(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    } catch {
      return false;
    }
  }
});
