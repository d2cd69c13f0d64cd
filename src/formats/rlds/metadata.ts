import type { Finding, Outcome, TaskText } from '#core/episode';
import { unknownOutcome } from '#core/episode';
import type { Leaf } from './feature-tree.ts';
import type { KnownDataset } from './known-datasets.ts';
import type { FeatureValues } from './records/example.ts';
import { isInstruction } from './roles.ts';

type Example = ReadonlyMap<string, FeatureValues>;

const mostTexts = 64;
const mostTextBytes = 16 * 1024;

/** Instructions of an episode, each once, in the order of the steps; null where no feature carries any. */
export function tasksOf(leaves: readonly Leaf[], example: Example): readonly TaskText[] | null {
  const carrying = leaves.filter(
    (leaf) => leaf.kind === 'text' && isInstruction(leaf.id) && example.has(leaf.key),
  );
  if (carrying.length === 0) return null;
  const found = new Map<string, TaskText>();
  for (const { key, id } of carrying)
    for (const text of distinctTexts(example.get(key)!)) {
      if (text.trim() === '' || found.has(text) || found.size >= mostTexts) continue;
      found.set(text, { text, source: id });
    }
  return [...found.values()];
}

/** Neighbouring entries are mostly equal, and comparing bytes is cheaper than decoding them. */
function distinctTexts(values: FeatureValues): Set<string> {
  const texts = new Set<string>();
  if (values.kind !== 'bytes') return texts;
  let before: Buffer = Buffer.alloc(0);
  for (let row = 0; row < values.count && texts.size < mostTexts; row++) {
    const view = values.bytes(row);
    const bytes = Buffer.from(view.buffer, view.byteOffset, Math.min(view.length, mostTextBytes));
    if (row > 0 && before.equals(bytes)) continue;
    before = bytes;
    texts.add(bytes.toString('utf8'));
  }
  return texts;
}

/** Success only where metadata says it: a reward of 1 on the last step is what converters write whatever happened. */
export function outcomeOf(example: Example, known: KnownDataset | null): Outcome {
  for (const key of [
    'episode_metadata/success',
    'episode_metadata/is_success',
    'episode_metadata/successful',
  ]) {
    const label = scalar(example.get(key));
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
      reason: `episode_metadata/file_path lies in the folder ${folder}, by which the data set tells outcomes`,
    };
  if (!example.has('steps/reward')) return unknownOutcome;
  return { ...unknownOutcome, reason: 'the episode carries rewards and no label that says what they mean' };
}

export function invalidFinding(example: Example, path: string): Finding | null {
  const invalid = scalar(example.get('episode_metadata/invalid'));
  if (invalid === null || invalid === 0) return null;
  return {
    code: 'episode_marked_invalid',
    severity: 'warning',
    path,
    message: 'episode_metadata/invalid is true: whoever recorded the episode took it for invalid',
    advice: 'leave it out of training',
  };
}

function scalar(values: FeatureValues | undefined): number | null {
  return values === undefined || values.kind === 'bytes' || values.count !== 1 ? null : values.numbers()[0];
}

function text(values: FeatureValues | undefined): string | null {
  if (values === undefined || values.kind !== 'bytes' || values.count === 0) return null;
  return new TextDecoder().decode(values.bytes(0).subarray(0, mostTextBytes));
}
