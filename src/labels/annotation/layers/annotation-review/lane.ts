import { z } from 'zod';
import { AssayError, canonicalJson, type JsonObject, type JsonValue, sha256, significant } from '#core';
import { type LayerId, layerIds } from '#core/api';
import { timesOf } from '#core/episode';
import { readObjects } from '../../grammar/known-objects.ts';
import { type KnownSpan, readSpans } from '../../grammar/known-spans.ts';
import {
  type Lane,
  type LaneContext,
  type LaneEpisode,
  type LaneFrame,
  type LaneOutput,
  mainPart,
  type VisionModel,
} from '../../lane.ts';
import { micro } from '../../micro.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';
import { reviewEpisode, type SeenInFrames } from '../../review/review-episode.ts';
import { evidenceOf } from '../../review/review-test.ts';
import type { LayerReview } from '../../review/verdict.ts';
import { framesByWindow } from '../../vision/frames-by-window.ts';
import { evenTimes, NearFrames } from '../../vision/frames-near.ts';
import { framesOfStatement, type Judged, judgeStatements, spreadOver } from './judge-statements.ts';

/** Layers that say something that frames show. */
const seenLayers = ['segments', 'object_labels', 'dense_text'] as const satisfies readonly LayerId[];

const windows = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});
const statements = z.object({ statements: z.array(z.object({ text: z.string() })) });

/** A box was looked for at most so long before or after. */
const near_s = 0.5;

/** Spans in words that a picture can be held against. */
const happens: Readonly<Record<KnownSpan['kind'], string | null>> = {
  unobserved: null,
  gripper_close: 'a gripper closes',
  gripper_open: 'a gripper opens',
  gripper_change: 'a gripper opens or closes',
  still: 'nothing that is controlled moves',
  move: 'what is controlled moves',
};

/** What a layer says of a moment of an episode, in words; null: nothing. */
function saidAt(layer: LayerId, artifact: JsonObject, time_s: number): string | null {
  const within = (one: { readonly from_s: number; readonly to_s: number }) =>
    time_s >= one.from_s && (time_s < one.to_s || one.from_s === one.to_s);
  if (layer === 'captions') return windows.parse(artifact).windows.find(within)?.text || null;
  if (layer === 'segments') {
    const kind = readSpans(artifact).segments.find(within)?.kind;
    return kind === undefined ? null : happens[kind];
  }
  if (layer !== 'object_labels') return null;
  const frames = readObjects(artifact)?.frames ?? [];
  const [nearest] = frames.toSorted((a, b) => Math.abs(a.time_s - time_s) - Math.abs(b.time_s - time_s));
  if (nearest === undefined || Math.abs(nearest.time_s - time_s) > near_s || nearest.boxes.length === 0)
    return null;
  return `in view: ${[...new Set(nearest.boxes.map(({ label }) => label))].join(', ')}`;
}

/** What it says of the episode as a whole. */
const saidOfAll = (layer: LayerId, artifact: JsonObject): readonly string[] =>
  layer === 'dense_text' ? statements.parse(artifact).statements.map(({ text }) => text) : [];

export const lane: Lane = { version: 2, requires: [], run: review };

type Artifacts = Readonly<Partial<Record<LayerId, JsonObject>>>;
type Seen = Partial<Record<LayerId, SeenInFrames>>;

interface Look {
  readonly sampled: readonly SampledFrame[];
  readonly seen: Seen;
  readonly agreement: JsonObject;
}

/**
 * A verdict on each layer that an episode carries: by deterministic tests, and by the vision endpoint where it is the model
 * in effect for `reviewing`, which is shown frames beside what layers say of them.
 */
