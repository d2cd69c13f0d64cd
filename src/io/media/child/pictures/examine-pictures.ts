import { readFileSync, statSync } from 'node:fs';
import { limits } from '#core';
import { type CameraEvidence, type ContainerFacts, picturesSkippedReason } from '#core/episode';
import { reportProgress } from '#io/processes';
import type { CameraRequest } from '../../media-port.ts';
import { noEvidence } from '../../no-evidence.ts';
import { assessDoubt, EvidenceBuilder, ThumbnailSelector } from '../evidence-builder.ts';
import { resolveInside } from '../media-files.ts';
import { planSamples, range } from '../plan-samples.ts';
import { DeepScale, type Picture, PictureError, UnsupportedPicture } from './decode-picture.ts';
import { decodePictureFile } from './decode-picture-file.ts';

/** Maximum number of pictures decoded of one sequence if every one is in doubt. */
const maxPictures = 5000;
/** A picture file is read whole. */
const maxPictureBytes = limits.recordings.picture_bytes.value;

/**
 * Measures a camera whose frames are picture files: a sample, or more if pictures look faulty; files that are missing
 * or cannot be decoded are counted in `reason`.
 */
export async function examinePictures(
  paths: readonly string[],
  request: CameraRequest,
): Promise<CameraEvidence> {
  const files = paths.map((path) => resolveInside(request.root, path, request.within));
  if (files.every((file) => file === null)) {
    const reason = files.length === 0 ? 'no images are listed' : `file not found: ${paths[0]}`;
    return noEvidence('missing', reason);
  }
  if (request.pictures === 'none') return noEvidence('not_measured', picturesSkippedReason);
  const bytes = Int32Array.from(files, (file) => (file === null ? 0 : statSync(file).size));
  const span = { count: files.length, key: new Uint8Array(files.length).fill(1), bytes, pixels: 0 };
  const frames = request.pictures === 'all' ? range(0, files.length) : planSamples(span);
  let pass = await decodeFiles(paths, files, frames, request);
  if (pass.doubtful && pass.requested < files.length) {
    pass = await decodeFiles(paths, files, range(0, Math.min(files.length, maxPictures)), request);
  }
  return evidence(pass, files.length);
}

interface Failure {
  readonly path: string;
  readonly text: string;
  /** False if there is no decoder for its format. */
  readonly supported: boolean;
}

interface Pass {
  readonly builder: EvidenceBuilder;
  readonly selector: ThumbnailSelector;
  readonly requested: number;
  readonly first: Picture | null;
  readonly failures: readonly Failure[];
  readonly doubtful: boolean;
}

async function decodeFiles(
  paths: readonly string[],
  files: readonly (string | null)[],
  frames: readonly number[],
  request: CameraRequest,
): Promise<Pass> {
  const builder = new EvidenceBuilder();
  const selector = new ThumbnailSelector(request.thumbnails, frames);
  const rate_hz = request.declared_rate_hz ?? 1;
  const stamps = request.stamps_s;
  const failures: Failure[] = [];
  const scale = new DeepScale();
  let first: Picture | null = null;
  let doubtful = false;
  for (const i of frames) {
    reportProgress();
    try {
      const { picture, source } = await readPicture(files[i], scale);
      first ??= picture;
      const added = builder.add(i, stamps?.[i] ?? i / rate_hz, picture.luma);
      selector.consider(added, () => source);
      if (assessDoubt(added) !== 'none') doubtful = true;
      if (picture.damage !== null) failures.push({ path: paths[i], text: picture.damage, supported: true });
    } catch (thrown) {
      if (!(thrown instanceof PictureError)) throw thrown;
      failures.push({
        path: paths[i],
        text: thrown.message,
        supported: !(thrown instanceof UnsupportedPicture),
      });
    }
  }
  return {
    builder,
    selector,
    requested: frames.length,
    first,
    failures,
    doubtful: doubtful || failures.length > 0,
  };
}

async function readPicture(file: string | null, scale: DeepScale) {
  if (file === null) throw new PictureError('file not found');
  const { size } = statSync(file);
  if (size > maxPictureBytes)
    throw new PictureError(`${size} bytes exceed the limit of ${maxPictureBytes} for one image`);
  return decodePictureFile(file, readFileSync(file), scale);
}

async function evidence(pass: Pass, count: number): Promise<CameraEvidence> {
  const { builder, failures, requested } = pass;
  const everything = requested === count;
  return {
    decodable: decodability(pass),
    reason: failures.length === 0 ? null : describeFailures(failures, requested),
    container: pass.first === null ? null : containerFacts(pass.first, count),
    sampled: builder.sampled(),
    repeats: builder.repeats(count < 2 ? 'none' : everything ? 'every_frame' : 'sampled', false),
    thumbnails: await pass.selector.thumbnails(),
    coded: null,
  };
}

function decodability({ failures, builder }: Pass): CameraEvidence['decodable'] {
  if (failures.length === 0) return 'yes';
  if (builder.count > 0) return 'partial';
  return failures.some((one) => one.supported) ? 'no' : 'not_measured';
}

function describeFailures(failures: readonly Failure[], requested: number): string {
  const [{ path, text }] = failures;
  if (requested === 1) return text;
  return `${failures.length} of ${requested} images are corrupt or cannot be decoded; the first is ${path}: ${text}`;
}

/** Returns the container facts of a sequence of picture files, which has no stamps and no declared frame count. */
function containerFacts(picture: Picture, count: number): ContainerFacts {
  return {
    codec: picture.format,
    width_px: picture.width_px,
    height_px: picture.height_px,
    pixel_format: picture.pixel_format,
    frame_count: count,
    declared_frame_count: null,
    rate_hz: null,
    first_pts_s: null,
    last_pts_s: null,
    pts_jitter_ratio: null,
    rotation_deg: picture.rotation_deg,
    complete: picture.damage === null,
  };
}
