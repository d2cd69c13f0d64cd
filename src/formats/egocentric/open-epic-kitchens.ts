import { AssayError } from '#core';
import type { Event, Finding, Stream } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { parseCsv } from '../shared/text/csv.ts';
import { type NarratedVideo, openNarratedSet, pairingFindings, videosByName } from './narrated-set.ts';
import { findEpicFiles } from './recognise-epic-kitchens.ts';

interface VideoInfo {
  readonly duration_s: number;
  readonly fps: number;
}

/**
 * Opens a folder with EPIC-KITCHENS annotations, in which each video file is an episode; throws if no annotation list
 * names a video.
 * @throws AssayError `unreadable_input` if no annotation list names a video
 */
export async function openEpic(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const { actions: lists, videos: tables } = await findEpicFiles(tree);
  const byVideo = new Map<string, Action[]>();
  const findings: Finding[] = [];
  for (const path of lists) findings.push(...(await readActions(tree, path, byVideo)));
  if (byVideo.size === 0)
    throw new AssayError('unreadable_input', `${lists.join(', ')} lists no videos`, {
      path: lists[0] ?? '',
      advice: 'restore the list from its source',
    });
  const info = new Map<string, VideoInfo>();
  for (const path of tables) await readVideoInfo(tree, path, info);
  const files = videosByName(tree);
  const names = [...files.keys()].sort();
  const missing = [...byVideo.keys()].filter((name) => !files.has(name)).sort();
  const unannotated = names.filter((name) => !byVideo.has(name));
  return openNarratedSet({
    tree,
    recognition,
    format: 'epic-kitchens',
    version: null,
    declared_videos: byVideo.size,
    videos: names.map((name) =>
      buildVideo(name, files.get(name)!, byVideo.get(name) ?? [], { info: info.get(name), tables }),
    ),
    findings: [
      ...findings,
      ...pairingFindings(lists[0], byVideo.size, missing, unannotated),
      ...erratumFindings(tree),
      ...pickleFindings(tree),
    ],
  });
}

async function readVideoInfo(tree: SourceTree, path: string, info: Map<string, VideoInfo>): Promise<void> {
  const [header = [], ...rows] = parseCsv(await tree.text(path));
  const [id, duration, fps] = ['video_id', 'duration', 'fps'].map((name) => header.indexOf(name));
  for (const row of rows) info.set(row[id], { duration_s: Number(row[duration]), fps: Number(row[fps]) });
}

function buildVideo(
  name: string,
  file: FileEntry,
  unsorted: readonly Action[],
  { info, tables }: { readonly info: VideoInfo | undefined; readonly tables: readonly string[] },
): NarratedVideo {
  const actions = [...unsorted].sort((a, b) => a.start_s - b.start_s || a.stop_s - b.stop_s);
  return {
    name,
    file,
    events: actions.flatMap(({ start_s, narration, source }): Event[] =>
      narration === '' ? [] : [{ time_s: start_s, label: narration, source }],
    ),
    streams: actions.length === 0 ? [] : [intervalStream(actions)],
    numbered_hz: frameNumberRate(actions),
    declared_s: positiveOrNull(info?.duration_s),
    declared_hz: positiveOrNull(info?.fps),
    annotations: [...new Set(actions.map(({ source }) => source)), ...(info === undefined ? [] : tables)],
    findings: [],
  };
}

const positiveOrNull = (value: number | undefined): number | null =>
  value !== undefined && value > 0 && Number.isFinite(value) ? value : null;

/** Minimum frame number from which the rate is computed: below it, 60 and 59.94 Hz cannot be told apart. */
const minFramesForRate = 5000;

/**
 * Returns the frame rate implied by the frame numbers, from the action with the largest one; `null` if none reaches
 * `minFramesForRate`.
 */
function frameNumberRate(actions: readonly Action[]): number | null {
  let last: Action | null = null;
  for (const action of actions)
    if (
      action.start_s > 0 &&
      action.start_frame >= minFramesForRate &&
      action.start_frame > (last?.start_frame ?? 0)
    )
      last = action;
  return last === null ? null : last.start_frame / last.start_s;
}

/** Returns the actions as a stream of stop time and classes, stamped with their start. Intervals may overlap. */
function intervalStream(actions: readonly Action[]): Stream {
  const values = Float64Array.from(
    actions.flatMap(({ stop_s, verb_class, noun_class }) => [stop_s, verb_class, noun_class]),
  );
  return {
    id: 'narrations',
    role: 'annotation',
    modality: 'numeric',
    shape: [3],
    names: ['stop_s', 'verb_class', 'noun_class'],
    unit: { unit: 'mixed', evidence: 'known_format', reason: 's, and class numbers' },
    declared_rate_hz: null,
    sample_count: actions.length,
    clocks: [
      {
        name: 'start_timestamp',
        provenance: 'synthesised',
        time_s: Float64Array.from(actions, ({ start_s }) => start_s),
      },
    ],
    clock: { index: 0, reason: 'start of the action as set by the annotator, in video time' },
    series: { values, dims: 3 },
  };
}

