import type { JsonObject, JsonValue } from '#core';
import type { Kind } from '#core/episode';
import type { LaneEpisode } from '../../lane.ts';

type ReceiptFacts = LaneEpisode['facts'];

/** Kinds of data that record an attempt at a task, so that task and outcome apply. */
const attemptKinds: readonly Kind[] = ['teleop', 'egocentric', 'state-only'];
const robotKinds: readonly Kind[] = ['teleop', 'drive-log', 'aerial-flight', 'state-only'];

/**
 * Returns the facts that the receipt states about the recording; each is known, unknown with the reason, or
 * inapplicable to its kind.
 */
export function recordingFacts(facts: ReceiptFacts): Facts {
  const { episode, kind } = facts;
  return {
    cameras: cameraFact(facts),
    dims: dimsFact(facts),
    duration_s: durationFact(facts),
    kind: knownFact(kind.kind),
    outcome: outcomeFact(facts),
    rates_hz: ratesFact(facts),
    robot:
      episode.robot !== null
        ? knownFact(episode.robot)
        : robotKinds.includes(kind.kind)
          ? unknownFact('the recording does not name the robot')
          : inapplicableFact('recordings of this kind have no robot'),
    tasks: tasksFact(facts),
  };
}

function durationFact({ episode, kind }: ReceiptFacts): Fact {
  if (kind.kind === 'vision-asset') return inapplicableFact('still images have no duration');
  if (episode.duration_s > 0) return knownFact(episode.duration_s);
  return unknownFact('no stream has two different timestamps, so the duration is unknown');
}

function outcomeFact({ episode: { outcome }, kind }: ReceiptFacts): Fact {
  if (outcome.value !== 'unknown') return knownFact({ ...outcome });
  return attemptKinds.includes(kind.kind)
    ? unknownFact(outcome.reason)
    : inapplicableFact('recordings of this kind have no task');
}

function tasksFact({ episode, kind }: ReceiptFacts): Fact {
  const texts = (episode.tasks ?? []).filter((text) => text.trim() !== '');
  if (texts.length > 0) return knownFact(texts);
  if (!attemptKinds.includes(kind.kind)) return inapplicableFact('recordings of this kind have no task');
  return unknownFact(
    episode.tasks === null ? 'the format does not store task texts' : 'the episode has no task text',
  );
}

/** Returns number of pictures, size in px (width, height) and rate of each camera. */
function cameraFact({ streams }: ReceiptFacts): Fact {
  const found = streams.filter(({ role }) => role === 'camera' || role === 'depth');
  if (found.length === 0) return inapplicableFact('no images');
  return knownFact(
    found.map(({ id, measured_rate_hz, role, sample_count, shape }) => ({
      pictures: sample_count,
      rate_hz: measured_rate_hz,
      role,
      size_px: pictureSize(shape),
      stream: id,
    })),
  );
}

/** Returns width and height of a shape in HWC or CHW order; `null` if it is no picture shape. */
function pictureSize(shape: readonly number[]): [width: number, height: number] | null {
  const [a, b, c] = shape;
  if (shape.length === 2) return [b, a];
  if (shape.length !== 3) return null;
  return a <= 4 && c > 4 ? [c, b] : [b, a];
}

function ratesFact({ kind, streams }: ReceiptFacts): Fact {
  if (kind.kind === 'vision-asset') return inapplicableFact('still images have no duration');
  const found = streams.filter(({ measured_rate_hz }) => measured_rate_hz !== null);
  if (found.length === 0)
    return unknownFact('no stream has two different timestamps, so the duration is unknown');
  return knownFact(
    found.map(({ clock, id, measured_rate_hz, role }) => ({
      clock: clock === null ? null : clock.provenance,
      rate_hz: measured_rate_hz,
      role,
      stream: id,
    })),
  );
}

/** Returns the number of values per sample, by role. */
function dimsFact({ streams }: ReceiptFacts): Fact {
  const numeric = streams.filter(({ modality }) => modality === 'numeric');
  if (numeric.length === 0) return inapplicableFact('no numeric streams');
  const byRole: Record<string, number> = {};
  for (const role of numeric.map(({ role }) => role).sort()) byRole[role] = 0;
  for (const { role, shape } of numeric) byRole[role] += shape.reduce((product, size) => product * size, 1);
  return knownFact(byRole);
}

/**
 * A metadata fact. `told`: the value is known. `unknown`: it applies, but the recording does not state it.
 * `inapplicable`: an episode of this kind has no such fact. `value` is `null` with a reason unless the status is
 * `told`.
 */
export type Fact =
  | { readonly status: 'told'; readonly value: JsonValue; readonly reason: null }
  | { readonly status: 'unknown' | 'inapplicable'; readonly value: null; readonly reason: string };

/** Creates a known fact. */
export const knownFact = (value: JsonValue): Fact => ({ reason: null, status: 'told', value });
/** Creates an unknown fact with its reason. */
export const unknownFact = (reason: string): Fact => ({ reason, status: 'unknown', value: null });
/** Creates a fact that does not apply to the recording, with its reason. */
export const inapplicableFact = (reason: string): Fact => ({ reason, status: 'inapplicable', value: null });

/** Facts by name. */
export type Facts = Readonly<Record<string, Fact>>;

/** Returns facts as JSON, sorted by name. */
export function factsJson(facts: Facts): JsonObject {
  const json: Record<string, JsonObject> = {};
  for (const name of Object.keys(facts).sort()) json[name] = facts[name];
  return json;
}

/** Returns the fraction of applicable facts that are known; `null` if none is applicable. */
export function filledFraction(facts: Facts): number | null {
  const applicable = Object.values(facts).filter(({ status }) => status !== 'inapplicable');
  if (applicable.length === 0) return null;
  return applicable.filter(({ status }) => status === 'told').length / applicable.length;
}
