import { AssayError, canonicalJson, type JsonObject, messageOf, sha256 } from '#core';
import type { JobLayerId, LayerId, ModelSurfaceId } from '#core/api';
import {
  type DistanceBatch,
  type FrameBatch,
  type FrameNeeds,
  framesOf,
  type JobLayerRow,
  type LaneContext,
  type LaneOutput,
  type LayerConfig,
  runLayer,
  usedLayers,
} from '#labels/annotation';
import type { ModelRef, VisionUsage } from '#labels/models';
import { distanceBatches } from './distance-batches.ts';
import { type EpisodeRecording, episodeFrames, withPictures } from './episode-frames.ts';
import type { Input } from './episode-inputs.ts';
import { failedBy } from './failed-by.ts';
import { frameBatch } from './frame-batch.ts';
import { FrameFeed } from './frame-feed.ts';
import { LaneMeter } from './lane-meter.ts';
import type { LaneResources } from './lane-resources.ts';
import { Turns } from './turns.ts';
import { asksEndpoint, type VisionHooks, visionModel } from './vision-model.ts';

/** A layer that an episode is to be annotated in. */
export interface DueLane {
  readonly row: JobLayerRow;
  readonly config: LayerConfig;
  readonly models: Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>;
}

/** What became of it: its output, or what it threw; the milliseconds of computing that are its own, and what else it took. */
export interface LaneResult {
  readonly lane: DueLane;
  readonly told: { readonly output: LaneOutput; readonly input_hash: string } | { readonly thrown: unknown };
  readonly own_ms: number;
  readonly meter: LaneMeter;
}

export interface LaneTools {
  readonly resources: LaneResources;
  readonly signal: AbortSignal;
  readonly progress: () => void;
}

/**
 * Runs layers on one episode. Those that use another's output come after it, or are done after it; of the rest, those that
 * look at frames are run together on one decoding, by turns, and the others one after the other.
 */
export async function* runLanes(
  due: readonly DueLane[],
  input: Input,
  tools: LaneTools,
): AsyncGenerator<LaneResult> {
  const outputs = new Map<JobLayerId, LaneOutput>();
  for (const phase of phasesOf(due)) {
    const run = new LaneRun(input, outputs, tools);
    const withFrames = phase.filter((lane) => looked(lane) !== null);
    const results: LaneResult[] = [];
    for (const lane of phase) if (!withFrames.includes(lane)) results.push(await run.alone(lane));
    if (withFrames.length > 0) results.push(...(await run.together(withFrames)));
    for (const result of results) {
      if ('output' in result.told) outputs.set(result.lane.row.id, result.told.output);
      yield result;
    }
  }
}

/** Layers in the order in which they may be run: each after those whose output it uses. */
function phasesOf(due: readonly DueLane[]): readonly (readonly DueLane[])[] {
  const phases: DueLane[][] = [];
  let left = [...due];
  while (left.length > 0) {
    const needing = left.filter(({ row }) =>
      left.some((other) => other.row !== row && row.needs.layers.some((id) => id === other.row.id)),
    );
    const waiting = left.filter(
      (lane) =>
        needing.includes(lane) ||
        needing.some((other) => lane.row.needs.layers_after_frames?.some((id) => id === other.row.id)),
    );
    phases.push(left.filter((lane) => !waiting.includes(lane)));
    left = waiting;
  }
  return phases;
}

const looked = ({ row, models }: DueLane) => framesOf(row, asksEndpoint(models));

type Frames = () => AsyncIterable<FrameBatch>;
type Distances = () => AsyncIterable<DistanceBatch>;

/** What a lane is given of its episode, and how it waits for what is done elsewhere. */
interface Given extends Pick<VisionHooks, 'away'> {
  readonly frames: Frames;
  readonly distances: Distances;
  /** Waits for a layer that is made in the same pass. */
  readonly done?: (layer: LayerId) => Promise<void>;
}

/** Lanes that look at frames together. */
interface Pass {
  readonly feed: FrameFeed<Parameters<typeof frameBatch>[0]>;
  readonly turns: Turns;
  readonly recording: EpisodeRecording;
  readonly root: string;
  /** By layer: when it is done, well or not. */
  readonly beside: ReadonlyMap<JobLayerId, PromiseWithResolvers<void>>;
}

class LaneRun {
  readonly #input: Input;
  readonly #outputs: Map<JobLayerId, LaneOutput>;
  readonly #tools: LaneTools;

  constructor(input: Input, outputs: Map<JobLayerId, LaneOutput>, tools: LaneTools) {
    this.#input = input;
    this.#outputs = outputs;
    this.#tools = tools;
  }

  async alone(lane: DueLane): Promise<LaneResult> {
    const [from_ms, meter] = [performance.now(), new LaneMeter()];
    let away_ms = 0;
    const away: VisionHooks['away'] = async (work) => {
      const left_ms = performance.now();
      return work().finally(() => {
        away_ms += performance.now() - left_ms;
      });
    };
    const told = await this.#told(lane, { frames: noFrames, distances: noDistances, away }, meter);
    return { lane, told, own_ms: performance.now() - from_ms - away_ms, meter };
  }

