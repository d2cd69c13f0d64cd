import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#core';
import type { JobLayerId, ModelSurfaceId, ModelUse } from '#core/api';
import type { Frames, Stream } from '#core/episode';
import { defaultConfig, layers, surfacesOf } from '#labels/annotation';
import {
  collectModelChoices,
  findOption,
  ModelHost,
  type ModelOption,
  modelOptions,
  recentInventory,
  runnableModels,
  surfaces,
} from '#labels/models';
import { episodeOf, numbers } from '#test/annotation/known-motion';
import { bundledDetector } from '#test/support/bundled-detector';
import { encodeVideo, x264 } from '#test/support/encode-video';
import { depthOfPictures, detrOfColours } from '#test/support/onnx-model';
import type { EpisodeInput } from '../../steps/annotate/episode-inputs.ts';
import { layerIdentity } from '../../steps/annotate/lane-models.ts';
import { LaneResources } from '../../steps/annotate/lane-resources.ts';
import { runLanes } from '../../steps/annotate/run-lanes.ts';
import { chooseLanes } from './lane-choice.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-provenance-'));
const host = new ModelHost();
const resources = new LaneResources(host.socket);
const [width, height, count] = [64, 48, 30];

beforeAll(async () => {
  const frames = Array.from({ length: count }, (_, at) =>
    new Uint8Array((width * height * 3) / 2).fill(128).fill(40 + 5 * at, 0, width * height),
  );
  await encodeVideo(join(folder, 'film.mp4'), width, height, frames, x264);
}, 60_000);
afterAll(async () => {
  await resources.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

const withLane = layers.rows.filter(({ lane }) => lane !== null);
const weighted = modelOptions.filter(({ runtime }) => runtime === 'onnx');

/** No graph at all, and one whose outline is right but which no runtime can load. */
const garbage = { 'three bytes': Uint8Array.of(1, 2, 3), 'an empty graph': Uint8Array.of(8, 7, 58, 0) };

let placed = 0;
/** A data folder in which these bytes are every file of a model. */
function dataWith(option: ModelOption | null, bytes: Uint8Array): string {
  const data_folder = join(folder, `data-${placed++}`);
  const files = option?.weights?.files.map(({ path }) => path) ?? ['onnx/model.onnx'];
  for (const file of option === null ? [] : files) {
    const path = join(data_folder, 'models', option!.id, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  return data_folder;
}

/** A small graph with the inputs and outputs of a model. */
function graphLike({ contract, id }: ModelOption): Uint8Array {
  const query = { type: 1, box: [0.5, 0.5, 0.2, 0.2] } as const;
  if (contract === undefined || contract.form === 'centernet') return Uint8Array.of();
  if (contract.form === 'depth') return depthOfPictures(1);
  if (contract.form === 'detr')
    return detrOfColours([query, query, query], contract.graphs.main.outputs.logits.dims[2]!);
  if (findOption(id)?.runtime === 'bundled') return Uint8Array.of();
  throw new Error(`no test graph for models of the form ${contract.form}`);
}

const identities = async (data_folder: string) => {
  const environment_models = { detection: bundledDetector };
  const choices = collectModelChoices(
    { environment_models },
    { use_case: null, tenant_models: null, project: {} },
  );
  const runnable = runnableModels(choices, await recentInventory(data_folder));
  return new Map(withLane.map((row) => [row.id, layerIdentity(row, runnable, defaultConfig(row))]));
};

function input(): EpisodeInput {
  const times = Float64Array.from({ length: count }, (_, at) => at / 30);
  const { series: _, ...camera } = numbers('film', 'camera', { values: new Float64Array(0), dims: 1 }, times);
  const stream: Stream = { ...camera, modality: 'video', sample_count: count };
  const frames: Frames = {
    locator: { type: 'video', path: 'film.mp4', from_s: 0, to_s: null, expected_frames: null },
    declared_size_px: null,
    declared_codec: null,
  };
  return {
    episode: episodeOf([stream], 'egocentric', 1),
    facts: { episode: 'one' },
    recording: () => ({
      recordings: { kind: 'folder', path: folder },
      ...{ dataset_path: '', recognised: {} as never, index: 0, start_ns: null, file_sizes: new Map() },
      cameras: [{ stream, frames }],
      depths: [],
    }),
    stored: {},
    output: async () => null,
  };
}

/** Annotates the film as `assay annotate` does; null if there is no output. */
async function annotate(
  layer: JobLayerId,
  environment_models: Readonly<Partial<Record<ModelSurfaceId, string>>>,
  data_folder: string,
): Promise<readonly ModelUse[] | null> {
  const lanes = await chooseLanes([{ layer, config: {} }], { data_folder, environment_models }).catch(
    () => [],
  );
  const due = lanes.map(({ row, config, refs }) => ({ row, config, models: refs }));
  const tools = { resources, signal: new AbortController().signal, progress: () => {} };
  for await (const { outcome, meter } of runLanes(due, input(), tools))
    return 'output' in outcome ? meter.models : null;
  return null;
}

describe('weights that are placed', () => {
  const unusable = Object.values(garbage)[0];

  it.each(weighted)('change no layer where they are no graph: $id', async (option) => {
    const data_folder = dataWith(option, unusable);
    expect((await recentInventory(data_folder)).get(option.id)?.installed).toBe('unusable');
    expect(await identities(data_folder)).toEqual(await identities(dataWith(null, unusable)));
  });

  it.each(weighted)('change no layer that does not use their surface: $id', async (option) => {
    const data_folder = dataWith(option, garbage['an empty graph']);
    expect((await recentInventory(data_folder)).get(option.id)?.installed).toBe('files_present');
    const of = surfaces.rows.filter(({ options }) => options.some(({ id }) => id === option.id));
    const [before, after] = [await identities(dataWith(null, unusable)), await identities(data_folder)];
    for (const row of withLane)
      if (!of.some(({ id }) => surfacesOf(row).includes(id)))
        expect(after.get(row.id), row.id).toEqual(before.get(row.id));
  });
});

describe('an annotation', { timeout: 60_000 }, () => {
  const cases = withLane.flatMap((row) =>
    surfacesOf(row).flatMap((surface) =>
      weighted
        .filter(({ id }) => surfaces.get(surface)!.options.some((option) => option.id === id))
        .flatMap((option) =>
          Object.entries(garbage).map(([what, bytes]) => ({ layer: row.id, surface, option, what, bytes })),
        ),
    ),
  );

  it.each(cases)('of $layer never names $option.id whose files are $what', async (one) => {
    const { layer, surface, option, bytes } = one;
    const chosen = { detection: bundledDetector, [surface]: option.id };
    const models = await annotate(layer, chosen, dataWith(option, bytes));
    expect(models?.map(({ model }) => model) ?? []).not.toContain(option.id);
  });

  it('can be made with every option of the registry: each has code that runs it', async () => {
    const ran = new Set<string>();
    const add = async (layer: JobLayerId, chosen: Parameters<typeof annotate>[1], data_folder: string) => {
      const uses = await annotate(layer, { detection: bundledDetector, ...chosen }, data_folder);
      for (const { surface, model } of uses ?? []) ran.add(`${surface} ${model}`);
    };
    const layerOfSurface = (id: ModelSurfaceId): JobLayerId =>
      id === 'reviewing' ? 'annotation_review' : withLane.find((row) => surfacesOf(row).includes(id))!.id;
    const all = surfaces.rows.flatMap(({ id, options }) => options.map((option) => ({ id, option })));
    // Endpoints are asked in vision-jobs.e2e.test.ts, and models of texts in search-by-meaning.test.ts.
    const local = all.filter(({ id, option }) => option.runtime !== 'endpoint' && id !== 'text_embedding');
    for (const { id, option } of local) {
      const data_folder = dataWith(option.runtime === 'onnx' ? option : null, graphLike(option));
      const layer = id === 'masks' ? 'segmentation' : layerOfSurface(id);
      await add(layer, { [id]: option.id }, data_folder);
    }
    expect([...ran].sort()).toEqual(
      expect.arrayContaining(local.map(({ id, option }) => `${id} ${option.id}`)),
    );
    const endpoints = all.filter(({ option }) => option.runtime === 'endpoint').map(({ id }) => id);
    expect(endpoints).toEqual(['captioning', 'reviewing']);
  });

  it('names what ran, with the hashes of the files that were loaded', async () => {
    const data_folder = dataWith(null, Uint8Array.of());
    const used = async (layer: JobLayerId) =>
      (await annotate(layer, { detection: bundledDetector }, data_folder))?.map(
        ({ model, runtime, device }) => [model, runtime, device],
      );
    const detector = [bundledDetector, 'tfjs', 'cpu'];
    const algorithm = (id: string) => [id, 'algorithm', 'cpu'];
    expect(await used('metadata')).toEqual([]);
    expect(await used('captions')).toEqual([algorithm('assay/grammar')]);
    expect(await used('object_labels')).toEqual([detector]);
    expect(await used('segmentation')).toEqual([detector, algorithm('opencv/grabcut')]);
    expect(await used('tracks')).toEqual([detector, algorithm('ifzhang/bytetrack')]);
    expect(await used('optical_flow')).toEqual([algorithm('opencv/farneback')]);
    expect(await used('body_pose')).toEqual([['google/movenet-lightning', 'tfjs', 'cpu'], detector]);
    const models = await annotate('object_labels', { detection: bundledDetector }, data_folder);
    const { package: name, files } = findOption(bundledDetector)!.bundled!;
    const graph = readFileSync(join('node_modules', name, files.main));
    expect(models?.[0].files).toContainEqual({ name: 'centernet.json', sha256: sha256(graph) });
    expect(models?.[0].files.map((file) => file.name)).toEqual(['centernet.json', 'centernet.bin']);
  });
});
