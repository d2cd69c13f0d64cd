import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '#core/api';
import { type Ran, runAssay } from './run-assay.ts';

// Small inputs that once got a wrong answer, with the right one: ../shared/cases/README.md.
const cases = resolve('../shared/cases');
const there = existsSync(cases);

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'assay-cases-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const parsed = ({ out }: Ran): Assessment => JSON.parse(out);

describe.skipIf(!there)(
  'a camera whose only video file is a pointer (needs ../shared/cases)',
  { timeout: 180_000 },
  () => {
    const set = join(cases, 'lerobot-v3-lfs-pointer');

    it('makes no episode usable, and the gate says so', async () => {
      const ran = await runAssay(['assess', set, '--json', '--fail-on', 'reject']);
      expect(ran.code).toBe(1);
      const { dataset } = parsed(ran);
      expect(dataset.decisions).toEqual({ accept: 0, review: 0, reject: 12 });
      expect(dataset.usability).toMatchObject({ verdict: 'not_usable', usable_episodes: 0 });
      expect(dataset.usability.reasons[0]).toMatchObject({ code: 'lfs_pointers', remedy: 'restore' });
    });

    it('is not left out of an export, unless the export says so', async () => {
      const all = await runAssay(['export', set, '--out', join(work, 'pointer')]);
      expect(all.code).toBe(1);
      expect(all.out).toContain('git lfs pull');
      const chosen = ['export', set, '--only', '0', '1', '--out', join(work, 'chosen')];
      const refused = await runAssay(chosen);
      expect(refused.code).toBe(3);
      expect(refused.err).toContain('--drop observation.images.front');
      expect(existsSync(join(work, 'chosen'))).toBe(false);
      expect((await runAssay([...chosen, '--drop', 'observation.images.front'])).code).toBe(0);
      const { features } = JSON.parse(readFileSync(join(work, 'chosen/meta/info.json'), 'utf8'));
      expect(Object.keys(features).filter((key) => key.includes('images'))).toEqual([
        'observation.images.wrist',
      ]);
    });
  },
);

describe.skipIf(!there)(
  'a declared camera without any file (needs ../shared/cases)',
  { timeout: 180_000 },
  () => {
    const set = join(cases, 'lerobot-v21-absent-camera');

    it('fails the gate until assay fix has taken it out of the metadata', async () => {
      const ran = await runAssay(['assess', set, '--json', '--fail-on', 'reject']);
      expect(ran.code).toBe(1);
      const { usability } = parsed(ran).dataset;
      expect(usability).toMatchObject({ verdict: 'usable_after_fix', usable_episodes: 12 });
      expect(usability.reasons).toContainEqual({
        ...{ code: 'camera_without_files', effect: 'refuses_set', episodes: null, remedy: 'fix' },
      });
      const fixed = join(work, 'fixed');
      expect((await runAssay(['fix', set, '--out', fixed])).code).toBe(0);
      const again = await runAssay(['assess', fixed, '--json', '--fail-on', 'reject']);
      expect(again.code).toBe(0);
      expect(parsed(again).dataset.usability.verdict).toBe('usable');
    });

    it('is not left out of an export of any format, unless the export says so', async () => {
      for (const format of ['lerobot-v3', 'zarr-replay-buffer']) {
        const out = join(work, format);
        const ran = await runAssay(['export', set, '--format', format, '--out', out]);
        expect(ran.code).toBe(3);
        expect(ran.err).toContain('--drop observation.images.side');
        const named = ['export', set, '--format', format, '--drop', 'observation.images.side', '--out', out];
        expect((await runAssay(named)).code).toBe(0);
      }
    });
  },
);

describe.skipIf(!there)(
  'a video file that lacks frames of one episode (needs ../shared/cases)',
  { timeout: 900_000 },
  () => {
    const set = join(cases, 'lerobot-v3-lost-frames');

    it('accepts the episodes before the shift, and names where it begins', async () => {
      const ran = await runAssay(['assess', set, '--json', '--fail-on', 'reject']);
      expect(ran.code).toBe(1);
      const { dataset, receipts } = parsed(ran);
      const flags = receipts.map((receipt) => receipt.flags.map(({ code }) => code));
      expect(flags.slice(0, 3)).toEqual([[], [], ['camera_shift_possible']]);
      for (const codes of flags.slice(3)) expect(codes).toContain('camera_frames_foreign');
      expect(dataset.decisions).toEqual({ accept: 2, review: 1, reject: 9 });
      expect(dataset.usability).toMatchObject({ verdict: 'usable_after_fix', usable_episodes: 3 });
      const finding = dataset.findings.find(({ code }) => code === 'video_file_lacks_frames');
      expect(finding?.message).toContain('after episode_000001 and in episode_000003 at the latest');
    });

    it('gives receipts that verify when another loader, which takes such frames, is asked for', async () => {
      const out = join(work, 'lost-frames');
      const ran = await runAssay(['assess', set, '--loader', 'gr00t', '--out', out]);
      expect(ran.code, ran.err).toBe(0);
      const verified = await runAssay(['verify', join(out, 'receipts'), '--source', set]);
      expect([verified.code, verified.out]).toEqual([
        0,
        expect.stringContaining('12 receipts: all unchanged'),
      ]);
    });
  },
);

