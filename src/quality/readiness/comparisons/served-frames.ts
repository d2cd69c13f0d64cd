import { significant } from '#core';
import type { Episode, Finding, ServedRows } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import { computeLoadableTolerance_s, findOffsetCause } from '../checks/shared/camera-aspects.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { formatEpisodeList, groupBy } from './shared/comparison-rows.ts';

/** A camera's part of a video file in one episode, for loaders that access video by time. */
type Window = {
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
    'If the format’s own loader looks up frames by timestamp in shared video files (LeRobot): files with fewer frames than their episodes declare, episode windows that drift away from the frames, and timestamps for which the loader rejects rows of most episodes.',
  judged_by: [],
  collect({ episode, cameras }) {
    const windows = episode.streams.flatMap(({ id, frames }): Window[] => {
      const container = cameras.get(id)?.container;
      const locator = frames?.locator;
      if (container?.served === undefined || locator?.type !== 'video') return [];
      return createWindow(id, locator, container.served, container.rate_hz);
    });
    return windows.length === 0 ? null : { windows };
  },
  conclude(rows) {
    const windows = rows.flatMap(({ episode, row }) =>
      row.windows.map((window): EpisodeWindow => ({ episode, row: window })),
    );
    const findings: Finding[] = [];
    for (const fileWindows of groupBy(windows, ({ path }) => path).values())
      findings.push(...createLostFrameFindings(fileWindows));
    for (const cameraWindows of groupBy(windows, ({ camera }) => camera).values())
      findings.push(...createDriftFindings(cameraWindows), ...createStampFindings(cameraWindows));
    return { findings, notes: new Map() };
  },
});

type EpisodeWindow = ComparisonRow<Window>;
type VideoLocator = Extract<NonNullable<Episode['streams'][number]['frames']>['locator'], { type: 'video' }>;

function createWindow(
  camera: string,
  { asked, path, from_s, to_s }: VideoLocator,
  served: ServedRows,
  rate_hz: number | null,
): Window[] {
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

/**
 * Reports a file of several episodes with fewer frames than they claim. The counts do not show where frames
 * were lost.
 */
function createLostFrameFindings(windows: readonly EpisodeWindow[]): Finding[] {
  if (windows.length < 2) return [];
  const { path, camera, file_frames } = windows[0].row;
  const claimed = windows.reduce((sum, { row }) => sum + row.claimed, 0);
  const lacking = claimed - file_frames;
  if (lacking <= 0 || countDistinctStarts(windows) < windows.length) return [];
  const first = windows.reduce((a, b) => (b.row.from_s < a.row.from_s ? b : a)).episode;
  return [
    {
      code: 'video_file_lacks_frames',
      severity: 'blocking',
      path,
      message: `${path} has ${file_frames} frames, but its ${windows.length} episodes declare ${claimed}: ${lacking} frames of ${camera} are missing. If they are missing in the middle of the file, the loader silently returns shifted images, from ${first} on at the earliest`,
      advice:
        'Check that images match rows in the episodes of this file, last episode first, then encode the file again from the original images.',
      evidence: { camera, claimed, file_frames, first_episode: first, lacking },
    },
  ];
}

/**
 * Counts distinct window starts. Two episodes that claim one window are reported elsewhere; their frames
 * would be counted twice.
 */
function countDistinctStarts(windows: readonly EpisodeWindow[]): number {
  return new Set(windows.map(({ row }) => row.from_s)).size;
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
