import { z } from 'zod';
import { AssayError, canonicalJson, type JsonObject, type JsonValue, sha256, significant } from '#core';
import { type LayerId, layerIds } from '#core/api';
import { timesOf } from '#core/episode';
import { type ArtifactSegment, parseObjectLabels, parseSegments } from '../../artifact-schemas.ts';
import {
  type Lane,
  type LaneContext,
  type LaneEpisode,
  type LaneFrame,
  type LaneOutput,
  mainPart,
  roundToMicroseconds,
  type VisionModel,
} from '../../lane.ts';
import { type FrameEvidence, reviewEpisode } from '../../review/review-episode.ts';
import { buildEvidence, type LayerReview } from '../../review/review-test.ts';
import { CameraNotes, evenTimes, FrameSampler, framesByWindow } from '../../vision/frame-selection.ts';
import {
  framesPerStatement,
  judgeStatements,
  pickEvenly,
  type StatementJudgement,
} from './judge-statements.ts';

/** Layers whose content can be compared with sampled frames. */
const frameCheckedLayers = ['segments', 'object_labels', 'dense_text'] as const satisfies readonly LayerId[];

const denseTextSchema = z.object({ statements: z.array(z.object({ text: z.string() })) });

/** Maximum distance in time between a sampled frame and the labelled frame that it is compared with. */
const maxFrameDistance_s = 0.5;

/** Statement about a segment, by its kind; `null` if a picture cannot show it. */
const segmentStatements: Readonly<Record<ArtifactSegment['kind'], string | null>> = {
  unobserved: null,
  gripper_close: 'a gripper closes',
  gripper_open: 'a gripper opens',
  gripper_change: 'a gripper opens or closes',
  still: 'the controlled robot or vehicle does not move',
  move: 'the controlled robot or vehicle moves',
};

/** Returns what a layer's artifact states about a moment, in words; `null` if nothing. */
function statementAt(layer: LayerId, artifact: JsonObject, time_s: number): string | null {
  const within = (one: { readonly from_s: number; readonly to_s: number }) =>
    time_s >= one.from_s && (time_s < one.to_s || one.from_s === one.to_s);
  if (layer === 'captions') return captionsSchema.parse(artifact).windows.find(within)?.text || null;
  if (layer === 'segments') {
    const kind = parseSegments(artifact).segments.find(within)?.kind;
    return kind === undefined ? null : segmentStatements[kind];
  }
  if (layer !== 'object_labels') return null;
  const frames = parseObjectLabels(artifact)?.frames ?? [];
  const [nearest] = frames.toSorted((a, b) => Math.abs(a.time_s - time_s) - Math.abs(b.time_s - time_s));
  if (
    nearest === undefined ||
    Math.abs(nearest.time_s - time_s) > maxFrameDistance_s ||
    nearest.boxes.length === 0
  )
    return null;
  return `in view: ${[...new Set(nearest.boxes.map(({ label }) => label))].join(', ')}`;
}

/** Returns what a layer's artifact states about the whole episode. */
const episodeStatements = (layer: LayerId, artifact: JsonObject): readonly string[] =>
  layer === 'dense_text' ? denseTextSchema.parse(artifact).statements.map(({ text }) => text) : [];

/** Review of the layers that an episode carries. */
export const lane: Lane = { version: 2, run: reviewAnnotations };

type Artifacts = Readonly<Partial<Record<LayerId, JsonObject>>>;
type FrameEvidenceByLayer = Partial<Record<LayerId, FrameEvidence>>;

interface FrameReview {
  readonly sampled: readonly SampledFrame[];
  readonly seen: FrameEvidenceByLayer;
  readonly agreement: JsonObject;
}

/**
 * Reviews each layer that the episode carries: by deterministic tests and, if a vision endpoint is selected for
 * `reviewing`, by asking it whether sampled frames match what the layers state.
 */
