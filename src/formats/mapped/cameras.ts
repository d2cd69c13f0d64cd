import type { Finding, FrameLocator, SourceRef, Stream } from '#core/episode';
import type { FileHasher, SourceTree } from '#io/sources';
import { isPictureName } from '../shared/file-names.ts';
import { readVideo } from '../videos/read-video.ts';
import { type MappedClock, selectClocks } from './build-episode.ts';
import type { CameraColumn, EpisodeRows } from './episode-rows.ts';
import { findFile, findFiles, type VideoFile } from './mapping.ts';
import type { Table } from './table.ts';

/** A camera of an episode, with its source files and findings. */
export interface MappedCamera {
  readonly stream: Stream;
  readonly sources: readonly SourceRef[];
  readonly findings: readonly Finding[];
}

/** The episode that a camera belongs to. */
export interface CameraSubject {
  readonly episode: string;
  /** Path of its table. */
  readonly path: string;
  /** Folder of its table with a slash at the end; `''` for the top folder. */
  readonly folder: string;
  readonly rows: number;
  readonly clocks: readonly MappedClock[];
  readonly rate_hz: number | null;
}

/**
 * Returns the camera stream of a mapped video or of numbered pictures, timed by the table's rows or the video's
 * timestamps; a missing file gives a `missing` locator and a finding.
 */
export async function readCamera(
  tree: SourceTree,
  mapping: VideoFile,
  subject: CameraSubject,
  hasher: FileHasher,
): Promise<MappedCamera> {
  const { path, exists } = findFile(tree, mapping.files, subject.episode);
  if (!exists) return missingCamera(mapping, subject, path);
  if (isPictureName(path)) return readNumberedPictures(tree, mapping, subject, hasher);
  const base = cameraBase(mapping, subject);
  if (mapping.frames === 'rows') {
    const frames = buildFrames({ type: 'video', path, from_s: 0, to_s: null, expected_frames: subject.rows });
    const stream = {
      ...base,
      sample_count: subject.rows,
      ...selectClocks(subject.clocks, undefined),
      frames,
    };
    const bytes = tree.entry(path)?.bytes ?? 0;
    const source = { path, bytes, sha256: await hasher.sha256(path), role: 'video' as const };
    return { stream, sources: [source], findings: [] };
  }
  return readStampedVideo(tree, mapping, base, path, hasher);
}

/** Returns the camera stream of picture files that a pattern matches, one for each row in the order of their numbers. */
async function readNumberedPictures(
  tree: SourceTree,
  mapping: VideoFile,
  subject: CameraSubject,
  hasher: FileHasher,
): Promise<MappedCamera> {
  const files = findFiles(tree, mapping.files, subject.episode);
  const camera = { id: mapping.id, role: mapping.role, column: mapping.files, colours: 'rgb' } as const;
  const read = await readPictureFiles(camera, files.slice(0, subject.rows), { tree, hasher }, subject);
  if (read === null) return missingCamera(mapping, subject, files[0]);
  if (files.length === subject.rows) return read;
  const finding = picturesDifferFinding(camera, subject, files.length);
  return { ...read, findings: [...read.findings, finding] };
}

function cameraBase(
  { id, role }: Pick<VideoFile, 'id' | 'role'>,
  { rate_hz }: CameraSubject,
): Omit<Stream, 'frames'> {
  return {
    id,
    role,
    modality: 'video',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'video file' },
    declared_rate_hz: rate_hz,
    sample_count: 0,
    clocks: [],
    clock: null,
  };
}

const buildFrames = (locator: FrameLocator) => ({ locator, declared_size_px: null, declared_codec: null });

function missingCamera(mapping: VideoFile, subject: CameraSubject, path: string): MappedCamera {
  const reason = 'the file is missing';
  const stream = { ...cameraBase(mapping, subject), frames: buildFrames({ type: 'missing', path, reason }) };
  const finding: Finding = {
    code: 'video_missing',
    severity: 'error',
    path,
    message: `episode ${subject.episode} has no video for ${mapping.id}: ${path} is missing`,
    advice: 'add the video, or correct its file pattern in the mapping',
  };
  return { stream, sources: [], findings: [finding] };
}

