import { AssayError, canonicalJson, type JsonObject, messageOf, sha256 } from '#core';
import type { JobLayerId, LayerId, ModelSurfaceId } from '#core/api';
import { computeTime_ms } from '#io/processes';
import {
  type DistanceBatch,
  type FrameBatch,
  type FrameNeeds,
  frameNeeds,
  inputLayers,
  type JobLayerRow,
  type LaneContext,
  type LaneOutput,
  type LayerConfig,
  runLayer,
  surfacesOf,
} from '#labels/annotation';
import { type ModelRef, surfaceOf, type VisionUsage } from '#labels/models';
import type { RunError, UndoneRow } from '#store';
import {
  distanceBatches,
  type EpisodeRecording,
  episodeFrames,
  selectFrames,
  withPictureFiles,
} from './episode-frames.ts';
import type { EpisodeInput } from './episode-inputs.ts';
import { usesVisionEndpoint, type VisionHooks, visionModel } from './lane-models.ts';
import { LaneMeter, type LaneResources } from './lane-resources.ts';
import { FrameFeed, TurnQueue } from './shared-decoding.ts';

/** A layer to run on an episode. */
export interface DueLane {
  readonly row: JobLayerRow;
  readonly config: LayerConfig;
  readonly models: Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>;
}

/** Result of one lane: output or error, its share of compute time in ms, and other resource usage. */
export interface LaneResult {
  readonly lane: DueLane;
  readonly outcome:
    | { readonly output: LaneOutput; readonly input_hash: string }
    | { readonly thrown: unknown };
  readonly compute_ms: number;
  readonly meter: LaneMeter;
}

/** Resources and callbacks for running lanes. */
export interface LaneTools {
  readonly resources: LaneResources;
  readonly signal: AbortSignal;
  readonly progress: () => void;
}

/**
 * Runs layers on one episode and yields the output or the error of each, after those whose output it uses. Never throws for a
 * single layer. Layers run after those whose output they use. Layers that need frames share one decoding pass, in turns; the
 * others run one after another.
 */
export async function* runLanes(
  due: readonly DueLane[],
  input: EpisodeInput,
  tools: LaneTools,
): AsyncGenerator<LaneResult> {
  const outputs = new Map<JobLayerId, LaneOutput>();
  for (const phase of orderPhases(due)) {
    const run = new LaneRun(input, outputs, tools);
    const withFrames = phase.filter((lane) => laneFrameNeeds(lane) !== null);
    const results: LaneResult[] = [];
    for (const lane of phase) if (!withFrames.includes(lane)) results.push(await run.runAlone(lane));
    if (withFrames.length > 0) results.push(...(await run.runTogether(withFrames)));
    for (const result of results) {
      if ('output' in result.outcome) outputs.set(result.lane.row.id, result.outcome.output);
      yield result;
    }
  }
}

/** Groups layers into phases, so that each runs after the layers whose output it uses. */
function orderPhases(due: readonly DueLane[]): readonly (readonly DueLane[])[] {
  const phases: DueLane[][] = [];
  let remaining = [...due];
  while (remaining.length > 0) {
    const needing = remaining.filter(({ row }) =>
      remaining.some((other) => other.row !== row && row.needs.layers.some((id) => id === other.row.id)),
    );
    const waiting = remaining.filter(
      (lane) =>
        needing.includes(lane) ||
        needing.some((other) => lane.row.needs.layers_after_frames?.some((id) => id === other.row.id)),
    );
    phases.push(remaining.filter((lane) => !waiting.includes(lane)));
    remaining = waiting;
  }
  return phases;
}

const laneFrameNeeds = ({ row, models }: DueLane) => frameNeeds(row, usesVisionEndpoint(models));

type FrameSource = () => AsyncIterable<FrameBatch>;
type DistanceSource = () => AsyncIterable<DistanceBatch>;

/** Episode data for a lane, and callbacks to wait outside of its turn. */
interface LaneInputs extends Pick<VisionHooks, 'outsideTurn'> {
  readonly frames: FrameSource;
  readonly distances: DistanceSource;
  /** Waits for a layer of the same pass. */
  readonly waitFor?: (layer: LayerId) => Promise<void>;
}

/** Shared state of lanes in one decoding pass. */
interface FramePass {
  readonly feed: FrameFeed<Parameters<typeof selectFrames>[0]>;
  readonly turns: TurnQueue;
  readonly recording: EpisodeRecording;
  readonly root: string;
  /** Resolves per layer when it has finished or failed. */
  readonly completions: ReadonlyMap<JobLayerId, PromiseWithResolvers<void>>;
}

