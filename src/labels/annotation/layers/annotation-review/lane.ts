import { AssayError, type JsonObject, type JsonValue, significant } from '#core';
import { type LayerId, layerIds } from '#core/api';
import {
  type Lane,
  type LaneContext,
  type LaneEpisode,
  type LaneOutput,
  mainPart,
  type VisionModel,
} from '../../lane.ts';
import { micro } from '../../micro.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';
import { reviewEpisode, type SeenInFrames } from '../../review/review-episode.ts';
import type { LayerReview } from '../../review/verdict.ts';
import { framesByWindow } from '../../vision/frames-by-window.ts';
import { evenTimes, NearFrames } from '../../vision/frames-near.ts';
import { agreementOf, judgeWindow, seenOfCaptions, windowsToJudge } from './review-captions.ts';
import { reviewStatements } from './review-statements.ts';
import { saidAt, seenLayers } from './said-at.ts';
import { type SampledFrame, sampledRows } from './sampled-rows.ts';

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
