import {
  type ExportFormatId,
  type TargetProfileId,
  targetProfileIds,
  type UseCase,
  type UseCaseId,
  useCaseAliases,
} from '#core/api';
import type { Kind } from '#core/episode';
import { exportFormats } from '#formats/write';
import type { CheckId } from '#quality/readiness';
import { type SourceFormatId, sourceFormats } from './source-formats.ts';
import { targetProfiles } from './target-profiles.ts';

/** Suitability of a target for a use case, with the reason. */
interface TargetFit {
  readonly fit: 'recommended' | 'applicable' | 'unfit';
  readonly reason: string;
}

/** Definition of a use case; sources and exports that are not listed as unfit are suitable. */
export interface UseCaseRow {
  readonly id: UseCaseId;
  readonly title: string;
  readonly summary: string;
  readonly nouns: UseCase['nouns'];
  readonly expected_kinds: readonly Kind[];
  readonly targets: Readonly<Record<TargetProfileId, TargetFit>>;
  readonly unfit_sources: Readonly<Partial<Record<SourceFormatId, string>>>;
  readonly unfit_exports: Readonly<Partial<Record<ExportFormatId, string>>>;
  readonly emphasis: readonly {
    readonly check: CheckId;
    /** Factor on the check's default weight, 0 to 3, as in settings. */
    readonly weight_factor: number;
    readonly reason: string;
  }[];
  readonly capabilities: UseCase['capabilities'];
  readonly presets: UseCase['presets'];
}

/** Use case without the details of its presets, which the caller adds. */
export type UseCaseView = Omit<UseCase, 'preset_details'>;

/**
 * Describes a use case for display: every target profile and format with its suitability and, by `readable`, whether
 * a format has a reader.
 */
export function describeUseCase(row: UseCaseRow, readable: (format: string) => boolean): UseCaseView {
  return {
    id: row.id,
    aliases: Object.entries(useCaseAliases).flatMap(([alias, id]) => (id === row.id ? [alias] : [])),
    title: row.title,
    summary: row.summary,
    nouns: row.nouns,
    expected_kinds: [...row.expected_kinds],
    target_profiles: targetProfileIds.map((id) => ({
      id,
      title: targetProfiles.get(id)!.title,
      applicable: row.targets[id].fit !== 'unfit',
      recommended: row.targets[id].fit === 'recommended',
      reason: row.targets[id].reason,
    })),
    source_formats: sourceFormats.rows.map(({ id, title }) => ({
      id,
      title,
      readable: readable(id),
      ...toFit(row.unfit_sources[id]),
    })),
    export_formats: exportFormats.rows.map(({ id, title }) => ({
      id,
      title,
      ...toFit(row.unfit_exports[id]),
    })),
    readiness_emphasis: row.emphasis.map((emphasis) => ({ ...emphasis })),
    capabilities: row.capabilities,
    presets: row.presets,
  };
}

const toFit = (unfit: string | undefined) => ({ fits: unfit === undefined, reason: unfit ?? null });
