import {
  type Episode,
  type Event,
  type Finding,
  type PictureLabel,
  type SourceRef,
  unknownOutcome,
} from '#core/episode';
import { createFileHasher, type SourceTree } from '#io/sources';
import type { Dataset, DatasetFacts, ReadOptions, Recognition, Unreadable, WorkUnit } from '../reader.ts';
import { splitOfPath } from '../split-of.ts';

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

/** One picture to be read as an episode. */
export interface PictureEntry {
  readonly path: string;
  readonly bytes: number;
  /** null: the set carries no labels. */
  readonly labels: readonly PictureLabel[] | null;
  readonly size_px: readonly [width: number, height: number] | null;
  /** Sentences about the picture, with where they were read. */
  readonly captions: readonly { readonly text: string; readonly source: string }[];
  /** Files the labels and captions came from. */
  readonly annotations: readonly SourceRef[];
  readonly findings?: readonly Finding[];
}

interface PictureSource {
  readonly format: string;
  readonly index: number;
  readonly sha256: string | null;
  readonly findings: readonly Finding[];
}

/** A lone picture: one camera, no clock, no length in time. */
function pictureEpisode(entry: PictureEntry, source: PictureSource): Episode {
  const { path, bytes } = entry;
  const split = splitOfPath(path);
  const events = entry.captions.map(({ text, source }): Event => ({ time_s: 0, label: text, source }));
  return {
    id: path,
    index: source.index,
    locator: { format: source.format, path },
    sources: [{ path, bytes, sha256: source.sha256, role: 'image' }, ...entry.annotations],
    start_ns: null,
    duration_s: 0,
    streams: [
      {
        id: 'picture',
        role: 'camera',
        modality: 'image',
        // Pictures of one set come in many sizes: the size of this one is in its evidence, not in the schema.
        shape: [],
        names: null,
        unit: { unit: 'px', evidence: 'known_format', reason: 'a picture file' },
        declared_rate_hz: null,
        sample_count: 1,
        clocks: [],
        clock: null,
        frames: {
          locator: { type: 'image-files', paths: [path] },
          declared_size_px: entry.size_px,
          declared_codec: null,
        },
      },
    ],
    events,
    tasks: null,
    outcome: unknownOutcome,
    robot: null,
    calibrations: [],
    grippers: [],
    labels: entry.labels,
    ...(split === null ? {} : { split }),
    findings: source.findings,
  };
}
