import { significant } from '#core';
import type { Episode, Finding, Kind, Stream } from '#core/episode';
import { lookCut, stepOf, type Unreadable, type WorkUnit } from '#formats';
import { cutEpisode, type Recipe } from '#formats/recipes';
import { createFeatures, deriveKind } from '#quality/readiness';
import type { Found, FoundDatasets } from '../look/datasets.ts';

/** What lies under a path, seen without assessing it. */
export interface Inspection {
  readonly datasets: readonly DatasetView[];
  /** Of the listing, and of files that belong to no dataset. */
  readonly findings: readonly Finding[];
}

export interface DatasetView {
  readonly path: string;
  readonly format: string;
  readonly version: string | null;
  readonly evidence: readonly string[];
  readonly expected_episodes: number;
  readonly declared_episodes: number | null;
  readonly declared_frames: number | null;
  readonly declared_rate_hz: number | null;
  readonly declared_cameras: readonly string[];
  readonly robot: string | null;
  readonly bytes: number;
  readonly first: EpisodeView | null;
  /** Why `first` is null. */
  readonly first_reason: string | null;
  readonly findings: readonly Finding[];
}

export interface EpisodeView {
  readonly id: string;
  readonly kind: Kind;
  readonly duration_s: number;
  readonly streams: readonly StreamView[];
  /** False: only its beginning was read; samples and duration are of that. */
  readonly whole: boolean;
  /** How long its files say at their end that the whole is; null where they do not, or all was read. */
  readonly claimed: { readonly duration_s: number; readonly messages: number } | null;
  /** What a recipe would make of it; null without one. */
  readonly cuts: readonly CutView[] | null;
  /** What its files get wrong; what is only said of them is left to the receipt. */
  readonly findings: readonly Finding[];
}

/** An episode that a recipe would make, or, in its place, why it would make none. */
interface CutView {
  readonly id: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly begins: string;
  readonly ends: string;
  /** What would be said of how it was cut: what lies before it and is in no episode, why the recipe does not fit. */
  readonly said: readonly string[];
}

export interface StreamView {
  readonly id: string;
  readonly role: string;
  readonly modality: string;
  readonly shape: readonly number[];
  readonly samples: number;
  readonly unit: string;
  readonly declared_rate_hz: number | null;
  readonly measured_rate_hz: number | null;
  readonly clock: {
    readonly name: string;
    readonly provenance: string;
    readonly others: readonly string[];
  } | null;
  /** False: carried along and not looked into. */
  readonly judged: boolean;
}

export interface InspectOptions {
  readonly signal: AbortSignal;
  /** Hears of each dataset before its first episode is read. */
  readonly onStep: (step: string) => void;
  /** Also says what it would make of the first recording, which is then read whole where that is not long. */
  readonly recipe?: Recipe;
}

/** A first episode larger than this is not read for a look. */
const readForALook = 64e6;
/** Of many datasets, those that come later are only listed. */
const looksLast_ms = 600;

/** Says what datasets that were opened hold; inside a thread. */
export async function inspectDatasets(
  { found, findings, unopened }: FoundDatasets,
  options: InspectOptions,
): Promise<Inspection> {
  const datasets: DatasetView[] = [];
  const lookUntil = performance.now() + looksLast_ms;
  for (const one of found) {
    options.onStep(stepOf(one.recognised));
    const inTime = datasets.length === 0 || performance.now() < lookUntil;
    datasets.push(await view(one, options, inTime));
  }
  return { datasets, findings: [...findings, ...unopened.map(notOpened)] };
}

const notOpened = ({ path, reason, advice }: FoundDatasets['unopened'][number]): Finding => ({
  code: 'dataset_not_opened',
  severity: 'error',
  path,
  message: reason,
  advice,
});

