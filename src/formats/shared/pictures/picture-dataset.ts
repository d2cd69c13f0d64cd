import type { Episode, Finding } from '#core/episode';
import { createFileHasher, type SourceTree } from '#io/sources';
import type { Dataset, DatasetFacts, ReadOptions, Recognition, Unreadable, WorkUnit } from '../reader.ts';
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
  entry(index: number): PictureEntry | Promise<PictureEntry>;
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
      look_bytes: 0,
      selector: null,
    });
  }
  return units;
}

async function* readUnit(
  set: PictureSet,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const { signal, onBytes } = options;
  const hasher = createFileHasher(set.tree);
  const end = unit.first_index + unit.expected_episodes;
  let read = 0;
  const start = async (index: number) => {
    const entry = await set.entry(index);
    return { entry, sha256: options.look === true ? undefined : await hasher.sha256(entry.path) };
  };
  const pending = [];
  for (let i = unit.first_index; i < Math.min(end, unit.first_index + ahead); i++) pending.push(start(i));
  for (let index = unit.first_index; index < end; index++) {
    signal?.throwIfAborted();
    const current = pending.shift()!;
    if (index + ahead < end) pending.push(start(index + ahead));
    const { entry, sha256 } = await current;
    read += entry.bytes;
    onBytes?.(read);
    const own = entry.findings ?? [];
    const findings = sha256 === null ? [...own, unreadableFinding(entry.path)] : own;
    yield pictureEpisode(entry, { format: set.facts.format, index, sha256: sha256 ?? null, findings });
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
