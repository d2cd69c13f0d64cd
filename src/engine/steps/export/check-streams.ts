import { AssayError } from '#core';
import type { Receipt } from '#core/api';
import { type EpisodeSummary, exportFormats, isLeRobotVersion, planSet, type SetPlan } from '#formats/write';
import { type ExportSettings, editSteps, type StorableSettings, withoutAbsent } from './export-request.ts';
import { nothingFitsError } from './write-set.ts';

/** An assessed episode with the streams that its receipt lists. */
export interface AssessedStreams {
  readonly id: string;
  readonly streams: Receipt['streams'];
  /** Names of the dimensions by stream id, where they are known. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** A dataset as its latest assessment describes it. */
export interface AssessedDataset {
  readonly declared_rate_hz: number | null;
  /** Cameras that it declares and has no file of. */
  readonly absent_cameras: readonly string[];
  /** Chosen episodes, all or a sample; empty if nothing is known about their streams. */
  readonly episodes: readonly AssessedStreams[];
}

/**
 * Throws `usage` if the receipts of a dataset's episodes show that they cannot be exported as requested; opens no recording,
 * and accepts an empty list of episodes. Throws `usage` if edits name features that no episode has, if the format can store
 * none of the streams, or if it needs a rate that is unknown. What it throws for a sample need not hold for all episodes.
 */
export function requireStorable(
  settings: StorableSettings,
  { declared_rate_hz, absent_cameras, episodes }: AssessedDataset,
): void {
  const { format, rate_hz = null, trims } = settings;
  if (episodes.length === 0) return;
  const row = exportFormats.get(format)!;
  const plan = planSet(episodes.map(toSummary), {
    robot: null,
    declared_rate_hz,
    rate_hz,
    pictures_only: row.pictures_only ?? false,
    steps: editSteps({ edits: withoutAbsent(settings.edits, absent_cameras), sources: [{ trims }] }),
  });
  if (format !== 'mcap' && plan.features.length + plan.cameras.length === 0)
    throw nothingFitsError(row, plan);
  requireRate(settings, plan, episodes);
}

/** Throws `usage` if rows or messages need a rate and neither clocks nor the dataset give one. */
function requireRate(
  { format }: ExportSettings,
  { rate_hz }: SetPlan,
  episodes: readonly AssessedStreams[],
): void {
  const hasClock = episodes.some(({ streams }) => streams.some(({ clock }) => clock !== null));
  if (rate_hz !== null || hasClock || !(isLeRobotVersion(format) || format === 'mcap')) return;
  throw new AssayError(
    'usage',
    `the recordings have neither timestamps nor a declared rate, which ${exportFormats.get(format)!.title} requires`,
    { advice: 'set it with --rate HZ' },
  );
}

/** Summarises an episode's streams as reading it would, except for what receipts do not list. */
function toSummary({ id, streams, names }: AssessedStreams): EpisodeSummary {
  return {
    id,
    streams: streams.map((stream) => {
      const { modality, shape, sample_count: samples, declared_rate_hz, measured_rate_hz } = stream;
      const period_s = stream.clock === null || !measured_rate_hz ? null : 1 / measured_rate_hz;
      return {
        id: stream.id,
        role: stream.role as EpisodeSummary['streams'][number]['role'],
        modality: modality as EpisodeSummary['streams'][number]['modality'],
        dims: modality === 'numeric' ? shape.reduce((product, size) => product * size, 1) : 0,
        names: names.get(stream.id) ?? null,
        unit: stream.unit.unit,
        type: 'float32',
        samples,
        period_s,
        first_s: stream.clock === null ? null : 0,
        last_s: stream.clock === null ? null : (samples - 1) * (period_s ?? 0),
        event_driven: stream.event_driven ?? null,
        declared_rate_hz,
        missing: null,
      };
    }),
  };
}
