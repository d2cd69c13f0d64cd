import { AssayError } from '#core';
import type { Episode, Finding } from '#core/episode';
import { type ByteSource, hashScope, openByteSource, type SourceTree } from '#io/sources';
import { computeLookBytes, lookCut, maxLookBytes, PartCutBuilder } from '../episode-cuts.ts';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../reader.ts';
import { FlightLog } from './flight-log.ts';

/**
 * Bytes of numbers and timestamps of an open episode above which it is closed and the log continues in the next one.
 */
const maxHeldBytes = 128 * 1024 * 1024;

/** Reader of a flight log of any format. */
export interface FlightLogReader {
  /** Bytes read so far. */
  readonly offset: number;
  /** Data messages read so far. */
  readonly messages: number;
  /** Reads the header. @throws AssayError if the log cannot be read at all. */
  begin(): Promise<void>;
  /** Reads the next part. Returns false at the end. */
  step(): Promise<boolean>;
  /** Returns the vehicle or autopilot, as far as it is known yet. */
  robot(): string | null;
  /** Returns the findings; `isLast` is true at the end of the log. */
  findings(isLast: boolean): readonly Finding[];
  /** Starts new tables after the log was closed as an episode. */
  restart(): void;
}

/** Creates the reader of a log. */
export type OpenFlightLogReader = (source: ByteSource, path: string, log: FlightLog) => FlightLogReader;

/** Creates the dataset of flight logs of one format: one work unit per file. */
export function openFlightLogs(
  tree: SourceTree,
  recognition: Recognition,
  openReading: OpenFlightLogReader,
): Dataset {
  const { format } = recognition;
  return {
    facts: {
      format,
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    recognition,
    findings: [],
    units: planUnits(tree),
    read: (unit, options) => readFlightLog(tree, unit, format, openReading, options),
    close: async () => {},
  };
}

/**
 * Reads one log as one episode, or as several if it exceeds the memory limit. A log that cannot be read is yielded as
 * `Unreadable`.
 */
async function* readFlightLog(
  tree: SourceTree,
  unit: WorkUnit,
  format: string,
  openReading: OpenFlightLogReader,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const path = unitPath(unit);
  try {
    const hashes = hashScope(options) === 'all';
    const source = await openByteSource(tree, path, { hashes });
    try {
      yield* readParts(source, path, unit, format, openReading, { ...options, hashes });
    } finally {
      await source.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    yield {
      unreadable: true,
      id: unit.id,
      index: unit.first_index,
      finding: unreadableFinding(path, thrown),
    };
  }
}

async function* readParts(
  source: ByteSource,
  path: string,
  unit: WorkUnit,
  format: string,
  openReading: OpenFlightLogReader,
  { signal, onBytes, hashes, look }: ReadOptions,
): AsyncGenerator<Episode> {
  const log = new FlightLog(path);
  const reading = openReading(source, path, log);
  const cuts = new PartCutBuilder(unit.id);
  let parts = 0;
  let from = 0;
  const finish = async (isLast: boolean): Promise<Episode> => {
    const isPart = !isLast || parts > 0;
    const id = isPart ? `${unit.id}#${String(++parts).padStart(4, '0')}` : unit.id;
    const span = isPart ? { span: { unit: 'record' as const, from, to: reading.messages } } : {};
    const locator = { format, path, ...span };
    from = reading.messages;
    const sha256 = hashes === true ? await source.sha256() : null;
    const findings = [...(isPart ? [splitFinding(path, parts)] : []), ...reading.findings(isLast)];
    if (isLast && reading.messages === 0) findings.push(noMessagesFinding(path));
    const identity = { id, index: unit.first_index, locator, robot: reading.robot() };
    const episode = log.finish(identity, [{ path, bytes: source.stored, sha256, role: 'data' }], findings);
    reading.restart();
    return isPart ? { ...episode, cut: cuts.next(episode, !isLast) } : episode;
  };
  await reading.begin();
  for (let more = true; more; ) {
    signal?.throwIfAborted();
    more = await reading.step();
    onBytes?.(reading.offset);
    if (look === true && more && reading.offset > maxLookBytes) {
      const episode = await finish(true);
      return yield { ...episode, cut: { ...cuts.next(episode, true), ends: lookCut } };
    }
    if (more && log.heldBytes > maxHeldBytes) yield await finish(false);
  }
  yield await finish(true);
}

function unreadableFinding(path: string, { code, message, advice }: AssayError): Finding {
  return {
    code: code === 'unsupported_version' ? 'flags_unknown' : 'file_unreadable',
    severity: 'error',
    path,
    message,
    advice: advice ?? 'copy or download the file again',
  };
}

function splitFinding(path: string, part: number): Finding {
  return {
    code: 'recording_split',
    severity: 'info',
    path,
    message: `the log is too long to load at once and was split; this is part ${part}, assessed separately`,
    advice: 'nothing to do; to assess whole flights, configure the autopilot to close the log on disarming',
  };
}

function noMessagesFinding(path: string): Finding {
  return {
    code: 'no_messages',
    severity: 'warning',
    path,
    message: 'the log contains no data messages',
    advice: 'remove the file, or find out why nothing was logged',
  };
}

/** Returns one work unit per log file, in listing order. */
function planUnits(tree: SourceTree): WorkUnit[] {
  const ids = tree.files.map(({ path }) => path.replace(/\.[^./]+$/, ''));
  const uses = new Map<string, number>();
  for (const id of ids) uses.set(id, (uses.get(id) ?? 0) + 1);
  return tree.files.map(({ path, bytes }, index) => ({
    id: uses.get(ids[index]) === 1 ? ids[index] : path,
    expected_episodes: 1,
    first_index: index,
    bytes,
    look_bytes: computeLookBytes(bytes),
    selector: path,
  }));
}

/** Returns the file path of a work unit. */
function unitPath({ id, selector }: WorkUnit): string {
  if (typeof selector !== 'string')
    throw new AssayError('internal', `${id} is not a work unit of flight logs`);
  return selector;
}
