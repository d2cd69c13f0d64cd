import type { DataKind } from '#core/api';
import type { Kind } from '#core/episode';
import { targetProfile, type UseCaseRow } from '#quality/catalog';
import { projectCountRows, type projectRows, type Store, type TenantScope } from '#store';
import { storedUseCase } from '../workspaces/views.ts';
import { kindOf } from './kind-of.ts';

/** The kind of a project's data with what it was taken from, and what follows from it. */
export async function dataKindOf(
  store: Store,
  scope: TenantScope,
  row: projectRows.ProjectRow,
): Promise<DataKind> {
  const counts = await projectCountRows.countEpisodes(scope, [row.id]);
  const kind = kindOf(row.data_kind_override, counts);
  const another = await projectCountRows.countJudgedAsAnotherKind(scope, row.id, kind.pinned);
  const examples = [];
  for (const { kind: derived } of kind.counts) {
    const example = await exampleOf(store, scope, row.id, derived);
    if (example !== null) examples.push(example);
  }
  return {
    project_id: row.id,
    ...kind,
    examples,
    judged_as_another_kind: another,
    notes: notesOn(kind, another, row, storedUseCase(row.use_case)),
  };
}

/** What a run that had the kind pinned puts before what the streams say. */
const setByHand = /^set by hand\b/;

async function exampleOf(store: Store, scope: TenantScope, project_id: string, kind: Kind) {
  const place = await projectCountRows.newestOfKind(scope, project_id, kind);
  if (place === null) return null;
  const bytes = await store.blobs.range(place.pack_blob, place.offset, place.length);
  const receipt: { kind: { evidence: string[] } } = JSON.parse(new TextDecoder().decode(bytes));
  const evidence = receipt.kind.evidence.filter((line) => !setByHand.test(line));
  return { kind, episode_id: place.episode_id, evidence };
}

function notesOn(
  { effective, pinned, derived, counts }: ReturnType<typeof kindOf>,
  another: number,
  { target_profile }: projectRows.ProjectRow,
  useCase: UseCaseRow,
): string[] {
  if (effective === null) return ['no episode yet: the kind is derived when the first run has judged some'];
  const notes: string[] = [];
  const total = counts.reduce((sum, { episodes }) => sum + episodes, 0);
  if (pinned !== null && derived !== null && pinned !== derived)
    notes.push(
      `pinned as ${pinned}, while ${counts[0].episodes} of ${total} episodes are ${derived} by their streams`,
    );
  if (another > 0)
    notes.push(
      `${another} of ${total} episodes were last judged as another kind; a new run judges them as ${pinned ?? 'what they are'} (judging again what was measured does not, since the kind decides what is measured)`,
    );
  if (!useCase.expected_kinds.includes(effective))
    notes.push(
      `${useCase.title} usually brings ${useCase.expected_kinds.join(', ')}; check the use case of the workspace`,
    );
  const profile = targetProfile(target_profile);
  if (!profile.kinds.includes(effective))
    notes.push(`${profile.title} is trained on ${profile.kinds.join(', ')}, not on ${effective}`);
  return notes;
}
