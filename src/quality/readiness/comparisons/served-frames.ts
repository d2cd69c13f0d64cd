import { significant } from '#core';
import type { Episode, Finding, ServedRows } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import { computeLoadableTolerance_s, findOffsetCause } from '../checks/shared/camera-aspects.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { formatEpisodeList, groupBy } from './shared/comparison-rows.ts';
import { concludeFile, judgeShift, type ShiftNote } from './shared/shifted-files.ts';
import { measureWindowShift, type WindowShift } from './shared/shifted-windows.ts';

/** A camera's part of a video file in one episode, for loaders that access video by time. */
type Window = WindowShift & {
  readonly camera: string;
  readonly path: string;
  readonly from_s: number;
  /** Number of frames that the episode claims in the file: those of its window, or one per row. */
  readonly claimed: number;
  readonly file_frames: number;
  readonly rows: number;
  readonly rate_hz: number;
  readonly tolerance_s: number;
  /** Rows refused because their frame is off the requested time, and the largest offset. */
  readonly off: number;
  readonly worst_off_s: number;
  /** Offset of the first frame from the window's start, whether tolerated or not. */
  readonly start_off_s: number;
  readonly cause: 'rate' | 'window' | 'stamps' | '';
};

/** Windows of an episode's cameras in video files. */
export type ServedRow = { readonly windows: readonly Window[] };

export const servedFrames = defineComparison<ServedRow>({
  id: 'served_frames',
  title: comparisonTitles.served_frames,
  about:
    'If the format’s own loader looks up frames by timestamp in shared video files (LeRobot): files with fewer frames than their episodes declare, or with more, and the episodes whose images are shifted by them; episode windows that drift away from the frames; and timestamps for which the loader rejects rows of most episodes. A shift is located by the motion: products of the ranks of image change and state speed, in parts of 24 rows, at all lags from the camera’s own lag to that lag plus the number of frames. An episode counts as shifted, or as not shifted, if the opposite has a probability below 0.001.',
  judged_by: ['camera_coverage'],
  raises: {
    check: 'camera_coverage',
    flags: [
      {
        code: 'camera_shift_possible',
        severity: 'warning',
        meaning:
          'The video file has too few frames, and motion does not show whether they are missing before the end of this episode.',
        advice: 'Compare images and rows of the episode, or encode the file again from the original images.',
      },
    ],
    judge: ({ shifts }) => (shifts as unknown as readonly ShiftNote[]).map(judgeShift),
  },
  collect(subject) {
    const { episode, cameras } = subject;
    const windows = episode.streams.flatMap(({ id, frames }): Window[] => {
      const container = cameras.get(id)?.container;
      const locator = frames?.locator;
      if (container?.served === undefined || locator?.type !== 'video') return [];
      return createWindow(id, locator, container.served, container.rate_hz).map((window) => ({
        ...window,
        ...measureWindowShift(subject, id),
      }));
    });
    return windows.length === 0 ? null : { windows };
  },
  conclude(rows) {
    const windows = rows.flatMap(({ episode, row }) =>
      row.windows.map((window): EpisodeWindow => ({ episode, row: window })),
    );
    const findings: Finding[] = [];
    const shifts = new Map<string, ShiftNote[]>();
    for (const fileWindows of groupBy(windows, ({ path }) => path).values()) {
      const concluded = concludeFile(fileWindows, windows);
      findings.push(...concluded.findings);
      for (const [episode, note] of concluded.notes)
        shifts.set(episode, [...(shifts.get(episode) ?? []), note]);
    }
    for (const cameraWindows of groupBy(windows, ({ camera }) => camera).values())
      findings.push(...createDriftFindings(cameraWindows), ...createStampFindings(cameraWindows));
    return {
      findings,
      notes: new Map([...shifts].map(([episode, notes]) => [episode, { shifts: notes }])),
    };
  },
});

type EpisodeWindow = ComparisonRow<Window>;
type VideoLocator = Extract<NonNullable<Episode['streams'][number]['frames']>['locator'], { type: 'video' }>;

