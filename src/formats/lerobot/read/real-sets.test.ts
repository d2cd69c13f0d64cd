import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSet } from '#test/support/lerobot-set';
import { discover } from '../../discovery/discover.ts';

const data = '../shared/data';
const frames = (episodes: readonly { streams: readonly { sample_count: number }[] }[]) =>
  episodes.reduce((sum, episode) => sum + episode.streams[0].sample_count, 0);

describe.skipIf(!existsSync(`${data}/lerobot-v21-g1-bottle`))(
  'the Unitree G1 set (skipped without ../shared/data)',
  () => {
    it('has 100 episodes, 35,965 frames, 96 missing videos', async () => {
      const { episodes, unreadable, finding } = await readSet(`${data}/lerobot-v21-g1-bottle`);
      expect([episodes.length, unreadable.length, frames(episodes)]).toEqual([100, 0, 35_965]);
      expect(finding('videos_missing')?.evidence?.missing).toHaveLength(96);
      const missing = episodes.filter((episode) =>
        episode.findings.some((row) => row.code === 'video_missing'),
      );
      expect(missing).toHaveLength(96);
      expect([1, 2, 4, 5].map((index) => episodes[index].streams[0].sample_count)).toEqual([
        393, 343, 357, 368,
      ]);
      expect(episodes[1].streams[0]).toMatchObject({
        shape: [26],
        unit: { unit: 'rad', evidence: 'measured' },
      });
      expect(episodes[1].streams[0].names?.[0]).toBe('kLeftShoulderPitch');
      expect(episodes[1].streams[0].clocks[0].provenance).toBe('synthesised');
      expect(episodes[1].tasks?.[0].text).toBe('Pick up the yellow bottle on the table.');
    });
  },
);

describe.skipIf(!existsSync(`${data}/lerobot-v20-gr00t-pick-place`))(
  'the GR00T set (skipped without ../shared/data)',
  () => {
    it('has 5 episodes, 2,096 frames, and metadata that lies', async () => {
      const { episodes, dataset, finding } = await readSet(`${data}/lerobot-v20-gr00t-pick-place`);
      expect(episodes.map((episode) => episode.streams[0].sample_count)).toEqual([416, 470, 470, 412, 328]);
      expect(finding('camera_without_files')?.evidence).toEqual({ cameras: ['observation.images.egoview'] });
      const wrong = dataset.findings.filter((row) => row.code === 'metadata_count_mismatch');
      expect(wrong.map((row) => [row.evidence?.key, row.evidence?.declared, row.evidence?.found])).toEqual([
        ['total_videos', 2, 5],
        ['total_chunks', 0, 1],
        ['splits.train', 100, 5],
      ]);
      const [first] = episodes;
      expect(first.streams[0].series?.values).toBeInstanceOf(Float64Array);
      expect(first.streams[0].clocks[0].time_s[0]).toBeCloseTo(0.05, 6);
      expect(first.streams[0].clock?.reason).toContain('starting at 0.05 s');
      expect(first.streams.filter((stream) => stream.role === 'camera')).toHaveLength(1);
      expect(first.streams[0].names?.[43]).toBe('waist_2');
    });
  },
);

describe.skipIf(!existsSync(`${data}/lerobot-malformed-omx`))(
  'sets without data (skipped without ../shared/data)',
  () => {
    it.each(['dataset', 'franka_pickplace', 'examples/dataset'])(
      '%s ends with a clear error',
      async (folder) => {
        await expect(discover(`${data}/lerobot-malformed-omx/${folder}`)).rejects.toMatchObject({
          code: 'unreadable_input',
          path: 'data',
          exitCode: 3,
        });
      },
    );

    it('together name every one of them', async () => {
      await expect(discover(`${data}/lerobot-malformed-omx`)).rejects.toThrow(
        /dataset: .*franka_pickplace: .*examples\/dataset: /,
      );
    });
  },
);

describe.skipIf(!existsSync(`${data}/malformed/parquet-testing/bad_data`))(
  'broken Parquet (skipped without ../shared/data)',
  () => {
    it('in place of a data file costs its own episodes only', async () => {
      const { readdir, readFile } = await import('node:fs/promises');
      const { writeSet } = await import('#test/support/lerobot-set');
      const folder = `${data}/malformed/parquet-testing/bad_data`;
      const bad = (await readdir(folder)).filter((name) => name.endsWith('.parquet'));
      expect(bad.length).toBeGreaterThan(4);
      for (const name of bad) {
        const bytes = await readFile(`${folder}/${name}`);
        const set = await readSet(
          await writeSet({ episodes: 2, files: 2, extra: { 'data/chunk-000/file-001.parquet': bytes } }),
        );
        expect([name, set.episodes.map((episode) => episode.index)]).toEqual([name, [0]]);
        expect([name, set.unreadable.map((row) => row.index)]).toEqual([name, [1]]);
      }
    });
  },
);
