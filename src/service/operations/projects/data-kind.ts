import type { DataKind } from '#core/api';
import type { Kind } from '#core/episode';
import { targetProfile, type UseCaseRow } from '#quality/use-cases';
import { projectCountRows, projectRows, type Store, type TenantScope } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { storedUseCase } from '../use-cases.ts';
import { auditedProject, deriveKind, noProject } from './views.ts';

/** Returns the data kind of a project with evidence from its episodes and notes on mismatches. */
async function describeDataKind(
  store: Store,
  scope: TenantScope,
  row: projectRows.ProjectRow,
): Promise<DataKind> {
  const counts = await projectCountRows.countEpisodes(scope, [row.id]);
  const kind = deriveKind(row.data_kind_override, counts);
  const another = await projectCountRows.countJudgedAsAnotherKind(scope, row.id, kind.pinned);
  const examples = [];
  for (const { kind: derived } of kind.counts) {
    const example = await findExample(store, scope, row.id, derived);
    if (example !== null) examples.push(example);
  }
  return {
    project_id: row.id,
    ...kind,
    examples,
    judged_as_another_kind: another,
    notes: writeKindNotes(kind, another, row, storedUseCase(row.use_case)),
  };
}

/** Evidence line that a run with a pinned kind adds; it is not about the streams. */
const pinnedEvidence = /^set by hand\b/;

async function findExample(store: Store, scope: TenantScope, project_id: string, kind: Kind) {
  const receiptRow = await projectCountRows.findNewestOfKind(scope, project_id, kind);
  if (receiptRow === null) return null;
  const bytes = await store.blobs.range(receiptRow.pack_blob, receiptRow.offset, receiptRow.length);
  const receipt: { kind: { evidence: string[] } } = JSON.parse(new TextDecoder().decode(bytes));
  const evidence = receipt.kind.evidence.filter((line) => !pinnedEvidence.test(line));
  return { kind, episode_id: receiptRow.episode_id, evidence };
}

function writeKindNotes(
  { effective, pinned, derived, counts }: ReturnType<typeof deriveKind>,
  another: number,
  { target_profile }: projectRows.ProjectRow,
  useCase: UseCaseRow,
): string[] {
  if (effective === null) return ['No episodes yet. The kind is detected during the first run.'];
  const notes: string[] = [];
  const total = counts.reduce((sum, { episodes }) => sum + episodes, 0);
  if (pinned !== null && derived !== null && pinned !== derived)
    notes.push(
      `Pinned as ${pinned}, but ${counts[0].episodes} of ${total} episodes look like ${derived} by their streams.`,
    );
  if (another > 0)
    notes.push(
      `${another} of ${total} episodes were last evaluated as another kind. Start a new run to evaluate them as ${pinned ?? 'the detected kind'}; re-evaluating is not enough, because the kind determines what is measured.`,
    );
  if (!useCase.expected_kinds.includes(effective))
    notes.push(
      `${useCase.title} data is usually ${useCase.expected_kinds.join(' or ')}. Check the use case of the workspace.`,
    );
  const profile = targetProfile(target_profile);
  if (!profile.kinds.includes(effective))
    notes.push(`${profile.title} is trained on ${profile.kinds.join(', ')} data, not on ${effective} data.`);
  return notes;
}

/** Returns the data kind of a project with evidence. Throws `not_found`. */
export async function getDataKind(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<DataKind> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = await projectRows.getProject(scope, project_id);
  if (row === null) throw noProject();
  return describeDataKind(store, scope, row);
}

/**
 * Pins the data kind of a project, or derives it from the episodes again if `kind` is null; audits a change and returns the
 * kind with evidence. Throws `not_found`.
 */
export async function setDataKind(
  store: Store,
  call: Call,
  { project_id, kind }: { readonly project_id: string; readonly kind: Kind | null },
): Promise<DataKind> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const row = await store.database.transaction(async () => {
    const before = await projectRows.getProject(scope, project_id, 'update');
    if (before === null) throw noProject();
    if (before.data_kind_override === kind) return before;
    const after = { ...before, data_kind_override: kind, updated_at: call.now };
    await projectRows.updateProject(scope, project_id, {
      data_kind_override: kind,
      updated_at: call.now,
    });
    await appendAudit(store, call, {
      action: 'set_data_kind',
      object_type: 'project',
      object_id: project_id,
      before: auditedProject(before),
      after: auditedProject(after),
      detail: { data_kind: { from: before.data_kind_override, to: kind } },
    });
    return after;
  });
  return describeDataKind(store, scope, row);
}
