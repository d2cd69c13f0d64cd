import { sha256 } from '#core';
import type { Episode, Finding } from '#core/episode';
import { groupBy, someOf } from '../comparing/compared-signals.ts';
import { idList, idsIn } from '../comparing/id-list.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';

/** Lists of ids: of the cameras with pictures, and of those named without; a digest of the other streams' ids. */
export type CameraRow = { readonly present: string; readonly missing: string; readonly signals: string };

type Note = { readonly absent_everywhere: readonly string[]; readonly absent_here: readonly string[] };

/** Without metadata to say so, so many episodes of the same signals show that a camera belongs to them. */
const fewest = 4;

export const missingCamera = defineComparison<CameraRow>({
  id: 'missing_camera',
  title: 'Missing cameras',
  about:
    'A camera that episodes name and none has pictures of is a fault of the dataset, said once. A camera that the metadata declares, or at least half of the episodes with the same signals have, and that an episode does not even name, is missing in that episode.',
  judged_by: ['camera_coverage'],
  collect({ episode, cameras }) {
    const present: string[] = [];
    const missing: string[] = [];
    for (const { id, frames } of episode.streams) {
      if (frames === undefined) continue;
      const absent = frames.locator.type === 'missing' || cameras.get(id)?.decodable === 'missing';
      (absent ? missing : present).push(id);
    }
    return { missing: idList(missing), present: idList(present), signals: signalsOf(episode) };
  },
  conclude(rows, facts) {
    const present = new Set([...new Set(rows.map(({ row }) => row.present))].flatMap(idsIn));
    const named = new Set([...new Set(rows.map(({ row }) => row.missing))].flatMap(idsIn));
    const nowhere = [...named].filter((id) => !present.has(id));
    const declared = facts.declared_cameras.filter((id) => present.has(id));
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.signals).values())
      addNotes(group, nowhere, new Set([...declared, ...usualIn(group)]), notes);
    return { findings: [...absent(nowhere, rows.length), ...incomplete(rows, nowhere, notes)], notes };
  },
});

/** State and action tell recordings of one kind; where there are none, every stream but the cameras does. */
function signalsOf({ streams }: Episode): string {
  const others = streams.filter(({ frames }) => frames === undefined);
  const own = others.filter(({ role }) => role === 'state' || role === 'action');
  const ids = (own.length > 0 ? own : others).map(({ id }) => id).sort();
  return ids.length === 0 ? '' : digestOf(ids.join('\n'));
}

/** Most episodes of a dataset have the same streams as the one before. */
let last = { ids: '', digest: '' };

function digestOf(ids: string): string {
  if (ids !== last.ids) last = { ids, digest: sha256(ids).slice(0, 8) };
  return last.digest;
}

function usualIn(group: readonly ComparedRow<CameraRow>[]): string[] {
  if (group.length < fewest) return [];
  const counts = new Map<string, number>();
  for (const { row } of group) for (const id of idsIn(row.present)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count * 2 >= group.length).map(([id]) => id);
}

function addNotes(
  group: readonly ComparedRow<CameraRow>[],
  nowhere: readonly string[],
  usual: ReadonlySet<string>,
  notes: Map<string, Note>,
): void {
  // Most episodes of a dataset have the same cameras.
  const known = new Map<string, Note>();
  for (const { episode, row } of group) {
    const cameras = `${row.missing}\n\n${row.present}`;
    let note = known.get(cameras);
    if (note === undefined) {
      note = noteOf(row, nowhere, usual);
      known.set(cameras, note);
    }
    if (note.absent_everywhere.length > 0 || note.absent_here.length > 0) notes.set(episode, note);
  }
}

function noteOf(row: CameraRow, nowhere: readonly string[], usual: ReadonlySet<string>): Note {
  const missing = idsIn(row.missing);
  const named = new Set([...missing, ...idsIn(row.present)]);
  return {
    absent_everywhere: nowhere.filter((id) => missing.includes(id)),
    absent_here: [...usual].filter((id) => !named.has(id)),
  };
}

function absent(nowhere: readonly string[], episodes: number): Finding[] {
  return nowhere.map((id) => ({
    code: 'camera_absent_everywhere',
    severity: 'error',
    path: null,
    message: `camera ${id} is named by the dataset and has no pictures in ${episodes === 1 ? 'its only episode' : `any of ${episodes} episodes`}`,
    advice: 'Take the camera out of the metadata, or restore its files.',
    evidence: { camera: id, episodes },
  }));
}

/** Cameras that some episodes lack, whether they name them or not. */
function incomplete(
  rows: readonly ComparedRow<CameraRow>[],
  nowhere: readonly string[],
  notes: ReadonlyMap<string, Note>,
): Finding[] {
  const lacking = new Map<string, string[]>();
  for (const { episode, row } of rows) {
    const note = notes.get(episode);
    if (note === undefined && row.missing === '') continue;
    for (const id of [...idsIn(row.missing), ...(note?.absent_here ?? [])]) {
      if (nowhere.includes(id)) continue;
      const known = lacking.get(id);
      if (known === undefined) lacking.set(id, [episode]);
      else known.push(episode);
    }
  }
  return [...lacking].map(([id, episodes]) => ({
    code: 'camera_missing',
    severity: 'error',
    path: null,
    message: `camera ${id} is missing in ${episodes.length} of ${rows.length} episodes: ${someOf(episodes)}`,
    advice: 'Fetch the missing files; each episode’s receipt names its own.',
    evidence: { camera: id, episodes: episodes.slice(0, 200), missing: episodes.length },
  }));
}