async function view(
  { recognised, dataset }: Found,
  options: InspectOptions,
  inTime: boolean,
): Promise<DatasetView> {
  const { facts, recognition, units } = dataset;
  const [unit] = units;
  const first = inTime
    ? await firstEpisode(dataset, options)
    : 'not looked into, there are many datasets; inspect its folder alone';
  return {
    path: recognised.path === '' ? '.' : recognised.path,
    format: facts.format,
    version: facts.version,
    evidence: recognition.evidence,
    expected_episodes: units.reduce((sum, unit) => sum + unit.expected_episodes, 0),
    declared_episodes: facts.declared_episodes,
    declared_frames: facts.declared_frames,
    declared_rate_hz: facts.declared_rate_hz,
    declared_cameras: facts.declared_cameras,
    robot: facts.robot,
    bytes: units.reduce((sum, unit) => sum + unit.bytes, 0),
    first:
      typeof first === 'string'
        ? null
        : {
            ...episodeView(first, options.recipe),
            claimed: isWhole(first) ? null : await declaredOf(dataset, unit),
          },
    first_reason: typeof first === 'string' ? first : null,
    findings: dataset.findings,
  };
}

/** The first readable episode, or why there is none. */
async function firstEpisode(
  dataset: Found['dataset'],
  { signal, recipe }: InspectOptions,
): Promise<Episode | string> {
  const unit = dataset.units[0];
  if (unit === undefined) return 'there is nothing to read';
  // Episodes come one by one: of a unit of many, only the first is read.
  const own = unit.bytes / Math.max(1, unit.expected_episodes);
  const look = recipe === undefined || own > readForALook;
  if (Math.min(own, unit.look_bytes ?? own) > readForALook)
    return `not read, the first episode is ${Math.round(own / 1e6)} MB`;
  try {
    for await (const item of dataset.read(unit, { look, hashes: false, signal })) {
      return 'unreadable' in item ? item.finding.message : item;
    }
    return 'its first part holds no episode';
  } catch (thrown) {
    signal.throwIfAborted();
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function isWhole({ cut }: Episode): boolean {
  return cut?.ends !== lookCut;
}

/** A damaged end says nothing of the beginning, which was read. */
async function declaredOf(dataset: Found['dataset'], unit: WorkUnit): Promise<EpisodeView['claimed']> {
  const tail = await dataset.tail?.(unit).catch(() => null);
  if (tail == null) return null;
  const duration_s = Number(BigInt(tail.end_ns) - BigInt(tail.start_ns)) / 1e9;
  return { duration_s: significant(duration_s), messages: tail.messages };
}

function episodeView(episode: Episode, recipe: Recipe | undefined): Omit<EpisodeView, 'claimed'> {
  const features = createFeatures(episode);
  return {
    id: episode.id,
    kind: deriveKind(episode).kind,
    duration_s: significant(episode.duration_s),
    streams: episode.streams.map((stream) => {
      const step_s = features.clock(stream)?.median_step_s ?? 0;
      return streamView(stream, step_s > 0 ? significant(1 / step_s) : null);
    }),
    whole: isWhole(episode),
    cuts:
      recipe === undefined ? null : [...cutEpisode(episode, recipe)].map((item) => cutView(episode, item)),
    findings: episode.findings.filter(({ severity }) => severity !== 'info'),
  };
}

function cutView(recording: Episode, item: Episode | Unreadable): CutView {
  if ('unreadable' in item)
    return { id: item.id, from_s: 0, to_s: 0, begins: '', ends: '', said: [item.finding.message] };
  const { from_s = 0, to_s = item.duration_s, begins = '', ends = '' } = item.cut ?? {};
  const said = item.findings.slice(recording.findings.length).map(({ message }) => message);
  return { id: item.id, from_s, to_s, begins, ends, said };
}

function streamView(stream: Stream, measured_rate_hz: number | null): StreamView {
  const { clock, clocks } = stream;
  return {
    id: stream.id,
    role: stream.role,
    modality: stream.modality,
    shape: stream.shape,
    samples: stream.sample_count,
    unit: stream.unit.unit,
    declared_rate_hz: stream.declared_rate_hz,
    measured_rate_hz,
    clock:
      clock === null
        ? null
        : {
            name: clocks[clock.index].name,
            provenance: clocks[clock.index].provenance,
            others: clocks.filter((_, i) => i !== clock.index).map((other) => other.name),
          },
    judged: stream.modality !== 'opaque' && stream.role !== 'other',
  };
}