async function review(episode: LaneEpisode, context: LaneContext): Promise<LaneOutput> {
  const artifacts: Partial<Record<LayerId, JsonObject>> = {};
  for (const layer of layerIds) {
    const artifact = await context.output(layer);
    if (artifact !== null) artifacts[layer] = artifact;
  }
  const vision = context.vision('reviewing');
  const { sampled, seen, agreement } =
    vision === null
      ? unseen(sampledRows(episode, Number(context.config.frames)), artifacts, notAsked)
      : await look(episode, artifacts, vision, context);
  const layers = reviewEpisode({ facts: episode.facts, artifacts }, seen);
  const json = {
    agreement,
    layers: layers as unknown as JsonValue,
    model: vision?.model ?? null,
    reason: layers.length > 0 ? null : 'the episode carries no annotation',
    sampled: sampled.map(({ camera, row, time_s }) => ({
      ...{ camera, row, time_s: micro(time_s), says: saidOf(artifacts, time_s) },
    })),
    schema: 'assay/annotation-review/v1',
  };
  return { parts: [{ name: mainPart, media_type: 'application/json', json }], ...gradeOf(layers) };
}

const notAsked = 'no vision endpoint is the model in effect for reviewing (ASSAY_VLM_URL sets one)';

/** Nothing was held against frames, and why. */
function unseen(sampled: readonly SampledFrame[], artifacts: Artifacts, reason: string): Look {
  const layers = (['captions', ...seenLayers] as const).filter((layer) => artifacts[layer] !== undefined);
  return {
    sampled,
    seen: Object.fromEntries(layers.map((layer) => [layer, { not_held: reason }])),
    agreement: { not_assessable: reason },
  };
}

/** Goes through the frames once: windows of captions as they come, other layers over those that are spread evenly. */
async function look(
  { facts }: LaneEpisode,
  artifacts: Artifacts,
  vision: VisionModel,
  { config, frames, signal }: LaneContext,
): Promise<Look> {
  const { captions } = artifacts;
  const notes = new CameraNotes();
  const near = new NearFrames(evenTimes(0, facts.episode.duration_s, Number(config.frames)));
  const windows = captions === undefined ? [] : windowsToJudge(captions, Number(config.windows));
  const judged: Awaited<ReturnType<typeof judgeWindow>>[] = [];
  for await (const { window, frames: own } of framesByWindow(windows, near.passing(frames()), notes)) {
    signal.throwIfAborted();
    if (own.length > 0) judged.push(await judgeWindow(vision, window, own));
  }
  const sampled = near.found;
  const reason = unreadable(notes);
  if (reason !== null) return unseen(sampled, artifacts, reason);
  const seen: Seen = {};
  if (captions !== undefined) seen.captions = seenOfCaptions(judged);
  for (const layer of seenLayers) {
    const artifact = artifacts[layer];
    if (artifact !== undefined) seen[layer] = await reviewStatements(vision, layer, artifact, sampled);
  }
  return {
    sampled,
    seen,
    agreement:
      captions === undefined
        ? { not_assessable: 'the captions layer was not produced' }
        : agreementOf(captions, vision.model, judged),
  };
}

/** Why there is no frame to look at; null: there are some. */
function unreadable(notes: CameraNotes): string | null {
  try {
    notes.demandFrames();
    return null;
  } catch (thrown) {
    if (thrown instanceof AssayError) return thrown.message;
    throw thrown;
  }
}

const saidOf = (artifacts: Artifacts, time_s: number): JsonObject =>
  Object.fromEntries(
    (['captions', ...seenLayers] as const).flatMap((layer) => {
      const artifact = artifacts[layer];
      const said = artifact === undefined ? null : saidAt(layer, artifact, time_s);
      return said === null ? [] : [[layer, said]];
    }),
  );

function gradeOf(layers: readonly LayerReview[]): Pick<LaneOutput, 'counts' | 'quality' | 'quality_reason'> {
  const of = (verdict: LayerReview['verdict']) => layers.filter((one) => one.verdict === verdict).length;
  const [good, needs_work, bad, not_assessable] = [
    of('good'),
    of('needs_work'),
    of('bad'),
    of('not_assessable'),
  ];
  const told = good + needs_work + bad;
  return {
    counts: { layers: layers.length, good, needs_work, bad, not_assessable },
    quality: told === 0 ? null : significant(good / told, 4),
    quality_reason: told === 0 ? 'no layer could be judged' : null,
  };
}