function createWindow(
  camera: string,
  { asked, path, from_s, to_s }: VideoLocator,
  served: ServedRows,
  rate_hz: number | null,
): Omit<Window, keyof WindowShift>[] {
  if (asked === undefined) return [];
  const { rows, off, worst_off_s, file_frames } = served;
  const claimed = to_s === null ? rows : Math.round((to_s - from_s) * asked.rate_hz);
  return [
    {
      camera,
      cause: off === 0 ? '' : findOffsetCause(rate_hz, { ...served, ...asked }),
      claimed,
      file_frames,
      from_s: significant(from_s, 9),
      off,
      path,
      rate_hz: significant(asked.rate_hz),
      rows,
      start_off_s: significant(served.start_off_s ?? 0),
      tolerance_s: asked.tolerance_s,
      worst_off_s: significant(worst_off_s),
    },
  ];
}

/** Minimum growth of an offset from window to window, in seconds; less is rounding. */
const minGrowth_s = 1e-6;

/**
 * Reports windows that drift away from the frames from episode to episode of a file, as sums of rounded
 * durations do.
 */
function createDriftFindings(windows: readonly EpisodeWindow[]): Finding[] {
  const off = [...groupBy(windows, ({ path }) => path).values()]
    .filter(isDrifting)
    .flatMap((ofFile) => ofFile.filter(({ row }) => row.cause === 'window'));
  if (off.length === 0) return [];
  const files = [...new Set(off.map(({ row }) => row.path))];
  const worst_s = Math.max(...off.map(({ row }) => row.worst_off_s));
  const { camera } = off[0].row;
  return [
    {
      code: 'video_window_drift',
      severity: 'blocking',
      path: files[0],
      message: `the episode windows of ${camera} drift away from its frames: ${off.length} of ${windows.length} episodes, starting with ${off[0].episode}, are off by more than the loader tolerates, at worst by ${significant(1000 * worst_s, 3)} ms, in ${formatEpisodeList(files)}`,
      advice:
        'Write from_timestamp as (frames before the episode in its file) / fps, not as a sum of durations.',
      evidence: {
        camera,
        episodes: off.length,
        files,
        first_episode: off[0].episode,
        worst_s: significant(worst_s),
      },
    },
  ];
}

function isDrifting(fileWindows: readonly EpisodeWindow[]): boolean {
  const offsets = fileWindows.map(({ row }) => row.start_off_s);
  const grows = offsets.filter((offset, at) => at > 0 && offset - offsets[at - 1] > minGrowth_s).length;
  return offsets.length >= 3 && grows * 4 >= (offsets.length - 1) * 3;
}

/**
 * Reports off-grid timestamps for the whole camera if most episodes have them, else for single files of
 * several episodes.
 */
function createStampFindings(windows: readonly EpisodeWindow[]): Finding[] {
  const cameraFindings = createGroupStampFindings(windows, null);
  if (cameraFindings.length > 0) return cameraFindings;
  return [...groupBy(windows, ({ path }) => path).values()].flatMap((ofFile) =>
    ofFile.length > 1 ? createGroupStampFindings(ofFile, ofFile[0].row.path) : [],
  );
}

/** Reports a wrong rate or rounded timestamps, if at least half of the episodes have them. */
function createGroupStampFindings(windows: readonly EpisodeWindow[], path: string | null): Finding[] {
  const off = windows.filter(({ row }) => row.cause === 'stamps' || row.cause === 'rate');
  if (off.length * 2 < windows.length || off.length === 0) return [];
  const worst_s = Math.max(...off.map(({ row }) => row.worst_off_s));
  const { camera, rate_hz, tolerance_s } = off[0].row;
  const refused = off.reduce((sum, { row }) => sum + row.off, 0);
  const total = windows.reduce((sum, { row }) => sum + row.rows, 0);
  const needed_s = computeLoadableTolerance_s(worst_s);
  const isRate = off.some(({ row }) => row.cause === 'rate') || needed_s * rate_hz >= 0.5;
  const cause = isRate
    ? 'the video was encoded at a different rate'
    : `the video timestamps are rounded; it loads with tolerance_s=${needed_s}`;
  return [
    {
      code: 'video_stamps_off_grid',
      severity: 'blocking',
      path,
      message: `${camera}: the loader rejects ${refused} of ${total} rows in ${off.length} of ${windows.length} episodes: their frames are up to ${significant(1000 * worst_s, 3)} ms off row / ${rate_hz} (tolerance ${1000 * tolerance_s} ms); ${cause}`,
      advice: isRate
        ? 'Encode the videos again at the rate of the rows.'
        : 'Load with the tolerance_s given in the message, or remux with a time base that represents 1 / fps exactly.',
      evidence: { camera, episodes: off.length, rows: refused, worst_s: significant(worst_s) },
    },
  ];
}