async function readStampedVideo(
  tree: SourceTree,
  mapping: VideoFile,
  base: Omit<Stream, 'frames'>,
  path: string,
  hasher: FileHasher,
): Promise<MappedCamera> {
  const video = await readVideo(tree, { path, bytes: tree.entry(path)?.bytes ?? 0 }, 0, hasher);
  if ('unreadable' in video) {
    const reason = video.finding.message;
    return {
      stream: { ...base, frames: buildFrames({ type: 'missing', path, reason }) },
      sources: [],
      findings: [video.finding],
    };
  }
  const [videoStream] = video.streams;
  const starts_at_s = mapping.starts_at_s ?? 0;
  const clocks = videoStream.clocks.map((clock) => ({
    ...clock,
    time_s: starts_at_s === 0 ? clock.time_s : clock.time_s.map((time) => time + starts_at_s),
  }));
  const start =
    mapping.starts_at_s === undefined
      ? 'the mapping does not declare starts_at_s, so the first frame is assumed to match the first row'
      : `starts ${starts_at_s} s after the first row, from the mapping`;
  const clock =
    videoStream.clock === null
      ? null
      : { ...videoStream.clock, reason: `${videoStream.clock.reason}; ${start}` };
  return {
    stream: { ...videoStream, id: mapping.id, role: mapping.role, clocks, clock },
    sources: video.sources.slice(0, 1),
    findings: video.findings,
  };
}

/** A table and the rows of an episode that were read from it. */
export interface CameraTable {
  readonly tree: SourceTree;
  readonly table: Table;
  readonly rows: EpisodeRows;
  readonly hasher: FileHasher;
  /** False if only size and number of stored pictures are needed. */
  readonly readsPictures: boolean;
}

/**
 * Returns the camera stream of a column, of picture files that it names or pictures that it stores, each at the time of
 * its row; `null` if an optional camera has none.
 * @param at index of the camera in the plan
 */
export async function readPictureColumn(
  { camera, text }: CameraColumn,
  at: number,
  from: CameraTable,
  subject: CameraSubject,
): Promise<MappedCamera | null> {
  if (text !== null) return readPictureFiles(camera, from.rows.pictures[at], from, subject);
  const found = await from.table.frames?.(camera, from.readsPictures);
  if (found == null)
    return camera.optional === true ? null : missingPictures(camera, subject, 'it contains no images');
  const { stream } = found;
  const findings = [...found.findings];
  if (stream.sample_count !== subject.rows)
    findings.push(picturesDifferFinding(camera, subject, stream.sample_count));
  const timed = timeOfRows(subject.clocks, stream.sample_count);
  const time_s = timed.clocks[0]?.time_s;
  const kept = stream.frames?.kept?.map((picture) => ({ ...picture, time_s: time_s?.[picture.index] ?? 0 }));
  const frames =
    stream.frames === undefined || kept === undefined ? stream.frames : { ...stream.frames, kept };
  return {
    stream: {
      ...stream,
      ...timed,
      declared_rate_hz: subject.rate_hz,
      ...(frames === undefined ? {} : { frames }),
    },
    sources: [],
    findings,
  };
}

/** Returns the clocks of the first `count` rows; none if there are more pictures than rows. */
function timeOfRows(clocks: readonly MappedClock[], count: number): Pick<Stream, 'clocks' | 'clock'> {
  const chosen = selectClocks(clocks, undefined);
  const rows = chosen.clocks[0]?.time_s.length ?? 0;
  if (count > rows) return { clocks: [], clock: null };
  const cut = chosen.clocks.map((clock) => ({ ...clock, time_s: clock.time_s.subarray(0, count) }));
  return count === rows ? chosen : { ...chosen, clocks: cut };
}

const maxHashedAtOnce = 4;

