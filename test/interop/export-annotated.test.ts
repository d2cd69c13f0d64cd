import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import { annotateInto } from '#engine/local/annotate';
import { type ExportOptions, exportDataset, verifyExport } from '#engine/local/export';
import { temporaryFolder } from '#test/support/lerobot-set';
import { onPeers, peersPython } from '#test/support/peers';
import { askScript } from './python-worker.ts';

const ask = (...args: string[]) => askScript('peers', 'export_annotated.py', ...args);

interface Window {
  readonly from_s: number;
  readonly to_s: number;
  /** Text of a caption. */
  readonly text: string;
  /** Kind of a segment. */
  readonly kind: string;
}

interface Sample {
  readonly episode_index: number;
  readonly time_s: number;
  readonly segment: Omit<Window, 'text'>;
  readonly caption: Window;
  readonly dense_text: { readonly text: string; readonly source: string };
}

const kindOf = (own: Window | undefined) =>
  own === undefined ? undefined : { from_s: own.from_s, to_s: own.to_s, kind: own.kind, source: 'machine' };

describe.skipIf(!peersPython)(onPeers('what layers say, in exports'), { timeout: 240_000 }, () => {
  let source: string;
  let annotations: string;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    source = join(folder, 'recordings');
    annotations = join(folder, 'annotations');
    await writeTeleopMcap(source, 5, () => {}, { episodes: 2, plan: {} });
    const layers = (['captions', 'segments', 'dense_text'] as const).map((layer) => ({ layer, config: {} }));
    const models = { data_folder: join(folder, 'data'), environment_models: {} };
    await annotateInto(annotations, source, { layers, models }, { signal: new AbortController().signal });
  }, 240_000);

  const artifact = (episode: number, layer: string) =>
    JSON.parse(readFileSync(join(annotations, `episodes/episode_00${episode}/${layer}.json`), 'utf8'));
  async function exported(options: ExportOptions) {
    const out = join(await temporaryFolder(), 'export');
    const { lineage } = await exportDataset(source, out, { with_review: true, annotations, ...options });
    expect((await verifyExport(out)).problems).toEqual([]);
    return { out, lineage: lineage!, edits: lineage!.edits };
  }

  it('lies in MCAP as events and lines of the log', async () => {
    const { out, edits } = await exported({ format: 'mcap' });
    expect(edits).toContainEqual({
      edit: 'add_annotations',
      layers: ['segments', 'captions', 'dense_text'],
      episodes: 2,
    });
    for (const episode of [0, 1]) {
      const seen = await ask('mcap', join(out, `episode_00000${episode}.mcap`));
      const windows: Window[] = artifact(episode, 'captions').windows;
      const spans: Window[] = artifact(episode, 'segments').segments;
      expect(windows.length).toBeGreaterThan(0);
      expect(seen.captions.map((one: string[]) => one[2])).toEqual(windows.map(({ text }) => text));
      expect(seen.segments.map((one: string[]) => one[2])).toEqual(spans.map(({ kind }) => kind));
      const took = ([from, to]: [number, number]) => (to - from) / 1e9;
      for (const [i, { from_s, to_s }] of spans.entries())
        expect(took(seen.segments[i])).toBeCloseTo(to_s - from_s, 5);
      for (const { text } of windows) expect(seen.log).toContainEqual(['captions', text]);
      expect(seen.log).toContainEqual(['dense_text', artifact(episode, 'dense_text').text]);
    }
  });

  it('lies beside each row in WebDataset: what is done and said at its time', async () => {
    const { out } = await exported({ format: 'webdataset', edits: { trim: ['0.5..'] } });
    const samples: readonly Sample[] = await ask('webdataset', out);
    expect(samples.length).toBeGreaterThan(60);
    for (const { episode_index, time_s, segment, caption, dense_text } of samples) {
      const at = (all: readonly Window[]) =>
        all.find(({ from_s, to_s }) => from_s <= time_s && time_s < to_s);
      expect(segment).toEqual(kindOf(at(artifact(episode_index, 'segments').segments)));
      expect(caption.text).toBe(at(artifact(episode_index, 'captions').windows)?.text);
      expect(dense_text).toEqual({
        text: artifact(episode_index, 'dense_text').text,
        source: 'machine',
      });
    }
    expect(new Set(samples.map(({ segment }) => segment.kind)).size).toBeGreaterThan(1);
  });

  it('is the masks and boxes of the picture that they were found in, in COCO', async () => {
    const folder = join(await temporaryFolder(), 'masks');
    const camera = '/camera/front/compressed';
    await ask('mask', folder, 'episode_000', camera, '7', '320', '240');
    const { out, edits } = await exported({ format: 'coco-detection', annotations: folder });
    const { masks, boxes, labels } = await ask('coco', out);
    expect(labels).toBe(0);
    const layers = ['segmentation', 'object_labels'];
    expect(edits).toContainEqual({ edit: 'add_annotations', layers, episodes: 1 });
    expect(edits.find(({ edit }) => edit === 'drop_annotations')?.layers).toEqual(
      expect.arrayContaining(['tracks', 'body_pose', 'hand_pose']),
    );
    const place = { frame: 7, camera: 'camera.front.compressed', like_ring: true };
    expect(masks).toMatchObject([
      { ...place, category: 'bagel', score: 0.75 },
      { ...place, category: 'ring', score: null },
    ]);
    for (const { bbox, true_bbox, area, true_area } of masks) {
      expect(bbox).toEqual(true_bbox);
      expect(area).toBe(true_area);
    }
    const bbox = [10, 20, 30.5, 40];
    expect(boxes).toEqual([{ frame: 7, category: 'cup', area: 1220, bbox, score: 0.5 }]);
  });

  it('lies beside LeRobot sets as tables, of the rows that show the picture', async () => {
    const folder = join(await temporaryFolder(), 'seen');
    const camera = '/camera/front/compressed';
    await ask('mask', folder, 'episode_000', camera, '7', '320', '240');
    const v3 = await exported({ annotations: folder, edits: { trim: ['0.5..'] } });
    const v21 = await exported({ format: 'lerobot-v2.1', annotations: folder, edits: { trim: ['0.5..'] } });
    const layers = ['object_labels', 'tracks', 'body_pose', 'hand_pose'];
    expect(v3.edits).toContainEqual({ edit: 'add_annotations', layers, episodes: 1 });
    const info = JSON.parse(readFileSync(join(v3.out, 'meta/info.json'), 'utf8'));
    expect(info.features.language_persistent).toBeUndefined();
    const seen = await ask('sidecars', v3.out);
    expect(await ask('sidecars', v21.out)).toEqual(seen);
    expect(Object.keys(seen)).toEqual(layers);
    const cut = v3.lineage.kept[0].rows!.from;
    const frame_index = 7 - cut;
    for (const layer of layers) {
      const { columns, declared, rows } = seen[layer];
      expect(columns).toEqual(declared);
      for (const row of rows)
        expect(row).toMatchObject({
          ...{ episode_index: 0, frame_index, timestamp: Math.fround(frame_index / 10) },
          camera: 'observation.images.camera.front.compressed',
          ...{ picture_width: 320, picture_height: 240 },
        });
    }
    const points = {
      score: 0.25,
      box: [1, 2, 3, 4],
      points: [
        [5, 6],
        [7.5, 8],
      ],
    };
    expect(seen.body_pose).toMatchObject({ rows: [points], point_names: ['nose', 'left_eye'] });
    expect(seen.hand_pose.rows).toMatchObject([{ ...points, label: 'left', label_score: 0.75 }]);
    const [cup] = seen.tracks.rows;
    expect(cup).toMatchObject({ track_id: 3, label: 'cup', score: 0.5, box: [10, 20, 30, 40], points: null });
    const mask = { size: [240, 320], counts: expect.any(String) };
    expect(seen.object_labels.rows).toMatchObject([
      { label: 'bagel', score: 0.75, mask },
      { label: 'cup', score: 0.5, mask: null, box: [10, 20, 30.5, 40] },
    ]);
  });

  it('is listed with who wrote it beside LeRobot’s language columns', async () => {
    const { out } = await exported({});
    const { language } = await ask('sidecars', out);
    expect(language.columns).toEqual(language.declared);
    const written = language.rows.map(
      ({ layer, source: by }: { layer: string | null; source: string }) => `${layer} ${by}`,
    );
    expect([...new Set(written)].sort()).toEqual([
      'captions machine',
      'dense_text machine',
      'null recording',
      'segments machine',
    ]);
  });

  it('is refused where the format holds none of it', async () => {
    await expect(exported({ format: 'zarr-replay-buffer' })).rejects.toMatchObject({ code: 'usage' });
    await expect(exported({ format: 'lerobot-v2.1' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('lerobot-v2.1 cannot store the layers'),
    });
  });
});
