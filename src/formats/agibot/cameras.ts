import type { Calibration, Finding, Stream } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { everyFrame, type FrameClock } from './frame-clock.ts';
import type { AgibotEpisode, DepthPicture } from './layout.ts';

/** Videos, of cameras that other episodes of the task have too, tactile sensors and depth pictures. */
export function pictureStreams(
  own: AgibotEpisode,
  expected: ReadonlySet<string>,
  frames: FrameClock,
): Stream[] {
  const names = [...new Set([...own.videos.keys(), ...expected])].sort();
  const missing = (name: string) => `observations/${own.task}/${own.episode}/videos/${name}_color.mp4`;
  return [
    ...names.map((name) =>
      videoStream(`camera/${name}`, 'camera', own.videos.get(name) ?? null, missing(name), frames),
    ),
    ...[...own.tactile].map(([name, path]) => videoStream(`tactile/${name}`, 'tactile', path, path, frames)),
    ...[...own.depth].map(([name, pictures]) => depthStream(`depth/${name}`, pictures, frames)),
  ];
}

function videoStream(
  id: string,
  role: 'camera' | 'tactile',
  path: string | null,
  missing: string,
  frames: FrameClock,
): Stream {
  const samples = frames.clock.time_s.length;
  return {
    ...{ id, role, modality: 'video', shape: [], names: null, sample_count: samples },
    unit: { unit: 'px', evidence: 'known_format', reason: 'a video, frame by frame beside the state' },
    ...everyFrame(frames, samples),
    frames: {
      locator:
        path === null
          ? { type: 'missing', path: missing, reason: 'other episodes of its task have this camera' }
          : { type: 'video', path, from_s: 0, to_s: null, expected_frames: samples },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

function depthStream(id: string, pictures: readonly DepthPicture[], frames: FrameClock): Stream {
  return {
    ...{ id, role: 'depth', modality: 'image', shape: [], names: null, sample_count: pictures.length },
    unit: { unit: 'mm', evidence: 'known_format', reason: 'AgiBot World: depth in millimetres' },
    ...everyFrame(frames, pictures.length),
    frames: {
      locator: { type: 'image-files', paths: pictures.map(({ path }) => path) },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

const mostBytes = 16 * 1024 * 1024;
const mostNumbers = 64;

/** Intrinsics and extrinsics as their files have them; of poses of every frame the first. */
export async function calibrationsOf(
  tree: SourceTree,
  { parameters }: AgibotEpisode,
  findings: Finding[],
): Promise<Calibration[]> {
  const calibrations: Calibration[] = [];
  for (const path of parameters) {
    const said = await tree
      .text(path, mostBytes)
      .then((text): unknown => JSON.parse(text))
      .catch(() => null);
    const whole = Array.isArray(said);
    const values: Record<string, readonly number[]> = {};
    collect(whole ? (said as unknown[])[0] : said, '', values, 0);
    if (Object.keys(values).length === 0) {
      findings.push({
        ...{ code: 'calibration_unreadable', severity: 'warning', path },
        message: `${path} holds no numbers that can be read`,
        advice: 'copy the file again; the episode is read without it',
      });
      continue;
    }
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/_(in|ex)trinsic.*$/, '');
    const model = whole ? `of the first of ${(said as unknown[]).length} frames` : null;
    calibrations.push({ target: `camera/${name}`, model, source: path, values });
  }
  return calibrations;
}

/** Numbers and small arrays of a JSON object, by their path in it. */
function collect(said: unknown, at: string, into: Record<string, readonly number[]>, depth: number): void {
  if (depth > 4 || Object.keys(into).length >= mostNumbers) return;
  if (typeof said === 'number') into[at] = [said];
  else if (Array.isArray(said)) {
    const flat: unknown[] = said.flat(2);
    const isSmall = flat.length > 0 && flat.length <= mostNumbers;
    if (isSmall && flat.every((one) => typeof one === 'number')) into[at] = flat as number[];
  } else if (typeof said === 'object' && said !== null) {
    for (const [key, value] of Object.entries(said))
      collect(value, at === '' ? key : `${at}/${key}`, into, depth + 1);
  }
}
