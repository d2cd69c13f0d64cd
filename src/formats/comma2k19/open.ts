import { counted } from '#core';
import type { Episode, Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { readSegment } from './read-segment.ts';
import { type Segment, segmentsOf } from './segment-files.ts';

/** A segment a work unit: a minute is some ten megabytes of arrays and some forty of video. */
export function openComma(tree: SourceTree, recognition: Recognition): Dataset {
  const segments = segmentsOf(tree);
  return {
    facts: {
      format: 'comma2k19',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: ['video'],
    },
    recognition,
    findings: [...videoFindings(segments), ...nameFindings(segments), ...unreadFindings(segments)],
    units: segments.map(unitOf),
    read: (unit, options) => readUnit(tree, segments[unit.first_index], unit, options),
    close: async () => {},
  };
}

const notRead = /(?:^|\/)(?:raw_log\.bz2|preview\.png)$/;

const isVideo = (path: string): boolean => /(?:^|\/)video\.hevc$/.test(path);

function unitOf({ folder, files }: Segment, index: number): WorkUnit {
  let bytes = 0;
  let video = 0;
  for (const file of files) {
    if (notRead.test(file.path)) continue;
    bytes += file.bytes;
    if (isVideo(file.path)) video += file.bytes;
  }
  return {
    id: folder === '' ? 'segment' : folder,
    expected_episodes: 1,
    first_index: index,
    bytes,
    look_bytes: bytes - video,
    selector: null,
  };
}

async function* readUnit(
  tree: SourceTree,
  segment: Segment,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  options.signal?.throwIfAborted();
  const hasher = createFileHasher(tree);
  yield await readSegment(tree, segment, unit.first_index, hasher, hashScope(options));
  options.onBytes?.(unit.bytes);
}

function videoFindings(segments: readonly Segment[]): Finding[] {
  const without = segments.filter(({ files }) => !files.some(({ path }) => isVideo(path)));
  if (without.length === 0) return [];
  return [
    {
      code: 'videos_missing',
      severity: 'error',
      path: null,
      message: `${counted(without.length, 'segments have', segments.length)} no video.hevc (${named(without)})`,
      advice: 'copy the videos beside their logs; what is there of the signals is judged without them',
      evidence: { segments: segments.length, without_video: without.length },
    },
  ];
}

function nameFindings(segments: readonly Segment[]): Finding[] {
  const piped = segments.filter(({ folder }) => folder.includes('|'));
  if (piped.length === 0) return [];
  return [
    {
      code: 'name_not_portable',
      severity: 'info',
      path: null,
      message: `${counted(piped.length, 'segments have | in their path')} (${named(piped)}), which Windows and some archives refuse`,
      advice: 'write _ for | before the folder is copied there; both are read alike',
    },
  ];
}

function unreadFindings(segments: readonly Segment[]): Finding[] {
  const logs = segments.filter(({ files }) => files.some(({ path }) => /(?:^|\/)raw_log\.bz2$/.test(path)));
  if (logs.length === 0) return [];
  return [
    {
      code: 'files_not_read',
      severity: 'info',
      path: null,
      message: `raw_log.bz2 of ${logs.length} segments is not read`,
      advice: 'nothing to do: processed_log holds what the set extracts from it',
    },
  ];
}

function named(segments: readonly Segment[]): string {
  const shown = segments.slice(0, 3).map(({ folder }) => (folder === '' ? 'this folder' : folder));
  return shown.join(', ') + (segments.length > 3 ? ', …' : '');
}