class LaneRun {
  readonly #input: EpisodeInput;
  readonly #outputs: Map<JobLayerId, LaneOutput>;
  readonly #tools: LaneTools;

  constructor(input: EpisodeInput, outputs: Map<JobLayerId, LaneOutput>, tools: LaneTools) {
    this.#input = input;
    this.#outputs = outputs;
    this.#tools = tools;
  }

  async runAlone(lane: DueLane): Promise<LaneResult> {
    const [from_ms, meter] = [computeTime_ms(), new LaneMeter()];
    const outsideTurn: VisionHooks['outsideTurn'] = (work) => work();
    const outcome = await this.#run(lane, { frames: noFrames, distances: noDistances, outsideTurn }, meter);
    return { lane, outcome, compute_ms: computeTime_ms() - from_ms, meter };
  }

  /**
   * Runs lanes in one decoding pass and returns a result for each. The decoding time is split evenly between them. If the
   * pictures cannot be read, each lane runs without them.
   */
  async runTogether(lanes: readonly DueLane[]): Promise<readonly LaneResult[]> {
    const from_ms = computeTime_ms();
    let results: readonly LaneResult[];
    try {
      const all = this.#input.recording();
      const wantsDepth = lanes.some(({ row }) => row.needs.distances !== undefined);
      const recording = wantsDepth ? all : { ...all, depths: [] };
      results = await withPictureFiles(recording, (root) => {
        const needs = lanes.map((lane): FrameNeeds => laneFrameNeeds(lane)!(lane.config));
        const { resources, signal } = this.#tools;
        const feed = new FrameFeed(
          episodeFrames(recording, needs, { resources, root, signal }),
          lanes.length,
        );
        const turns = new TurnQueue();
        const completions = new Map(lanes.map(({ row }) => [row.id, Promise.withResolvers<void>()]));
        const pass = { feed, turns, recording, root, completions };
        return Promise.all(lanes.map((lane, at) => this.#runInPass(lane, at, pass)));
      });
    } catch (thrown) {
      results = await Promise.all(lanes.map((lane) => this.#runWithoutPictures(lane, thrown)));
    }
    const own_ms = results.reduce((sum, result) => sum + result.compute_ms, 0);
    const share_ms = Math.max(0, computeTime_ms() - from_ms - own_ms) / lanes.length;
    return results.map((result) => ({ ...result, compute_ms: result.compute_ms + share_ms }));
  }

  async #runInPass(lane: DueLane, at: number, pass: FramePass): Promise<LaneResult> {
    const { feed, turns, recording, root, completions } = pass;
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
          const batch = selectFrames(fed, at);
          if (batch !== null) yield batch;
        }
      } finally {
        await feed.unsubscribe(at);
      }
    };
    const { distances } = lane.row.needs;
    const depths = () => {
      if (distances === undefined) return noDistances();
      return distanceBatches(recording, distances(lane.config).rate_hz, { resources, root, signal });
    };
    const done = async (layer: LayerId): Promise<void> => {
      const other = completions.get(layer);
      if (other === undefined || lane.row.needs.layers_after_frames?.includes(layer) !== true) return;
      await feed.unsubscribe(at);
      await meanwhile(other.promise);
    };
    const outsideTurn: VisionHooks['outsideTurn'] = (work) => meanwhile(work());
    const meter = new LaneMeter();
    const outcome = await this.#run(lane, { frames, distances: depths, waitFor: done, outsideTurn }, meter);
    if ('output' in outcome) this.#outputs.set(lane.row.id, outcome.output);
    await feed.unsubscribe(at);
    completions.get(lane.row.id)?.resolve();
    own_ms += release();
    return { lane, outcome, compute_ms: own_ms, meter };
  }

  /** Runs a lane without pictures if its frames are optional; otherwise returns `thrown`. */
  async #runWithoutPictures(lane: DueLane, thrown: unknown): Promise<LaneResult> {
    const meter = new LaneMeter();
    const isOver = lane.row.needs.frames_optional !== true || toFailed(thrown).state === 'again';
    if (isOver) return { lane, outcome: { thrown }, compute_ms: 0, meter };
    const inputs: LaneInputs = {
      frames: unreadableFrames(thrown),
      distances: noDistances,
      outsideTurn: (work) => work(),
    };
    return { lane, outcome: await this.#run(lane, inputs, meter), compute_ms: 0, meter };
  }

