import type { Episode, Finding } from '#episode';
import { createFileHasher } from '../../bytes/file-hash.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import type { Dataset, DatasetFacts, ReadOptions, Recognition, Unreadable, WorkUnit } from '../../reader.ts';
import { type PictureEntry, pictureEpisode } from './picture-episode.ts';

/** Pictures in one work unit. */
const unitSize = 500;
/** Files hashed at a time, so that reading the next overlaps with hashing this one. */
const ahead = 4;

export interface PictureSet {
  readonly tree: SourceTree;
  readonly recognition: Recognition;
  readonly facts: DatasetFacts;
  readonly findings: readonly Finding[];
  /** Number of pictures; `entry(i)` gives one of them, so that a large set need not hold all entries. */
  readonly bytes: ArrayLike<number>;
  entry(index: number): PictureEntry;
}

/** A set of lone pictures as a dataset: one picture an episode, some hundreds a unit. */
export function pictureDataset(set: PictureSet): Dataset {
  return {
    facts: set.facts,
    recognition: set.recognition,
    findings: set.findings,
    units: unitsOf(set.bytes),
    read: (unit, options) => readUnit(set, unit, options),
    close: async () => {},
  };
}

function unitsOf(bytes: ArrayLike<number>): WorkUnit[] {
  const units: WorkUnit[] = [];
  for (let first = 0; first < bytes.length; first += unitSize) {
    const count = Math.min(unitSize, bytes.length - first);
    let sum = 0;
    for (let i = first; i < first + count; i++) sum += bytes[i];
    units.push({
      id: `pictures ${first}`,
      expected_episodes: count,
      first_index: first,
      bytes: sum,
      selector: null,
    });
  }
  return units;
}

async function* readUnit(
  set: PictureSet,
  unit: WorkUnit,
  { signal, onBytes }: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const hasher = createFileHasher(set.tree);
  const end = unit.first_index + unit.expected_episodes;
  let read = 0;
  const start = (index: number) => {
    const entry = set.entry(index);
    return { entry, hash: hasher.sha256(entry.path) };
  };
  const pending = [];
  for (let i = unit.first_index; i < Math.min(end, unit.first_index + ahead); i++) pending.push(start(i));
  for (let index = unit.first_index; index < end; index++) {
    signal?.throwIfAborted();
    const { entry, hash } = pending.shift()!;
    if (index + ahead < end) pending.push(start(index + ahead));
    const sha256 = await hash;
    read += entry.bytes;
    onBytes?.(read);
    const findings = sha256 === null ? [unreadableFinding(entry.path)] : [];
    yield pictureEpisode(entry, { format: set.facts.format, index, sha256, findings });
  }
}

function unreadableFinding(path: string): Finding {
  return {
    code: 'file_unreadable',
    severity: 'error',
    path,
    message: `${path} could not be read`,
    advice: 'check that the file is still there and that you may read it',
  };
}