async function readPictureFiles(
  camera: CameraColumn['camera'],
  paths: readonly (string | null)[],
  { tree, hasher }: Pick<CameraTable, 'tree' | 'hasher'>,
  subject: CameraSubject,
): Promise<MappedCamera | null> {
  const named: { row: number; path: string }[] = [];
  const absent: string[] = [];
  for (const [row, name] of paths.entries()) {
    if (name === null) continue;
    const path = findPictureFile(tree, subject.folder, name);
    if (path === null) absent.push(name);
    else named.push({ row, path });
  }
  if (named.length === 0) {
    if (camera.optional === true && absent.length === 0) return null;
    const reason = absent.length === 0 ? 'it lists no images' : `${absent[0]} is missing`;
    return missingPictures(camera, subject, reason);
  }
  const chosen = selectClocks(subject.clocks, undefined);
  const files = named.map(({ path }) => path);
  const sources: SourceRef[] = [];
  for (let at = 0; at < files.length; at += maxHashedAtOnce)
    sources.push(
      ...(await Promise.all(
        files.slice(at, at + maxHashedAtOnce).map((path) => pictureSource(tree, path, hasher)),
      )),
    );
  return {
    stream: {
      ...cameraBase(camera, subject),
      modality: 'image',
      unit: { unit: 'px', evidence: 'known_format', reason: 'image files' },
      sample_count: files.length,
      clock: chosen.clock,
      clocks: chosen.clocks.map((clock) => ({
        ...clock,
        time_s: Float64Array.from(named, ({ row }) => clock.time_s[row]),
      })),
      frames: buildFrames({ type: 'image-files', paths: files }),
    },
    sources,
    findings: absent.length === 0 ? [] : [picturesMissingFinding(camera, subject, absent)],
  };
}

async function pictureSource(tree: SourceTree, path: string, hasher: FileHasher): Promise<SourceRef> {
  return { path, bytes: tree.entry(path)?.bytes ?? 0, sha256: await hasher.sha256(path), role: 'image' };
}

/** Returns the file that a path relative to the folder of a table, or to the folder of the mapping, names; `null` if there is none. */
export function findPictureFile(tree: SourceTree, folder: string, name: string): string | null {
  const candidates = [normalPath(folder + name), normalPath(name)];
  return candidates.find((path) => path !== null && tree.has(path)) ?? null;
}

/** Resolves `.` and `..` and back slashes of a path; `null` if it leads out of the folder. */
function normalPath(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..') parts.push(part);
  }
  return parts.join('/');
}

function missingPictures(
  camera: CameraColumn['camera'],
  subject: CameraSubject,
  reason: string,
): MappedCamera {
  const stream = {
    ...cameraBase(camera, subject),
    frames: buildFrames({ type: 'missing', path: subject.path, reason: `${camera.column}: ${reason}` }),
  };
  const finding: Finding = {
    code: 'pictures_missing',
    severity: 'error',
    path: subject.path,
    message: `${subject.path}: no images for ${camera.id} in ${camera.column}: ${reason}`,
    advice: 'add the images, or correct the column of the camera in the mapping',
  };
  return { stream, sources: [], findings: [finding] };
}

function picturesMissingFinding(
  camera: CameraColumn['camera'],
  { path }: CameraSubject,
  absent: readonly string[],
): Finding {
  const listed = absent.slice(0, 3).join(', ');
  return {
    code: 'pictures_missing',
    severity: 'error',
    path,
    message: `${path} lists ${absent.length} images of ${camera.id} that do not exist: ${listed}${absent.length > 3 ? ', …' : ''}`,
    advice: 'copy the images again, or exclude the episode',
    evidence: { pictures: absent.length, first: absent[0].slice(0, 200) },
  };
}

function picturesDifferFinding(
  camera: CameraColumn['camera'],
  { path, rows }: CameraSubject,
  pictures: number,
): Finding {
  return {
    code: 'array_length_mismatch',
    severity: 'error',
    path,
    message: `${path}: ${camera.column} has ${pictures} images for ${rows} rows`,
    advice: 'exclude the episode: the file does not show which images are missing',
    evidence: { pictures, rows },
  };
}
