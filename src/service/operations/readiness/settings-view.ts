import { type ProjectReadinessSettings, type ReadinessSettings, settingBounds } from '#core/api';
import type { Kind } from '#core/episode';
import { kindTitle } from '#core/titles';
import { contracts, listUnknownLoaders } from '#formats/rules';
import {
  type CheckId,
  checks,
  comparisons,
  decisionBounds,
  formulaText,
  type ResolvedSettings,
  resolveSettings,
  viewOf,
} from '#quality/readiness';
import type { UseCaseRow } from '#quality/use-cases';
import { projectCountRows, type projectRows, type TenantScope } from '#store';
import { deriveKind } from '../projects/views.ts';
import { storedUseCase } from '../use-cases.ts';
import { effectiveSettings, findEmphasis, storedCheckSettings } from './effective-settings.ts';

/**
 * Returns the API view of a project's readiness settings, with how many of its episodes were judged under others; `adjusted`
 * is passed on.
 */
export async function settingsView(
  scope: TenantScope,
  project: projectRows.ProjectRow,
  adjusted: ProjectReadinessSettings['adjusted'],
): Promise<ProjectReadinessSettings> {
  const useCase = storedUseCase(project.use_case);
  const counts = await projectCountRows.countEpisodes(scope, [project.id]);
  const { effective: kind } = deriveKind(project.data_kind_override, counts);
  const episodes = counts.reduce((sum, row) => sum + row.episodes, 0);
  const settings_file = effectiveSettings(project);
  const resolved = resolveSettings(settings_file);
  const judgedOtherwise = await projectCountRows.countJudgedUnderOtherSettings(
    scope,
    project.id,
    resolved.settings_hash,
  );
  const stored = project.readiness_settings;
  return {
    project_id: project.id,
    use_case: useCase.id,
    data_kind: kind,
    checks: checks.rows.map((check) => checkView(check, { stored, useCase, kind, resolved })),
    loaders: listLoaders(stored.loaders ?? []),
    bounds: {
      threshold_offset: [...settingBounds.threshold_offset],
      weight_factor: [...settingBounds.weight_factor],
    },
    decision: { ...decisionBounds },
    stored,
    ignored: [
      ...Object.keys(stored.checks ?? {}).filter((id) => checks.get(id) === undefined),
      ...listUnknownLoaders(stored.loaders ?? []),
    ],
    settings_file,
    settings_hash: resolved.settings_hash,
    episodes,
    episodes_judged_otherwise: judgedOtherwise,
    adjusted,
    notes: writeSettingsNotes(resolved, kind, { otherwise: judgedOtherwise, episodes }),
  };
}

function listLoaders(chosen: readonly string[]): ProjectReadinessSettings['loaders'] {
  return contracts.flatMap(({ title: reads, readers }) =>
    readers.map(({ id, title, marker = null }) => ({
      ...{ id, title, reads, marker },
      chosen: chosen.includes(id),
    })),
  );
}

interface CheckContext {
  readonly stored: ReadinessSettings;
  readonly useCase: UseCaseRow;
  readonly kind: Kind | null;
  readonly resolved: ResolvedSettings;
}

function checkView(check: (typeof checks.rows)[number], { stored, useCase, kind, resolved }: CheckContext) {
  const own = storedCheckSettings(stored, check.id);
  const emphasis = findEmphasis(useCase, check.id);
  const { enabled, threshold, weight } = resolved.checks[check.id];
  return {
    id: check.id,
    title: check.title,
    view: viewOf[check.id],
    needs: check.needs,
    kinds: [...check.kinds],
    formula: formulaText(check.formula),
    calibrated_on: check.calibrated_on,
    applies: applicability(check, kind),
    enabled: { default: true, stored: own.enabled ?? null, effective: enabled },
    threshold: {
      default: check.threshold.value,
      source: check.threshold.source,
      stored_offset: own.threshold_offset ?? null,
      effective: threshold,
    },
    weight: {
      default: check.weight,
      use_case_factor: emphasis?.weight_factor ?? null,
      use_case_reason: emphasis?.reason ?? null,
      stored_factor: own.weight_factor ?? null,
      effective: weight,
    },
    flags: check.flags.map(({ code, severity, meaning, advice }) => ({ code, severity, meaning, advice })),
    comparisons: comparisons.rows.filter(({ judged_by }) => judged_by.includes(check.id)).map(({ id }) => id),
  };
}

function applicability(
  { title, kinds }: (typeof checks.rows)[number],
  kind: Kind | null,
): ProjectReadinessSettings['checks'][number]['applies'] {
  if (kind === null)
    return { status: 'unknown', reason: 'the project has no episodes yet, and no data kind is pinned' };
  return kinds.includes(kind)
    ? { status: 'applies', reason: `applies to ${kind} recordings that have the required streams` }
    : {
        status: 'does_not_apply',
        reason: `${title} applies to ${kinds.map(kindTitle).join(', ')}; the data kind is ${kindTitle(kind)}`,
      };
}

function writeSettingsNotes(
  resolved: ResolvedSettings,
  kind: Kind | null,
  { otherwise, episodes }: { readonly otherwise: number; readonly episodes: number },
): string[] {
  const notes: string[] = [];
  const counting = checks.rows.filter(
    ({ id, kinds }) => isCounted(resolved, id) && (kind === null || kinds.includes(kind)),
  );
  if (counting.length === 0)
    notes.push(
      'No applicable check is enabled with a weight above 0. Every episode would be sent to review.',
    );
  if (otherwise > 0)
    notes.push(
      `${otherwise} of ${episodes} episodes were last evaluated with other settings. Re-evaluate them to apply the current settings; no recording is read.`,
    );
  return notes;
}

const isCounted = ({ checks: rows }: ResolvedSettings, id: CheckId): boolean =>
  rows[id].enabled && rows[id].weight > 0;