  /** What decoding takes is shared alike. */
  async together(lanes: readonly DueLane[]): Promise<readonly LaneResult[]> {
    const from_ms = performance.now();
    let results: readonly LaneResult[];
    try {
      const all = this.#input.recording();
      const wantsDepth = lanes.some(({ row }) => row.needs.distances !== undefined);
      const recording = wantsDepth ? all : { ...all, depths: [] };
      results = await withPictures(recording, (root) => {
        const needs = lanes.map((lane): FrameNeeds => looked(lane)!(lane.config));
        const { resources, signal } = this.#tools;
        const feed = new FrameFeed(
          episodeFrames(recording, needs, { resources, root, signal }),
          lanes.length,
        );
        const turns = new Turns();
        const beside = new Map(lanes.map(({ row }) => [row.id, Promise.withResolvers<void>()]));
        const pass = { feed, turns, recording, root, beside };
        return Promise.all(lanes.map((lane, at) => this.#byTurns(lane, at, pass)));
      });
    } catch (thrown) {
      results = await Promise.all(lanes.map((lane) => this.#blind(lane, thrown)));
    }
    const own_ms = results.reduce((sum, result) => sum + result.own_ms, 0);
    const share_ms = Math.max(0, performance.now() - from_ms - own_ms) / lanes.length;
    return results.map((result) => ({ ...result, own_ms: result.own_ms + share_ms }));
  }

  async #byTurns(lane: DueLane, at: number, pass: Pass): Promise<LaneResult> {
    const { feed, turns, recording, root, beside } = pass;
    const { progress, resources, signal } = this.#tools;
    let own_ms = 0;
    let release = await turns.take();
    const meanwhile = async <T>(work: Promise<T>): Promise<T> => {
      own_ms += release();
      return work.finally(async () => {
        release = await turns.take();
      });
    };
    const frames = async function* (): AsyncGenerator<FrameBatch> {
      try {
        for (;;) {
          const fed = await meanwhile(feed.next(at));
          if (fed === null) return;
          progress();
          const batch = frameBatch(fed, at);
          if (batch !== null) yield batch;
        }
      } finally {
        await feed.leave(at);
      }
    };
    const { distances } = lane.row.needs;
    const depths = () => {
      if (distances === undefined) return noDistances();
      return distanceBatches(recording, distances(lane.config).rate_hz, { resources, root, signal });
    };
    const done = async (layer: LayerId): Promise<void> => {
      const other = beside.get(layer);
      if (other === undefined || lane.row.needs.layers_after_frames?.includes(layer) !== true) return;
      await feed.leave(at);
      await meanwhile(other.promise);
    };
    const away: VisionHooks['away'] = (work) => meanwhile(work());
    const meter = new LaneMeter();
    const told = await this.#told(lane, { frames, distances: depths, done, away }, meter);
    if ('output' in told) this.#outputs.set(lane.row.id, told.output);
    await feed.leave(at);
    beside.get(lane.row.id)?.resolve();
    own_ms += release();
    return { lane, told, own_ms, meter };
  }

  /** None of its pictures can be read: what needs none has something to say all the same. */
  async #blind(lane: DueLane, thrown: unknown): Promise<LaneResult> {
    const meter = new LaneMeter();
    const isOver = lane.row.needs.frames_optional !== true || failedBy(thrown).state === 'again';
    if (isOver) return { lane, told: { thrown }, own_ms: 0, meter };
    const given: Given = { frames: unreadable(thrown), distances: noDistances, away: (work) => work() };
    return { lane, told: await this.#told(lane, given, meter), own_ms: 0, meter };
  }

  async #told(lane: DueLane, given: Given, meter: LaneMeter): Promise<LaneResult['told']> {
    const { row } = lane;
    const used: Record<string, string> = {};
    try {
      const output = await runLayer(row, this.#input.episode, this.#context(lane, given, meter, used));
      const input_hash = sha256(
        canonicalJson({ ...this.#input.facts, ...(usedLayers(row).length > 0 && { outputs: used }) }),
      );
      return { output, input_hash };
    } catch (thrown) {
      return { thrown };
    }
  }

  /** `used`: hashes of what it is given of other layers. */
  #context(
    { row, config, models }: DueLane,
    { frames, distances, done, away }: Given,
    meter: LaneMeter,
    used: Record<string, string>,
  ): LaneContext {
    const { resources, signal, progress } = this.#tools;
    let read = false;
    return {
      ...{ config, signal, progress },
      frames: () => {
        if (read) throw new AssayError('internal', `the lane of ${row.id} asks for its frames twice`);
        read = true;
        return frames();
      },
      distances,
      model: async (surface, graph) => {
        demandDeclared(row, row.needs.surfaces.includes(surface), surface);
        const ref = models[surface];
        if (ref === undefined || ref.endpoint !== undefined) return null;
        const session = await resources.session(ref, graph);
        meter.ran(session);
        return session;
      },
      vision: (surface) => {
        demandDeclared(row, row.needs.surfaces.includes(surface), surface);
        const onUsage = (usage: VisionUsage) => meter.tokens.add(usage);
        return visionModel(models[surface] ?? noModel, { signal, progress, onUsage, away });
      },
      output: async (layer) => {
        demandDeclared(row, usedLayers(row).includes(layer), layer);
        await done?.(layer);
        const made: JsonObject | undefined = this.#outputs.get(layer)?.parts[0].json;
        const json = made ?? (await this.#input.output(layer));
        if (json !== null) used[layer] = sha256(canonicalJson(json));
        return json;
      },
    };
  }
}

const noModel = { model: '' };

const noFrames: Frames = () => {
  throw new AssayError('internal', 'the layer declares no frames');
};

/** Of an episode none of whose pictures can be read. */
const unreadable = (thrown: unknown): Frames =>
  async function* () {
    yield { camera: '', frames: [], missing: [], unreadable: messageOf(thrown) };
  };

const noDistances: Distances = () => {
  throw new AssayError('internal', 'the layer declares no distances');
};

function demandDeclared({ id }: Pick<JobLayerRow, 'id'>, declared: boolean, what: string): void {
  if (!declared) throw new AssayError('internal', `the row of ${id} does not declare that it needs ${what}`);
}