async function reviewAnnotations(episode: LaneEpisode, context: LaneContext): Promise<LaneOutput> {
  const artifacts: Partial<Record<LayerId, JsonObject>> = {};
  for (const layer of layerIds) {
    const artifact = await context.output(layer);
    if (artifact !== null) artifacts[layer] = artifact;
  }
  const vision = context.vision('reviewing');
  if (vision === null) context.useAlgorithm('reviewing', 'assay/review-tests');
  const { sampled, seen, agreement } =
    vision === null
      ? withoutFrameEvidence(sampledRows(episode, Number(context.config.frames)), artifacts, noEndpointReason)
      : await reviewFrames(episode, artifacts, vision, context);
  const layers = reviewEpisode({ facts: episode.facts, artifacts }, seen);
  const json = {
    agreement,
    layers: layers as unknown as JsonValue,
    model: vision?.model ?? null,
    reason: layers.length > 0 ? null : 'the episode has no annotations',
    sampled: sampled.map(({ camera, row, time_s }) => ({
      ...{ camera, row, time_s: roundToMicroseconds(time_s), says: statementsAt(artifacts, time_s) },
    })),
    schema: 'assay/annotation-review/v1',
  };
  return { parts: [{ name: mainPart, media_type: 'application/json', json }], ...computeGrade(layers) };
}

const noEndpointReason = 'no vision endpoint is selected for reviewing (set ASSAY_VLM_URL)';

/** Returns a result without frame evidence, with the reason for each layer. */
function withoutFrameEvidence(
  sampled: readonly SampledFrame[],
  artifacts: Artifacts,
  reason: string,
): FrameReview {
  const layers = (['captions', ...frameCheckedLayers] as const).filter(
    (layer) => artifacts[layer] !== undefined,
  );
  return {
    sampled,
    seen: Object.fromEntries(layers.map((layer) => [layer, { not_held: reason }])),
    agreement: { not_assessable: reason },
  };
}

/**
 * Compares layers with frames in one pass over the frames: captions window by window, other layers on evenly spread
 * frames.
 */
async function reviewFrames(
  { facts }: LaneEpisode,
  artifacts: Artifacts,
  vision: VisionModel,
  { config, frames, signal }: LaneContext,
): Promise<FrameReview> {
  const { captions } = artifacts;
  const notes = new CameraNotes();
  const near = new FrameSampler(evenTimes(0, facts.episode.duration_s, Number(config.frames)));
  const windows = captions === undefined ? [] : pickCaptionWindows(captions, Number(config.windows));
  const judged: Awaited<ReturnType<typeof judgeWindow>>[] = [];
  for await (const { window, frames: own } of framesByWindow(windows, near.collectFrom(frames()), notes)) {
    signal.throwIfAborted();
    if (own.length > 0) judged.push(await judgeWindow(vision, window, own));
  }
  const sampled = near.found;
  const reason = unreadableReason(notes);
  if (reason !== null) return withoutFrameEvidence(sampled, artifacts, reason);
  const seen: FrameEvidenceByLayer = {};
  if (captions !== undefined) seen.captions = captionEvidence(judged);
  for (const layer of frameCheckedLayers) {
    const artifact = artifacts[layer];
    if (artifact !== undefined) seen[layer] = await reviewStatements(vision, layer, artifact, sampled);
  }
  return {
    sampled,
    seen,
    agreement:
      captions === undefined
        ? { not_assessable: 'the episode has no captions' }
        : buildAgreement(captions, vision.model, judged),
  };
}

/** Returns the reason why there is no frame to look at; `null` if there is one. */
function unreadableReason(notes: CameraNotes): string | null {
  try {
    notes.requireFrames();
    return null;
  } catch (thrown) {
    if (thrown instanceof AssayError) return thrown.message;
    throw thrown;
  }
}

const statementsAt = (artifacts: Artifacts, time_s: number): JsonObject =>
  Object.fromEntries(
    (['captions', ...frameCheckedLayers] as const).flatMap((layer) => {
      const artifact = artifacts[layer];
      const statement = artifact === undefined ? null : statementAt(layer, artifact, time_s);
      return statement === null ? [] : [[layer, statement]];
    }),
  );