  async #run(lane: DueLane, inputs: LaneInputs, meter: LaneMeter): Promise<LaneResult['outcome']> {
    const { row } = lane;
    const used: Record<string, string> = {};
    try {
      const output = await runLayer(row, this.#input.episode, this.#context(lane, inputs, meter, used));
      const input_hash = sha256(
        canonicalJson({ ...this.#input.facts, ...(inputLayers(row).length > 0 && { outputs: used }) }),
      );
      return { output, input_hash };
    } catch (thrown) {
      return { thrown };
    }
  }

  /** Creates the context of a lane. `used` collects the hashes of other layers' outputs that it reads. */
  #context(
    { row, config, models }: DueLane,
    { frames, distances, waitFor: done, outsideTurn }: LaneInputs,
    meter: LaneMeter,
    used: Record<string, string>,
  ): LaneContext {
    const { resources, signal, progress } = this.#tools;
    let read = false;
    return {
      ...{ config, signal, progress },
      frames: () => {
        if (read) throw new AssayError('internal', `the lane of ${row.id} requested its frames twice`);
        read = true;
        return frames();
      },
      distances,
      model: async (surface, graph) => {
        requireDeclared(row, surfacesOf(row).includes(surface), surface);
        const ref = models[surface];
        if (ref === undefined || ref.endpoint !== undefined) return null;
        const session = await resources.session(ref, graph);
        meter.addSession(surface, session);
        return session;
      },
      vision: (surface) => {
        requireDeclared(row, surfacesOf(row).includes(surface), surface);
        const onUsage = (usage: VisionUsage) => meter.tokens.add(usage);
        const onAnswer = (model: string) => meter.addAnswer(surface, model);
        const hooks = { signal, progress, onUsage, onAnswer, outsideTurn };
        return visionModel(models[surface] ?? noModel, hooks);
      },
      useAlgorithm: (surface, algorithm) => {
        requireDeclared(row, surfacesOf(row).includes(surface), surface);
        requireAlgorithm(surface, algorithm);
        meter.addAlgorithm(surface, algorithm);
      },
      output: async (layer) => {
        requireDeclared(row, inputLayers(row).includes(layer), layer);
        await done?.(layer);
        const made = this.#outputs.get(layer);
        const json = made === undefined ? await this.#input.output(layer) : producedJson(made);
        if (json !== null) used[layer] = sha256(canonicalJson(json));
        return json;
      },
    };
  }
}

/** Returns the artifact of a layer for other layers; null if it has no output. */
const producedJson = ({ not_produced, parts }: LaneOutput): JsonObject | null =>
  not_produced === undefined ? parts[0].json : null;

const noModel = { model: '' };

const noFrames: FrameSource = () => {
  throw new AssayError('internal', 'the layer declares no frames');
};

/** Returns the source of frames of an episode whose pictures cannot be read: it yields the reason and no frame. */
const unreadableFrames = (thrown: unknown): FrameSource =>
  async function* () {
    yield { camera: '', frames: [], missing: [], unreadable: messageOf(thrown) };
  };

const noDistances: DistanceSource = () => {
  throw new AssayError('internal', 'the layer declares no distances');
};

function requireDeclared({ id }: Pick<JobLayerRow, 'id'>, declared: boolean, what: string): void {
  if (!declared) throw new AssayError('internal', `the row of ${id} does not declare that it needs ${what}`);
}

function requireAlgorithm(surface: ModelSurfaceId, algorithm: string): void {
  const option = surfaceOf(surface).options.find(({ id }) => id === algorithm);
  if (option?.runtime !== 'algorithm')
    throw new AssayError('internal', `${algorithm} is no algorithm of the surface ${surface}`);
}

/** State and error of an item that failed. */
export type Failed = Pick<UndoneRow, 'state' | 'error'>;

/** Error codes that a retry may avoid. */
const transientCodes = new Set(['storage_unavailable', 'busy', 'rate_limited', 'endpoint_unavailable']);

/** Returns the state and error for a failed item: `again` if a retry may succeed, else `failed`; rethrows `cancelled`. */
export function toFailed(thrown: unknown): Failed {
  if (thrown instanceof AssayError && thrown.code === 'cancelled') throw thrown;
  const mayPass = thrown instanceof AssayError && transientCodes.has(thrown.code);
  return { state: mayPass ? 'again' : 'failed', error: toRunError(thrown) };
}

function toRunError(thrown: unknown): RunError {
  if (thrown instanceof AssayError) {
    const { code, message, path, advice } = thrown;
    return { code, message, path, advice };
  }
  const advice = 'report a bug with the episode id; its other layers are not affected';
  return { code: 'internal', message: `internal error: ${messageOf(thrown)}`, path: null, advice };
}
