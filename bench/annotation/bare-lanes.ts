import { discover } from '#formats';
import { defaultConfig, frameNeeds, type LaneContext, layerOf, surfacesOf } from '#labels/annotation';
import {
  collectModelChoices,
  ModelHost,
  recentInventory,
  resolveModelRefs,
  runnableModels,
} from '#labels/models';
import { createEpisodeRecord, createFeatures, deriveKind } from '#quality/readiness';
import { bundledDetector } from '#test/support/bundled-detector';
import {
  episodeFrames,
  selectFrames,
  withPictureFiles,
} from '../../src/engine/steps/annotate/episode-frames.ts';
import type { EpisodeInput } from '../../src/engine/steps/annotate/episode-inputs.ts';
import { LaneResources } from '../../src/engine/steps/annotate/lane-resources.ts';
import { type DueLane, runLanes } from '../../src/engine/steps/annotate/run-lanes.ts';
import { openDetector } from '../../src/labels/annotation/vision/detection.ts';
import { inRunLayers } from './in-run-layers.ts';

/**
 * On the first episode of a set: `nothing` but open it, `decode` the frames that the in-run lanes of manipulation-qc look
 * at, also have the `model` find objects in those of object_labels, or run the `lanes` themselves.
 */
const [, , mode, path] = process.argv;
const host = new ModelHost();
const resources = new LaneResources(host.socket);
const { signal } = new AbortController();
const input = await firstEpisode(path);
const due = await dueLanes();

if (mode === 'lanes') {
  for await (const { lane, outcome: told } of runLanes(due, input, { resources, signal, progress: () => {} }))
    if ('thrown' in told) throw new Error(`${lane.row.id} failed`, { cause: told.thrown });
} else if (mode !== 'nothing') await decode(mode === 'model');
await resources.close();
await host.close();

async function decode(withModel: boolean): Promise<void> {
  const looking = due.filter(({ row }) => frameNeeds(row, false) !== null);
  const needs = looking.map(({ row, config }) => frameNeeds(row, false)!(config));
  const seen = looking.findIndex(({ row }) => row.id === 'object_labels');
  const { models, config } = looking[seen];
  const context = {
    config,
    model: async () => resources.session(models.detection!),
  } as unknown as LaneContext;
  const detector = withModel ? await openDetector(context) : null;
  const recording = input.recording();
  await withPictureFiles(recording, async (root) => {
    for await (const fed of episodeFrames(recording, needs, { resources, root, signal }))
      for (const frame of selectFrames(fed, seen)?.frames ?? []) await detector?.detect(frame, 0.35);
  });
}

async function dueLanes(): Promise<DueLane[]> {
  const data_folder = '/nowhere';
  const environment_models = { detection: bundledDetector };
  const wishes = collectModelChoices(
    { environment_models },
    { use_case: null, tenant_models: null, project: {} },
  );
  const runnable = runnableModels(wishes, await recentInventory(data_folder));
  const lanes: DueLane[] = [];
  for (const layer of inRunLayers) {
    const row = layerOf(layer);
    const names = surfacesOf(row).flatMap((surface) => runnable.get(surface)?.id ?? []);
    const models = await resolveModelRefs(data_folder, surfacesOf(row), names, undefined);
    lanes.push({ row, config: defaultConfig(row), models });
  }
  return lanes;
}

async function firstEpisode(folder: string): Promise<EpisodeInput> {
  const [{ dataset, ...recognised }] = (await discover(folder)).datasets;
  try {
    for await (const episode of dataset.read(dataset.units[0], {})) {
      if ('unreadable' in episode) throw new Error('unreadable');
      const { kind, evidence } = deriveKind(episode);
      const subject = { episode, kind, cameras: new Map(), features: createFeatures(episode) };
      const { streams, index, start_ns } = episode;
      const cameras = streams.flatMap((stream) =>
        stream.role === 'camera' && stream.frames !== undefined ? [{ stream, frames: stream.frames }] : [],
      );
      return {
        episode: { facts: createEpisodeRecord(subject, evidence), streams },
        facts: {},
        recording: () => ({
          recordings: { kind: 'folder', path: folder },
          ...{ dataset_path: '', recognised, index, start_ns, cameras, depths: [], file_sizes: new Map() },
        }),
        stored: {},
        output: async () => null,
      };
    }
  } finally {
    await dataset.close();
  }
  throw new Error('no episode');
}
