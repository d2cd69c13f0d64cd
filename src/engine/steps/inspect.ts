import { significant } from '#core';
import type { Episode, Finding, Kind, Stream } from '#core/episode';
import { lookCut, openingStep, type Unreadable, type WorkUnit } from '#formats';
import { cutEpisode, type Recipe } from '#formats/recipes';
import { applySeverities, loaderSeverities } from '#formats/rules';
import { createFeatures, deriveKind } from '#quality/readiness';
import type { OpenedDataset, OpenedDatasets } from './find-datasets.ts';

/** Contents of a path, without an assessment. */
export interface Inspection {
  readonly datasets: readonly DatasetView[];
  /** Findings of the listing and of files that belong to no dataset. */
  readonly findings: readonly Finding[];
}

/** A dataset as `inspect` shows it. */
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
  /** Reason why `first` is null. */
  readonly first_reason: string | null;
  readonly findings: readonly Finding[];
}

/** The first episode of a dataset. */
export interface EpisodeView {
  readonly id: string;
  readonly kind: Kind;
  readonly duration_s: number;
  readonly streams: readonly StreamView[];
  /** False if only the beginning was read; samples and duration refer to that. */
  readonly whole: boolean;
  /** Total length as declared at the end of its files; `null` if not declared, or if everything was read. */
  readonly claimed: { readonly duration_s: number; readonly messages: number } | null;
  /** Episodes that the recipe would cut from it; `null` without a recipe. */
  readonly cuts: readonly CutView[] | null;
  /** Problems of its files, without info findings. */
  readonly findings: readonly Finding[];
}

/** An episode that a recipe would cut, or why it would cut none. */
interface CutView {
  readonly id: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly begins: string;
  readonly ends: string;
  /** Messages about the cut: what lies before it and is in no episode, why the recipe does not fit. */
  readonly said: readonly string[];
}

/** A stream of an episode. */
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
  /** False if the stream is passed through without evaluation. */
  readonly judged: boolean;
}

/** Options of `inspectDatasets`. */
export interface InspectOptions {
  readonly signal: AbortSignal;
  /** Called before the first episode of each dataset is read. */
  readonly onStep: (step: string) => void;
  /** Also shows what the recipe would cut from the first recording, which is then read whole if it is not long. */
  readonly recipe?: Recipe;
}

/** Maximum size of a first episode to read, in bytes. */
const maxLook_bytes = 64e6;
/** Time after which further datasets are only listed. */
const maxLookTime_ms = 600;

/**
 * Describes opened datasets and the first episode of each, which is not read if it is large or many datasets came before; runs
 * inside a worker thread.
 */
export async function inspectDatasets(
  { found, findings, unopened }: OpenedDatasets,
  options: InspectOptions,
): Promise<Inspection> {
  const datasets: DatasetView[] = [];
  const lookUntil = performance.now() + maxLookTime_ms;
  for (const one of found) {
    options.onStep(openingStep(one.recognised));
    const inTime = datasets.length === 0 || performance.now() < lookUntil;
    datasets.push(await viewDataset(one, options, inTime));
  }
  return { datasets, findings: [...findings, ...unopened.map(unopenedFinding)] };
}

const unopenedFinding = ({ path, reason, advice }: OpenedDatasets['unopened'][number]): Finding => ({
  code: 'dataset_not_opened',
  severity: 'error',
  path,
  message: reason,
  advice,
});

async function viewDataset(
  { recognised, dataset }: OpenedDataset,
  options: InspectOptions,
  inTime: boolean,
): Promise<DatasetView> {
  const { facts, recognition, units } = dataset;
  const severities = loaderSeverities(facts);
  const [unit] = units;
  const first = inTime
    ? await firstEpisode(dataset, options)
    : 'skipped, because there are many datasets; inspect its folder separately';
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
            ...episodeView(
              { ...first, findings: applySeverities(first.findings, severities) },
              options.recipe,
            ),
            claimed: isWhole(first) ? null : await readDeclaredLength(dataset, unit),
          },
    first_reason: typeof first === 'string' ? first : null,
    findings: applySeverities(dataset.findings, severities),
  };
}

/** Returns the first readable episode, or the reason why there is none. */
async function firstEpisode(
  dataset: OpenedDataset['dataset'],
  { signal, recipe }: InspectOptions,
): Promise<Episode | string> {
  const unit = dataset.units[0];
  if (unit === undefined) return 'nothing to read';
  // Only the first episode of a larger unit is read.
  const own = unit.bytes / Math.max(1, unit.expected_episodes);
  const look = recipe === undefined || own > maxLook_bytes;
  if (Math.min(own, unit.look_bytes ?? own) > maxLook_bytes)
    return `not read: the first episode is ${Math.round(own / 1e6)} MB`;
  try {
    for await (const item of dataset.read(unit, { look, hashes: false, signal })) {
      return 'unreadable' in item ? item.finding.message : item;
    }
    return 'no episode in its first part';
  } catch (thrown) {
    signal.throwIfAborted();
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function isWhole({ cut }: Episode): boolean {
  return cut?.ends !== lookCut;
}

/** Returns the length declared at the end of the file; null if there is none or the end is damaged. */
async function readDeclaredLength(
  dataset: OpenedDataset['dataset'],
  unit: WorkUnit,
): Promise<EpisodeView['claimed']> {
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