describe.skipIf(!there)('two wordings of one task (needs ../shared/cases)', { timeout: 180_000 }, () => {
  it('are no mismatch between instruction and motion', async () => {
    const ran = await runAssay(['assess', join(cases, 'lerobot-v3-paraphrases'), '--json']);
    const { dataset, receipts } = parsed(ran);
    expect(dataset.decisions).toEqual({ accept: 12, review: 0, reject: 0 });
    expect(dataset.findings.map(({ code }) => code)).not.toContain('instruction_mismatch');
    expect(receipts.flatMap(({ flags }) => flags.map(({ code }) => code))).not.toContain(
      'instruction_mismatch',
    );
  });
});

describe.skipIf(!there)('a wrist camera that freezes (needs ../shared/cases)', { timeout: 180_000 }, () => {
  it('is found where it froze, though its video was encoded anew', async () => {
    const ran = await runAssay(['assess', join(cases, 'lerobot-v21-frozen-wrist-camera'), '--json']);
    const { receipts } = parsed(ran);
    const flagged = receipts.map(({ flags }) => flags.map(({ code }) => code));
    expect(flagged).toEqual(receipts.map((_, i) => (i === 7 ? ['camera_frozen'] : [])));
    const [{ marks }] = receipts[7].flags;
    expect(receipts[7].decision).toBe('reject');
    const rows = 202;
    const from = Math.round(0.55 * rows);
    expect(marks).toHaveLength(1);
    expect(Math.abs(30 * marks[0].from_s - from)).toBeLessThanOrEqual(2);
    expect(Math.abs(30 * marks[0].to_s - (rows - 1))).toBeLessThanOrEqual(2);
  });
});

describe.skipIf(!there)('slow motion in AV1 (needs ../shared/cases)', { timeout: 180_000 }, () => {
  it('is no camera at half its rate', async () => {
    const ran = await runAssay(['assess', join(cases, 'lerobot-v3-clean-av1'), '--json']);
    const { dataset, receipts } = parsed(ran);
    expect(dataset.decisions).toEqual({ accept: 10, review: 0, reject: 0 });
    const severities = receipts.flatMap(({ flags }) => flags.map(({ severity }) => severity));
    expect(severities.filter((severity) => severity !== 'info')).toEqual([]);
  });
});

describe.skipIf(!there)(
  'a layout that no other reader knows (needs ../shared/cases)',
  { timeout: 180_000 },
  () => {
    it('but the built-in mappings do is read as the episodes that were recorded', async () => {
      const ran = await runAssay(['assess', join(cases, 'unitree-json'), '--json']);
      expect(ran.code, ran.err).toBe(0);
      const { dataset, receipts } = parsed(ran);
      expect(dataset.format).toBe('mapped');
      expect(dataset.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
      expect(receipts.map(({ kind }) => kind.kind)).toEqual(['teleop', 'teleop']);
      for (const { streams, episode, findings } of receipts) {
        expect(findings).toEqual([]);
        expect(episode.tasks).toEqual(['pick up the cup']);
        expect(
          streams.map(({ id, sample_count, declared_rate_hz }) => [id, sample_count, declared_rate_hz]),
        ).toEqual(
          ['states/arms', 'states/hands', 'actions/arms', 'actions/hands', 'color_0'].map((id) => [
            id,
            90,
            30,
          ]),
        );
      }
    });

    it('of HDF5 is refused with its contents and a way forward', async () => {
      const ran = await runAssay(['assess', join(cases, 'hdf5-unknown-layout')]);
      expect(ran.code).toBe(3);
      expect(ran.err).toContain('/puppet/joint_position (float64 100 x 7)');
      expect(ran.err).toContain('assay map init');
    });

    it('of HDF5 is read with the mapping that is proposed, as two episodes of 100 rows', async () => {
      const set = join(work, 'hdf5');
      for (const episode of ['0', '1']) {
        mkdirSync(join(set, episode), { recursive: true });
        copyFileSync(
          join(cases, 'hdf5-unknown-layout', episode, 'trajectory.hdf5'),
          join(set, episode, 'trajectory.hdf5'),
        );
      }
      const proposed = await runAssay(['map', 'init', set, '--yes']);
      expect(proposed.code, proposed.err).toBe(0);
      expect(proposed.out).toContain('action: master/joint_position');
      expect(proposed.out).toContain('state: puppet/joint_position');
      expect(proposed.out).toContain('camera: observations/rgb_images/camera_top');
      const ran = await runAssay(['assess', set, '--json']);
      expect(ran.code, ran.err).toBe(0);
      const { dataset, receipts } = parsed(ran);
      expect(dataset.format).toBe('mapped');
      expect(dataset.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(receipts.map(({ kind }) => kind.kind)).toEqual(['teleop', 'teleop']);
      for (const { streams, episode } of receipts) {
        expect(streams.map(({ role, sample_count }) => [role, sample_count])).toEqual([
          ['action', 100],
          ['state', 100],
          ['state', 100],
          ['camera', 100],
        ]);
        expect(episode.tasks).toEqual(['put the apple in the bowl']);
      }
    });
  },
);

describe.skipIf(!there)(
  'labels under the name of another format (needs ../shared/cases)',
  { timeout: 180_000 },
  () => {
    it('are read by what the file holds', async () => {
      const ran = await runAssay(['assess', join(cases, 'via-labels-named-coco'), '--json']);
      const { dataset, receipts } = parsed(ran);
      expect(dataset.findings).toEqual([]);
      const sources = receipts.map(({ sources }) => sources.map(({ path }) => path));
      for (const own of sources) expect(own).toContain('train/_annotations.coco.json');
      const coverage = receipts.map(
        ({ checks }) => checks.find(({ id }) => id === 'annotation_coverage')?.status,
      );
      expect(coverage).toEqual(['scored', 'scored', 'scored']);
    });
  },
);