/** A frame by its place. */
type SampledFrame = Pick<LaneFrame, 'camera' | 'row' | 'time_s'>;

/** Frames of the first camera, evenly spread over an episode, by their stamps alone. */
function sampledRows({ streams, facts }: LaneEpisode, count: number): SampledFrame[] {
  const camera = streams.find(({ role }) => role === 'camera');
  if (camera === undefined || camera.sample_count === 0) return [];
  const stamps = timesOf(camera);
  const rate_hz = camera.declared_rate_hz ?? 1;
  const timeOf = (row: number) => stamps?.[row] ?? row / rate_hz;
  const found = new Map<number, SampledFrame>();
  let row = 0;
  for (const time_s of evenTimes(0, facts.episode.duration_s, count)) {
    while (row < camera.sample_count - 1 && !(timeOf(row) >= time_s)) row++;
    found.set(row, { camera: camera.id, row, time_s: timeOf(row) });
  }
  return [...found.values()];
}

const mostStatements = 20;

/** What a layer says about sampled frames, held against them. */
async function reviewStatements(
  vision: VisionModel,
  layer: LayerId,
  artifact: JsonObject,
  frames: readonly LaneFrame[],
): Promise<SeenInFrames> {
  const statements = [
    ...saidOfAll(layer, artifact),
    ...frames.flatMap(({ time_s }, at) => {
      const said = saidAt(layer, artifact, time_s);
      return said === null ? [] : [`Frame ${at + 1}: ${said}`];
    }),
  ];
  if (statements.length === 0) return { not_held: 'it says nothing of the sampled frames' };
  const own = spreadOver(statements, mostStatements);
  const judged = await judgeStatements(vision, frames, own);
  const told = judged.map((one, at) => ({ ...one, text: own[at] })).filter((one) => one.judged !== 'unclear');
  if (told.length === 0) return { not_held: 'the frames do not let it be judged' };
  const faults = told
    .filter((one) => one.judged === 'mismatch')
    .map(({ text, note }) => `“${text}”: ${note}`);
  return {
    evidence: evidenceOf(
      told.length,
      faults,
      `run the layer ${layer} again with another model or other knobs, or have a person look at it`,
    ),
  };
}

const knownWindows = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});
type Window = z.infer<typeof knownWindows>['windows'][number];

/** Windows that say something, at most so many, evenly spread. */
const windowsToJudge = (captions: JsonObject, most: number): readonly Window[] =>
  spreadOver(
    knownWindows.parse(captions).windows.filter(({ text }) => text.trim() !== ''),
    most,
  );

interface JudgedWindow extends Window, Judged {}

/** Whether the text of a window is what its frames show. */
async function judgeWindow(
  vision: VisionModel,
  window: Window,
  frames: readonly LaneFrame[],
): Promise<JudgedWindow> {
  const [judged] = await judgeStatements(vision, spreadOver(frames, framesOfStatement), [window.text]);
  return { ...window, ...judged };
}

/** As certification reads it: of which captions, by which model, each window with its judgement. */
const agreementOf = (captions: JsonObject, model: string, windows: readonly JudgedWindow[]): JsonObject => ({
  captions_hash: sha256(canonicalJson(captions)),
  model,
  windows: windows.map(({ from_s, to_s, ...rest }) => ({
    from_s: micro(from_s),
    to_s: micro(to_s),
    ...rest,
  })),
});

/** The same as evidence on the layer. */
function seenOfCaptions(windows: readonly JudgedWindow[]): SeenInFrames {
  const told = windows.filter(({ judged }) => judged !== 'unclear');
  if (told.length === 0) return { not_held: 'no window has frames that let its text be judged' };
  const faults = told
    .filter(({ judged }) => judged === 'mismatch')
    .map(({ from_s, text, note }) => `the window from ${from_s} s says “${text}”: ${note}`);
  return {
    evidence: evidenceOf(told.length, faults, 'run the layer captions again, or have a person write them'),
  };
}