function computeGrade(
  layers: readonly LayerReview[],
): Pick<LaneOutput, 'counts' | 'quality' | 'quality_reason'> {
  const of = (verdict: LayerReview['verdict']) => layers.filter((one) => one.verdict === verdict).length;
  const [good, needs_work, bad, not_assessable] = [
    of('good'),
    of('needs_work'),
    of('bad'),
    of('not_assessable'),
  ];
  const assessed = good + needs_work + bad;
  return {
    counts: { layers: layers.length, good, needs_work, bad, not_assessable },
    quality: assessed === 0 ? null : significant(good / assessed, 4),
    quality_reason: assessed === 0 ? 'no layer could be reviewed' : null,
  };
}

/** A frame by camera, row and time. */
type SampledFrame = Pick<LaneFrame, 'camera' | 'row' | 'time_s'>;

/** Returns evenly spread frames of the first camera by their timestamps, without decoding; empty if there is none. */
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

const maxStatements = 20;

/** Compares a layer's statements about the sampled frames with those frames. */
async function reviewStatements(
  vision: VisionModel,
  layer: LayerId,
  artifact: JsonObject,
  frames: readonly LaneFrame[],
): Promise<FrameEvidence> {
  const statements = [
    ...episodeStatements(layer, artifact),
    ...frames.flatMap(({ time_s }, at) => {
      const statement = statementAt(layer, artifact, time_s);
      return statement === null ? [] : [`Frame ${at + 1}: ${statement}`];
    }),
  ];
  if (statements.length === 0) return { not_held: 'it has no output for the sampled frames' };
  const own = pickEvenly(statements, maxStatements);
  const judged = await judgeStatements(vision, frames, own);
  const assessed = judged
    .map((one, at) => ({ ...one, text: own[at] }))
    .filter((one) => one.judged !== 'unclear');
  if (assessed.length === 0) return { not_held: 'the frames do not show enough to decide' };
  const faults = assessed
    .filter((one) => one.judged === 'mismatch')
    .map(({ text, note }) => `“${text}”: ${note}`);
  return {
    evidence: buildEvidence(
      assessed.length,
      faults,
      `run the layer ${layer} again with another model or other settings, or review it manually`,
    ),
  };
}

const captionsSchema = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});
type CaptionWindow = z.infer<typeof captionsSchema>['windows'][number];

/** Returns at most `max` caption windows with text, evenly spread. */
const pickCaptionWindows = (captions: JsonObject, max: number): readonly CaptionWindow[] =>
  pickEvenly(
    captionsSchema.parse(captions).windows.filter(({ text }) => text.trim() !== ''),
    max,
  );

interface JudgedWindow extends CaptionWindow, StatementJudgement {}

/** Compares the text of a caption window with its frames. */
async function judgeWindow(
  vision: VisionModel,
  window: CaptionWindow,
  frames: readonly LaneFrame[],
): Promise<JudgedWindow> {
  const [judged] = await judgeStatements(vision, pickEvenly(frames, framesPerStatement), [window.text]);
  return { ...window, ...judged };
}

/**
 * Builds the `agreement` object that certification reads: hash of the captions, model, and each window with its
 * judgement.
 */
const buildAgreement = (
  captions: JsonObject,
  model: string,
  windows: readonly JudgedWindow[],
): JsonObject => ({
  captions_hash: sha256(canonicalJson(captions)),
  model,
  windows: windows.map(({ from_s, to_s, ...rest }) => ({
    from_s: roundToMicroseconds(from_s),
    to_s: roundToMicroseconds(to_s),
    ...rest,
  })),
});

/** Builds review evidence for the captions layer from the judged windows; unclear judgements are left out. */
function captionEvidence(windows: readonly JudgedWindow[]): FrameEvidence {
  const assessed = windows.filter(({ judged }) => judged !== 'unclear');
  if (assessed.length === 0) return { not_held: 'the frames do not show enough to decide for any caption' };
  const faults = assessed
    .filter(({ judged }) => judged === 'mismatch')
    .map(({ from_s, text, note }) => `the caption at ${from_s} s is “${text}”: ${note}`);
  return {
    evidence: buildEvidence(
      assessed.length,
      faults,
      'run the layer captions again, or write the captions manually',
    ),
  };
}
