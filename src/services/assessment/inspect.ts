import type { Episode, Finding, Kind, Stream } from '#episode';
import { significant } from '#kernel';
import { createFeatures, deriveKind } from '#readiness';
import { type Found, findDatasets } from './datasets.ts';

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
  /** What its files get wrong; what is only said of them is left to the receipt. */
  readonly findings: readonly Finding[];
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

/** A unit larger than this is not read for a look. */
const readForALook = 64e6;

/** Says what is under `path`. Throws as `assess` does. */
export async function inspect(path: string, signal?: AbortSignal): Promise<Inspection> {
  const { found, findings } = await findDatasets(path);
  try {
    const datasets: DatasetView[] = [];
    for (const one of found) datasets.push(await view(one, signal));
    return { datasets, findings };
  } finally {
    for (const { dataset } of found) await dataset.close().catch(() => {});
  }
}

async function view({ claim, dataset }: Found, signal: AbortSignal | undefined): Promise<DatasetView> {
  const { facts, recognition, units } = dataset;
  const first = await firstEpisode(dataset, signal);
  return {
    path: claim.path === '' ? '.' : claim.path,
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
    first: typeof first === 'string' ? null : episodeView(first),
    first_reason: typeof first === 'string' ? first : null,
    findings: dataset.findings,
  };
}

/** The first readable episode, or why there is none. */
async function firstEpisode(
  dataset: Found['dataset'],
  signal: AbortSignal | undefined,
): Promise<Episode | string> {
  const unit = dataset.units[0];
  if (unit === undefined) return 'there is nothing to read';
  if ((unit.look_bytes ?? unit.bytes) > readForALook) return 'not read, its first part is large';
  try {
    const options = { look: true, hashes: false, ...(signal === undefined ? {} : { signal }) };
    for await (const item of dataset.read(unit, options)) {
      return 'unreadable' in item ? item.finding.message : item;
    }
    return 'its first part holds no episode';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function episodeView(episode: Episode): EpisodeView {
  const features = createFeatures(episode);
  return {
    id: episode.id,
    kind: deriveKind(episode).kind,
    duration_s: significant(episode.duration_s),
    streams: episode.streams.map((stream) => {
      const step = stream.series === undefined ? null : features.of(stream).median_step_s;
      return streamView(stream, step === null || step <= 0 ? null : significant(1 / step));
    }),
    findings: episode.findings.filter(({ severity }) => severity !== 'info'),
  };
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
