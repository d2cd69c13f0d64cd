import type { Hdf5Dataset, Hdf5File } from '@assay/hdf5';
import { AssayError } from '#core';
import { type Finding, type Stream, type StreamRole, unknownOutcome } from '#core/episode';
import {
  type ArrayPool,
  assertStepCount,
  type FileArrays,
  listArrays,
  StepArrayReader,
} from '../shared/arrays/step-arrays.ts';
import type { EpisodeParts, Hdf5Family, Hdf5Recording } from './family.ts';

/** D4RL layout: flat arrays of observations, actions and rewards, with marks at the ends of episodes. */
export const d4rlFamily: Hdf5Family = {
  id: 'd4rl',
  title: 'D4RL: flat arrays of transitions, split at terminals and timeouts',
  open: async (file) => {
    const [actions, observations] = [
      await file.root.dataset('actions'),
      await file.root.dataset('observations'),
    ];
    const links = await file.root.links();
    const hasMarks = links.has('terminals') || links.has('timeouts') || links.has('rewards');
    return actions === null || observations === null || !hasMarks ? null : openD4rl(file, actions);
  },
};

interface D4rl {
  readonly file: Hdf5File;
  readonly rows: number;
  readonly contents: FileArrays;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

async function openD4rl(file: Hdf5File, actions: Hdf5Dataset): Promise<Hdf5Recording> {
  const { rows } = actions;
  assertStepCount(rows, file.path);
  const contents = await listArrays(file.root, file.path);
  const ends = await splitEpisodes(contents, rows, file.path);
  const d4rl: D4rl = { file, rows, contents, spans: ends.spans };
  const flat = [...contents.arrays.values()].filter((dataset) => dataset.rows === rows);
  return {
    family: d4rlFamily.id,
    evidence: `flat arrays of ${rows} transitions: ${['actions', 'observations', ...ends.marks].join(', ')}`,
    ...{ declared_frames: null, declared_rate_hz: null, robot: null, cameras: [], conventions: [] },
    findings: [...file.findings, ...boundaryFindings(d4rl, ends.marks), ...arrayFindings(d4rl)],
    episodes: ends.spans.length === 1 ? [''] : ends.spans.map((_, i) => `episode_${i}`),
    look_bytes: flat.reduce((sum, { rowBytes }) => sum + rowBytes * rows, 0),
    read: (position, { pool }) => readEpisode(d4rl, position, pool),
    picture: async () => null,
  };
}

async function readEpisode(
  { file, rows, contents, spans }: D4rl,
  position: number,
  pool: ArrayPool | null,
): Promise<EpisodeParts> {
  const span = spans[position];
  const reading = new StepArrayReader(file.path, null, span, pool);
  const streams: Stream[] = [];
  for (const [id, dataset] of contents.arrays) {
    const role = streamRole(id);
    if (dataset.rows !== rows || role === null) continue;
    streams.push(await reading.readStream({ id, role, dataset }));
  }
  for (const [id, error] of contents.unread) reading.addUnreadable(id, error);
  return {
    ...{ streams, duration_s: 0, tasks: null, outcome: unknownOutcome, robot: null },
    ...{ calibrations: [], grippers: [], findings: reading.findings, rows: span },
  };
}

/** Returns the role of an array; `null` for next_observations, which repeats the observations one step later. */
function streamRole(id: string): StreamRole | null {
  if (id === 'next_observations') return null;
  if (id === 'actions') return 'action';
  if (id === 'observations') return 'state';
  if (id === 'rewards') return 'reward';
  return /^(terminals|timeouts|dones?)$/.test(id) ? 'annotation' : 'other';
}

function boundaryFindings({ file, rows, spans }: D4rl, marks: readonly string[]): Finding[] {
  const { path } = file;
  if (rows === 0) {
    const advice = 'record again: the file was created but nothing was written to it';
    return [
      { code: 'recording_empty', severity: 'warning', path, message: `${path} has 0 transitions`, advice },
    ];
  }
  if (spans.length > 1) return [];
  const why =
    marks.length === 0 ? 'terminals and timeouts are missing' : `${marks.join(' and ')} mark no episode end`;
  return [
    {
      ...{ code: 'episode_boundaries_absent', severity: 'warning', path },
      message: `${path}: ${why}, so all ${rows} transitions are read as one episode`,
      advice: 'write timeouts where episodes end, so that training does not continue across episodes',
    },
  ];
}

function arrayFindings({ file, rows, contents }: D4rl): Finding[] {
  const findings: Finding[] = [];
  const uneven = [...contents.arrays].filter(
    ([id, dataset]) => dataset.rows !== rows && !id.startsWith('metadata/'),
  );
  if (uneven.length > 0) {
    findings.push({
      ...{ code: 'array_length_mismatch', severity: 'error', path: file.path },
      message: `${file.path}: actions have ${rows} rows; arrays with other lengths were left out: ${uneven
        .slice(0, 4)
        .map(([id, dataset]) => `${id} ${dataset.rows}`)
        .join(', ')}`,
      advice: 'write these arrays again with one row per transition',
    });
  }
  if (rows > 0 && contents.arrays.has('next_observations')) {
    findings.push({
      ...{ code: 'arrays_not_read', severity: 'info', path: file.path },
      message: `${file.path}: next_observations was not read, because it repeats observations one step later`,
      advice: 'nothing to do',
    });
  }
  return findings;
}

const markNames = ['terminals', 'timeouts'] as const;
/** Maximum number of episodes, so that marks set on every row cost no memory. */
const maxEpisodes = 1_000_000;

/** Division of flat transitions into episodes. */
interface Split {
  /** Names of the mark arrays that are present. */
  readonly marks: readonly string[];
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/**
 * Splits the rows after each one that is marked; rows after the last mark are an episode, too.
 * @throws AssayError `limit_exceeded` for more than `maxEpisodes`
 */
async function splitEpisodes({ arrays }: FileArrays, rows: number, path: string): Promise<Split> {
  const marks: string[] = [];
  const isEnd = new Uint8Array(rows);
  for (const name of markNames) {
    const dataset = arrays.get(name);
    if (dataset === undefined || dataset.rows !== rows || !dataset.isNumeric || dataset.rowElements !== 1)
      continue;
    const values = await dataset.readNumbers().catch((thrown: unknown) => {
      if (thrown instanceof AssayError) return null;
      throw thrown;
    });
    if (values === null) continue;
    marks.push(name);
    for (let row = 0; row < rows; row++) if (Number(values[row]) !== 0) isEnd[row] = 1;
  }
  const spans: [number, number][] = [];
  let from = 0;
  for (let row = 0; row < rows; row++) {
    if (isEnd[row] === 0) continue;
    if (spans.length === maxEpisodes) {
      throw new AssayError(
        'limit_exceeded',
        `${marks.join(' and ')} mark more than ${maxEpisodes} episode ends`,
        {
          ...{ path, advice: 'rewrite these arrays: they are set at steps where no episode ends' },
        },
      );
    }
    spans.push([from, row + 1]);
    from = row + 1;
  }
  if (from < rows) spans.push([from, rows]);
  return { marks, spans };
}
