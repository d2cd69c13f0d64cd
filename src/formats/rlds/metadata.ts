import { type Finding, type Outcome, type TaskText, unknownOutcome } from '#core/episode';
import type { FeatureValues } from './example.ts';
import { isInstruction, type Leaf } from './features.ts';
import type { KnownDataset } from './known-datasets.ts';

type Example = ReadonlyMap<string, FeatureValues>;

const maxTexts = 64;
const maxTextBytes = 16 * 1024;

/**
 * Returns the distinct, non-empty instructions of an episode in the order of the steps; `null` if it has no feature for
 * them.
 */
export function readTaskTexts(leaves: readonly Leaf[], example: Example): readonly TaskText[] | null {
  const textFeatures = leaves.filter(
    (leaf) => leaf.kind === 'text' && isInstruction(leaf.id) && example.has(leaf.key),
  );
  if (textFeatures.length === 0) return null;
  const tasks = new Map<string, TaskText>();
  for (const { key, id } of textFeatures)
    for (const text of distinctTexts(example.get(key)!)) {
      if (text.trim() === '' || tasks.has(text) || tasks.size >= maxTexts) continue;
      tasks.set(text, { text, source: id });
    }
  return [...tasks.values()];
}

/**
 * Returns the distinct texts of a feature. Neighbouring entries are mostly equal, so bytes are compared before
 * decoding.
 */
function distinctTexts(values: FeatureValues): Set<string> {
  const texts = new Set<string>();
  if (values.kind !== 'bytes') return texts;
  let previous: Buffer = Buffer.alloc(0);
  for (let row = 0; row < values.count && texts.size < maxTexts; row++) {
    const view = values.bytes(row);
    const bytes = Buffer.from(view.buffer, view.byteOffset, Math.min(view.length, maxTextBytes));
    if (row > 0 && previous.equals(bytes)) continue;
    previous = bytes;
    texts.add(bytes.toString('utf8'));
  }
  return texts;
}

/**
 * Returns the outcome by the episode's metadata, or by its path for datasets that sort by outcome; `unknown` if neither
 * tells it. Rewards do not count: converters write 1 at the last step of every episode.
 */
export function readOutcome(example: Example, known: KnownDataset | null): Outcome {
  for (const key of [
    'episode_metadata/success',
    'episode_metadata/is_success',
    'episode_metadata/successful',
  ]) {
    const label = readScalar(example.get(key));
    if (label === null) continue;
    return {
      value: label !== 0 ? 'success' : 'failure',
      evidence: 'declared',
      reason: `${key} is ${label !== 0 ? 'true' : 'false'}`,
    };
  }
  const folder = /(^|\/)(success|failure)\//.exec(text(example.get('episode_metadata/file_path')) ?? '')?.[2];
  if (known?.outcome_in_path === true && folder !== undefined)
    return {
      value: folder === 'success' ? 'success' : 'failure',
      evidence: 'known_format',
      reason: `episode_metadata/file_path contains the folder ${folder}, which marks the outcome in this dataset`,
    };
  if (!example.has('steps/reward')) return unknownOutcome;
  return { ...unknownOutcome, reason: 'the episode has rewards, but no label that defines their meaning' };
}

/** Returns a finding if the episode is marked invalid, else `null`. */
export function invalidFinding(example: Example, path: string): Finding | null {
  const invalid = readScalar(example.get('episode_metadata/invalid'));
  if (invalid === null || invalid === 0) return null;
  return {
    code: 'episode_marked_invalid',
    severity: 'warning',
    path,
    message: 'episode_metadata/invalid is true: the episode was marked as invalid when it was recorded',
    advice: 'exclude it from training',
  };
}

function readScalar(values: FeatureValues | undefined): number | null {
  return values === undefined || values.kind === 'bytes' || values.count !== 1 ? null : values.numbers()[0];
}

function text(values: FeatureValues | undefined): string | null {
  if (values === undefined || values.kind !== 'bytes' || values.count === 0) return null;
  return new TextDecoder().decode(values.bytes(0).subarray(0, maxTextBytes));
}
