import type { Finding } from '#episode';
import { someOf } from '../compared-signals.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';

/** Ids of the cameras with pictures, and of those named without, one a line. */
export type CameraRow = { readonly present: string; readonly missing: string };

type Note = { readonly absent_everywhere: readonly string[]; readonly absent_here: readonly string[] };

export const missingCamera = defineComparison<CameraRow>({
  id: 'missing_camera',
  title: 'Missing cameras',
  about:
    'A camera named by the metadata and absent in every episode is a fault of the dataset, said once. A camera that the metadata declares or at least half of the episodes have, and that an episode does not even name, is missing in that episode.',
  judged_by: ['camera_coverage'],
  collect({ episode, cameras }) {
    const present: string[] = [];
    const missing: string[] = [];
    for (const { id, frames } of episode.streams) {
      if (frames === undefined) continue;
      const absent = frames.locator.type === 'missing' || cameras.get(id)?.decodable === 'missing';
      (absent ? missing : present).push(id);
    }
    if (present.length + missing.length === 0) return null;
    return { missing: missing.join('\n'), present: present.join('\n') };
  },
  conclude(rows, facts) {
    const counts = new Map<string, { present: number; missing: string[] }>();
    const declared = new Set(facts.declared_cameras);
    for (const camera of declared) counts.set(camera, { present: 0, missing: [] });
    for (const { episode, row } of rows) {
      for (const id of idsIn(row.present)) countOf(counts, id).present++;
      for (const id of idsIn(row.missing)) countOf(counts, id).missing.push(episode);
    }
    const nowhere = [...counts].filter(([, count]) => count.present === 0).map(([id]) => id);
    const usual = [...counts]
      .filter(([id, { present }]) => present > 0 && (declared.has(id) || present * 2 >= rows.length))
      .map(([id]) => id);
    return { findings: findingsOf(counts, rows.length), notes: notesOf(rows, nowhere, usual) };
  },
});

function idsIn(list: string): string[] {
  return list === '' ? [] : list.split('\n');
}

function countOf(counts: Map<string, { present: number; missing: string[] }>, id: string) {
  let count = counts.get(id);
  if (count === undefined) {
    count = { present: 0, missing: [] };
    counts.set(id, count);
  }
  return count;
}

function findingsOf(
  counts: ReadonlyMap<string, { readonly present: number; readonly missing: readonly string[] }>,
  episodes: number,
): Finding[] {
  const findings: Finding[] = [];
  for (const [id, { present, missing }] of counts) {
    if (present === 0)
      findings.push({
        code: 'camera_absent_everywhere',
        severity: 'error',
        path: null,
        message: `camera ${id} is named by the dataset and has no pictures in any of ${episodes} episodes`,
        advice: 'Take the camera out of the metadata, or restore its files.',
        evidence: { camera: id, episodes },
      });
    else if (missing.length > 0)
      findings.push({
        code: 'camera_missing',
        severity: 'error',
        path: null,
        message: `camera ${id} is missing in ${missing.length} of ${episodes} episodes: ${someOf(missing)}`,
        advice: 'Fetch the missing files; each episode’s receipt names its own.',
        evidence: { camera: id, episodes: missing.slice(0, 200), missing: missing.length },
      });
  }
  return findings;
}

function notesOf(
  rows: readonly ComparedRow<CameraRow>[],
  nowhere: readonly string[],
  usual: readonly string[],
): Map<string, Note> {
  const notes = new Map<string, Note>();
  for (const { episode, row } of rows) {
    const missing = idsIn(row.missing);
    const named = new Set([...missing, ...idsIn(row.present)]);
    const note: Note = {
      absent_everywhere: nowhere.filter((id) => missing.includes(id)),
      absent_here: usual.filter((id) => !named.has(id)),
    };
    if (note.absent_everywhere.length > 0 || note.absent_here.length > 0) notes.set(episode, note);
  }
  return notes;
}