/**
 * Reports frames named in the authors' erratum: those first published for two videos were wrong; videos and lists are
 * right.
 */
function erratumFindings(tree: SourceTree): Finding[] {
  const wrong = tree.files.find(({ path }) => /(?:P01_109|P27_103)(?:\.tar$|\/frame_\d+\.jpg$)/i.test(path));
  if (wrong === undefined) return [];
  return [
    {
      code: 'frames_with_erratum',
      severity: 'warning',
      path: wrong.path,
      message:
        'the folder has extracted frames of P01_109 and P27_103, which were first published with errors',
      advice: 'extract the frames again from the videos; the videos and action lists are correct',
    },
  ];
}

function pickleFindings(tree: SourceTree): Finding[] {
  const pickles = tree.files.filter(({ path }) => /^(?:[^/]*annot[^/]*\/)?[^/]+\.pkl$/i.test(path));
  if (pickles.length === 0) return [];
  return [
    {
      code: 'files_not_read',
      severity: 'info',
      path: pickles[0].path,
      message: `${pickles.length} pickles were not read, because loading a pickle can execute code`,
      advice: 'nothing to do if the same list exists as CSV',
    },
  ];
}

/** One narrated action. */
interface Action {
  readonly start_s: number;
  readonly stop_s: number;
  /** Empty in lists without labels. */
  readonly narration: string;
  /** NaN in lists without labels. */
  readonly verb_class: number;
  readonly noun_class: number;
  /** NaN if absent. */
  readonly start_frame: number;
  /** Path of the list that contains it. */
  readonly source: string;
}

const maxListBytes = 256 * 1024 * 1024;

/** Converts `HH:MM:SS.sss` to seconds; NaN for any other text. */
function parseTimestamp(text: string): number {
  const found = /^(\d{1,3}):([0-5]?\d):([0-5]?\d(?:\.\d+)?)$/.exec(text.trim());
  return found === null ? Number.NaN : Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3]);
}

/**
 * Adds the actions of a list to `byVideo`. Rows without video or times are skipped and reported; actions that stop
 * before they start are reported.
 */
async function readActions(
  tree: SourceTree,
  path: string,
  byVideo: Map<string, Action[]>,
): Promise<Finding[]> {
  const [header = [], ...rows] = parseCsv(await tree.text(path, maxListBytes));
  const column = new Map(header.map((name, i) => [name.trim(), i]));
  const broken: string[] = [];
  const reversed: string[] = [];
  for (const [i, row] of rows.entries()) {
    const cell = (name: string): string => row[column.get(name) ?? -1] ?? '';
    const action = parseAction(cell, path);
    const id = cell('narration_id') || `row ${i + 2}`;
    if (
      row.length !== header.length ||
      cell('video_id') === '' ||
      Number.isNaN(action.start_s + action.stop_s)
    ) {
      broken.push(id);
      continue;
    }
    if (action.stop_s < action.start_s) reversed.push(id);
    const videoActions = byVideo.get(cell('video_id'));
    if (videoActions === undefined) byVideo.set(cell('video_id'), [action]);
    else videoActions.push(action);
  }
  return [
    ...rowFindings('narration_rows_broken', path, broken, rows.length, 'have no video or no timestamps'),
    ...rowFindings('narrations_reversed', path, reversed, rows.length, 'end before they start'),
  ];
}

function parseAction(cell: (name: string) => string, source: string): Action {
  return {
    start_s: parseTimestamp(cell('start_timestamp')),
    stop_s: parseTimestamp(cell('stop_timestamp')),
    narration: cell('narration').trim(),
    verb_class: parseNumber(cell('verb_class')),
    noun_class: parseNumber(cell('noun_class')),
    start_frame: parseNumber(cell('start_frame')),
    source,
  };
}

const parseNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

function rowFindings(
  code: string,
  path: string,
  ids: readonly string[],
  rows: number,
  what: string,
): Finding[] {
  if (ids.length === 0) return [];
  const listed = ids.slice(0, 3).join(', ');
  return [
    {
      code,
      severity: 'error',
      path,
      message: `${path}: ${ids.length} of ${rows} narrations ${what} (${listed}${ids.length > 3 ? ', …' : ''})`,
      advice: 'restore the list from its source, or correct these rows',
      evidence: { narrations: rows, affected: ids.length },
    },
  ];
}
