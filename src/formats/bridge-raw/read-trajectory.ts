import type { Episode, Finding, Stream, TaskText } from '#core/episode';
import { unknownOutcome } from '#core/episode';
import { type FileHasher, type HashScope, type SourceTree, sourceRefs, type UsedFile } from '#io/sources';
import type { Unreadable } from '../shared/reader.ts';
import { incomplete, latencyFinding, stepFindings } from './findings.ts';
import { dayOf, type StepPicture, type Trajectory } from './layout.ts';

export interface TrajectoryContext {
  readonly index: number;
  readonly hasher: FileHasher;
  readonly hashes: HashScope;
}

/** Steps of 0.2 s. */
export const rate_hz = 5;
/** The camera's latency was found, and the recording changed, on this day. */
const latencyUntil = '2021-07-23';
const longestLanguage = 1024 * 1024;

/** What the episode of this folder is called. */
export function idOf({ folder }: Trajectory): string {
  return folder === '' ? 'trajectory' : folder;
}

/** Reads one trajectory; without pictures nothing of it can be judged. */
export async function readTrajectory(
  tree: SourceTree,
  own: Trajectory,
  { index, hasher, hashes }: TrajectoryContext,
): Promise<Episode | Unreadable> {
  const cameras = [...own.cameras];
  if (cameras.length === 0) {
    return { unreadable: true, id: idOf(own), index, finding: incomplete(own, ['pictures']) };
  }
  const missing = ['obs_dict.pkl', 'policy_out.pkl'].filter((name) => !own.pickles.includes(name));
  const day = dayOf(own);
  const streams = [
    ...cameras.map(([id, pictures]) => cameraStream(id, pictures)),
    ...own.pickles.flatMap((name) => unreadStream(name)),
  ];
  const findings: Finding[] = [
    ...(missing.length > 0 ? [incomplete(own, missing)] : []),
    ...stepFindings(own),
    ...(day !== null && day < latencyUntil ? [latencyFinding(own, day)] : []),
  ];
  const lastStep = Math.max(...cameras.map(([, pictures]) => pictures[pictures.length - 1].step));
  return {
    id: idOf(own),
    index,
    locator: { format: 'bridge-raw', path: cameras[0][1][0].path },
    sources: await sourceRefs(tree, filesUsed(own), hasher, hashes),
    // The folder's name says when, and no zone.
    start_ns: null,
    duration_s: (lastStep + 1) / rate_hz,
    streams,
    events: [],
    tasks: await tasksOf(tree, own.language, findings),
    outcome: unknownOutcome,
    robot: 'WidowX 250',
    calibrations: [],
    grippers: [],
    labels: null,
    findings,
  };
}

function cameraStream(id: string, pictures: readonly StepPicture[]): Stream {
  return {
    ...{ id, role: id.startsWith('depth') ? 'depth' : 'camera', modality: 'image', shape: [], names: null },
    unit: { unit: 'px', evidence: 'known_format', reason: 'a picture file' },
    declared_rate_hz: rate_hz,
    sample_count: pictures.length,
    clocks: [
      {
        name: `step / ${rate_hz} Hz`,
        provenance: 'synthesised',
        time_s: Float64Array.from(pictures, ({ step }) => step / rate_hz),
      },
    ],
    clock: {
      index: 0,
      reason:
        'the number of the picture in steps of 0.2 s, as BridgeData V2 records; true times are in a pickle',
    },
    frames: {
      locator: { type: 'image-files', paths: pictures.map(({ path }) => path) },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

/** Named, so that it shows what the recording holds and was not looked at. */
function unreadStream(name: string): Stream[] {
  if (name === 'agent_data.pkl') return [];
  return [
    {
      ...{ id: name, role: name === 'policy_out.pkl' ? 'action' : 'state', modality: 'opaque', shape: [] },
      names: null,
      unit: { unit: 'unknown', evidence: 'unknown', reason: 'a Python pickle, which is never loaded' },
      declared_rate_hz: rate_hz,
      sample_count: 0,
      clocks: [],
      clock: null,
    },
  ];
}

/** One text a line; lines with the word `confidence` say how sure a labeller was. */
async function tasksOf(
  tree: SourceTree,
  path: string | null,
  findings: Finding[],
): Promise<readonly TaskText[]> {
  if (path === null) return [];
  const whole = await tree.text(path, longestLanguage).catch(() => null);
  if (whole === null) {
    findings.push({
      ...{ code: 'text_unreadable', severity: 'warning', path },
      message: `${path} cannot be read as a short text`,
      advice: 'copy the file again; the episode is read without task text',
    });
    return [];
  }
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
  const texts = new Set(lines.filter((line) => line !== '' && !line.includes('confidence')));
  return [...texts].map((text) => ({ text, source: path }));
}

function filesUsed({ cameras, language }: Trajectory): UsedFile[] {
  const pictures = [...cameras.values()].flat();
  return [
    ...pictures.map(({ path }) => ({ path, role: 'image' as const })),
    ...(language === null ? [] : [{ path: language, role: 'annotation' as const }]),
  ];
}
