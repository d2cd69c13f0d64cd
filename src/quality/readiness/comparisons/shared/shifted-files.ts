import type { Finding } from '#core/episode';
import type { Aspect } from '../../check.ts';
import type { ComparisonRow } from '../../comparison.ts';
import { locateShift, type ShiftedRows, selectCameraLags, type WindowShift } from './shifted-windows.ts';

/** A camera's window in a video file, as far as its file's frames are counted. */
export type FileWindow = ComparisonRow<
  WindowShift & {
    readonly camera: string;
    readonly path: string;
    readonly from_s: number;
    readonly claimed: number;
    readonly file_frames: number;
  }
>;

/** Note on an episode whose pictures of a camera are shifted, or may be. */
export type ShiftNote = {
  readonly camera: string;
  readonly path: string;
  /** Frames that the file lacks; negative: that it has too many. */
  readonly lacking: number;
  readonly is_certain: boolean;
  /** Start of the shift in words, such as `after episode_000001 and in episode_000003 at the latest`. */
  readonly begins: string;
};

/**
 * Creates the aspect of a shift note: score 0 if the shift is certain, as for frames of another episode, else 0.4,
 * which needs a review.
 */
export function judgeShift({ camera, path, lacking, is_certain, begins }: ShiftNote): Aspect {
  const count = Math.abs(lacking);
  const frames = `${count} frame${count === 1 ? '' : 's'}`;
  const what = lacking > 0 ? `${path} has ${frames} too few` : `${path} has ${frames} too many`;
  const shifted = `images up to ${frames} too ${lacking > 0 ? 'early' : 'late'}`;
  return {
    flag: is_certain ? 'camera_frames_foreign' : 'camera_shift_possible',
    score: is_certain ? 0 : 0.4,
    observed: lacking,
    message: () =>
      is_certain
        ? `${camera}: ${what}, and the loader silently returns ${shifted} for rows of this episode; the shift begins ${begins}`
        : `${camera}: ${what}, and the loader may return ${shifted} for rows of this episode: ${begins === '' ? 'motion does not show where the shift begins' : `the shift begins ${begins}`}`,
  };
}

/**
 * Returns a finding if a video file of several episodes has fewer frames than they claim, and a note per episode that
 * gets, or may get, shifted pictures. Of a file with more frames only shifts that are certain are noted: frames that
 * follow the last episode are harmless. `all` are the windows of all files, to compare the lag of cameras.
 */
export function concludeFile(
  windows: readonly FileWindow[],
  all: readonly FileWindow[],
): { readonly findings: readonly Finding[]; readonly notes: ReadonlyMap<string, ShiftNote> } {
  const notes = new Map<string, ShiftNote>();
  const sorted = windows.toSorted((a, b) => a.row.from_s - b.row.from_s);
  const lacking = countLacking(sorted);
  if (sorted.length < 2 || lacking === 0) return { findings: [], notes };
  const { camera, path } = sorted[0].row;
  const shifts = locateInFile(sorted, all);
  const begins = describeBegin(sorted, shifts);
  sorted.forEach(({ episode }, at) => {
    if (shifts[at] === 'some' || (shifts[at] === 'unknown' && lacking > 0))
      notes.set(episode, { begins, camera, is_certain: shifts[at] === 'some', lacking, path });
  });
  return { findings: lacking < 0 ? [] : [createLostFrameFinding(sorted, lacking, shifts, begins)], notes };
}

/**
 * Returns the number of frames that a file lacks. Where windows leave gaps, frames are counted against the sum of the
 * windows; two episodes that claim one window, which are reported elsewhere, would be counted twice.
 */
function countLacking(windows: readonly FileWindow[]): number {
  const { shift, file_frames } = windows[0].row;
  if (shift !== null) return shift;
  const starts = new Set(windows.map(({ row }) => row.from_s));
  const claimed = windows.reduce((sum, { row }) => sum + row.claimed, 0);
  return starts.size < windows.length ? 0 : Math.max(0, claimed - file_frames);
}

function locateInFile(windows: readonly FileWindow[], all: readonly FileWindow[]): ShiftedRows[] {
  const { camera, shift } = windows[0].row;
  if (shift === null) return windows.map(() => 'unknown');
  const own = all.filter(({ row }) => row.camera === camera);
  const others = all.filter(({ row }) => row.camera !== camera);
  const lags = selectCameraLags(
    own.map(({ row }) => row.lag),
    others.map(({ row }) => row.lag),
  );
  return locateShift(
    windows.map(({ row }) => row),
    lags,
  );
}

function describeBegin(windows: readonly FileWindow[], shifts: readonly ShiftedRows[]): string {
  const shifted = shifts.indexOf('some');
  const clean = shifts.lastIndexOf('none');
  if (shifted < 0) return clean < 0 ? '' : `after ${windows[clean].episode}`;
  const { episode } = windows[shifted];
  if (shifted === 0 || clean === shifted - 1) return `in ${episode}`;
  return clean < 0
    ? `in ${episode} at the latest`
    : `after ${windows[clean].episode} and in ${episode} at the latest`;
}

function createLostFrameFinding(
  windows: readonly FileWindow[],
  lacking: number,
  shifts: readonly ShiftedRows[],
  begins: string,
): Finding {
  const { path, camera, file_frames } = windows[0].row;
  const claimed = file_frames + lacking;
  const isAtEnd = shifts.every((shift) => shift === 'none');
  const where = isAtEnd
    ? 'Images and rows move together in all episodes, so they are missing at the end of the file'
    : shifts.includes('some')
      ? `From the motion in images and rows, the shift begins ${begins}: from there on the loader silently returns shifted images`
      : `If they are missing in the middle of the file, the loader silently returns shifted images, ${begins || `from ${windows[0].episode} on`} at the earliest`;
  return {
    code: 'video_file_lacks_frames',
    severity: 'blocking',
    path,
    message: `${path} has ${file_frames} frames, but its ${windows.length} episodes declare ${claimed}: ${lacking} frames of ${camera} are missing. ${where}`,
    advice: isAtEnd
      ? 'Encode the file again from the original images, or drop the rows without frames.'
      : 'Encode the file again from the original images, or leave out the episodes with shifted images.',
    evidence: {
      camera,
      claimed,
      file_frames,
      first_episode: windows[0].episode,
      lacking,
      shifts: shifts.slice(0, 100),
    },
  };
}
