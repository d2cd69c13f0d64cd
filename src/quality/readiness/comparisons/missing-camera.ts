import { sha256 } from '#core';
import type { Episode, Finding } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { decodeIdList, encodeIdList, formatEpisodeList, groupBy } from './shared/comparison-rows.ts';

/** Lists of ids: cameras with pictures, and cameras named without; and a digest of the other streams' ids. */
export type CameraRow = { readonly present: string; readonly missing: string; readonly signals: string };

type Note = { readonly absent_everywhere: readonly string[]; readonly absent_here: readonly string[] };

/**
 * Minimum number of episodes with the same signals that shows which cameras belong to them, without metadata.
 */
const minEpisodes = 4;

export const missingCamera = defineComparison<CameraRow>({
  id: 'missing_camera',
  title: comparisonTitles.missing_camera,
  about:
    'A camera that episodes declare but that has no images in any of them is reported once for the dataset. A camera that the metadata declares, or that at least half of the episodes with the same signals have, is missing in an episode that does not list it.',
  judged_by: ['camera_coverage'],
  collect({ episode, cameras }) {
    const present: string[] = [];
    const missing: string[] = [];
    for (const { id, frames } of episode.streams) {
      if (frames === undefined) continue;
      const absent = frames.locator.type === 'missing' || cameras.get(id)?.decodable === 'missing';
      (absent ? missing : present).push(id);
    }
    return {
      missing: encodeIdList(missing),
      present: encodeIdList(present),
      signals: digestSignals(episode),
    };
  },
  conclude(rows, facts) {
    const present = new Set([...new Set(rows.map(({ row }) => row.present))].flatMap(decodeIdList));
    const named = new Set([...new Set(rows.map(({ row }) => row.missing))].flatMap(decodeIdList));
    const nowhere = [...named].filter((id) => !present.has(id));
    const declared = facts.declared_cameras.filter((id) => present.has(id));
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.signals).values())
      addNotes(group, nowhere, new Set([...declared, ...findUsualCameras(group)]), notes);
    return {
      findings: [
        ...createAbsentFindings(nowhere, rows.length),
        ...createIncompleteFindings(rows, nowhere, notes),
      ],
      notes,
    };
  },
});

/**
 * Digests the ids of state and action streams, which identify recordings of one kind; without them, of all
 * streams but cameras.
 */
function digestSignals({ streams }: Episode): string {
  const others = streams.filter(({ frames }) => frames === undefined);
  const primary = others.filter(({ role }) => role === 'state' || role === 'action');
  const ids = (primary.length > 0 ? primary : others).map(({ id }) => id).sort();
  return ids.length === 0 ? '' : digestIds(ids.join('\n'));
}

/** Last digest; consecutive episodes mostly have the same streams. */
let lastDigest = { ids: '', digest: '' };

function digestIds(ids: string): string {
  if (ids !== lastDigest.ids) lastDigest = { ids, digest: sha256(ids).slice(0, 8) };
  return lastDigest.digest;
}

function findUsualCameras(group: readonly ComparisonRow<CameraRow>[]): string[] {
  if (group.length < minEpisodes) return [];
  const counts = new Map<string, number>();
  for (const { row } of group)
    for (const id of decodeIdList(row.present)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count * 2 >= group.length).map(([id]) => id);
}

function addNotes(
  group: readonly ComparisonRow<CameraRow>[],
  nowhere: readonly string[],
  usual: ReadonlySet<string>,
  notes: Map<string, Note>,
): void {
  // Most episodes have the same cameras and share one note.
  const notesByCameras = new Map<string, Note>();
  for (const { episode, row } of group) {
    const cameras = `${row.missing}\n\n${row.present}`;
    let note = notesByCameras.get(cameras);
    if (note === undefined) {
      note = createNote(row, nowhere, usual);
      notesByCameras.set(cameras, note);
    }
    if (note.absent_everywhere.length > 0 || note.absent_here.length > 0) notes.set(episode, note);
  }
}

function createNote(row: CameraRow, nowhere: readonly string[], usual: ReadonlySet<string>): Note {
  const missing = decodeIdList(row.missing);
  const named = new Set([...missing, ...decodeIdList(row.present)]);
  return {
    absent_everywhere: nowhere.filter((id) => missing.includes(id)),
    absent_here: [...usual].filter((id) => !named.has(id)),
  };
}

function createAbsentFindings(nowhere: readonly string[], episodes: number): Finding[] {
  return nowhere.map((id) => ({
    code: 'camera_absent_everywhere',
    severity: 'error',
    path: null,
    message: `camera ${id} is declared by the dataset but has no images in ${episodes === 1 ? 'its only episode' : `any of ${episodes} episodes`}`,
    advice: 'Remove the camera from the metadata, or restore its files.',
    evidence: { camera: id, episodes },
  }));
}

/** Creates findings on cameras that only some episodes lack, whether they name them or not. */
function createIncompleteFindings(
  rows: readonly ComparisonRow<CameraRow>[],
  nowhere: readonly string[],
  notes: ReadonlyMap<string, Note>,
): Finding[] {
  const lacking = new Map<string, string[]>();
  for (const { episode, row } of rows) {
    const note = notes.get(episode);
    if (note === undefined && row.missing === '') continue;
    for (const id of [...decodeIdList(row.missing), ...(note?.absent_here ?? [])]) {
      if (nowhere.includes(id)) continue;
      const affected = lacking.get(id);
      if (affected === undefined) lacking.set(id, [episode]);
      else affected.push(episode);
    }
  }
  return [...lacking].map(([id, episodes]) => ({
    code: 'camera_missing',
    severity: 'error',
    path: null,
    message: `camera ${id} is missing in ${episodes.length} of ${rows.length} episodes: ${formatEpisodeList(episodes)}`,
    advice: 'Restore the missing files; the receipt of each episode lists them.',
    evidence: { camera: id, episodes: episodes.slice(0, 200), missing: episodes.length },
  }));
}
