import { AssayError } from '#core';
import type { Episode, Finding } from '#core/episode';
import { type ByteSource, hashScope, openByteSource, type SourceTree } from '#io/sources';
import { lookBytesOf, lookCut, lookLimit } from '../look.ts';
import { PartCuts } from '../part-cuts.ts';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../reader.ts';
import { FlightLog } from './flight-log.ts';

/** Numbers and stamps of an open episode, bytes; past this it is closed and the log goes on in another. */
const heldLimit = 128 * 1024 * 1024;

/** A log that is being read, whatever its format. */
export interface FlightReading {
  /** Bytes walked so far. */
  readonly offset: number;
  /** Messages of data so far. */
  readonly messages: number;
  /** Reads the head. Throws where the log cannot be read at all. */
  begin(): Promise<void>;
  /** Reads on; false at the end. */
  step(): Promise<boolean>;
  /** Who wrote the log, as far as it is read. */
  robot(): string | null;
  /** What there is to say of the log; `isLast`: of all of it. */
  findings(isLast: boolean): readonly Finding[];
  /** The log was closed as an episode, and its tables went with it. */
  restart(): void;
}

/** How a format starts to read a log. */
export type OpenReading = (source: ByteSource, path: string, log: FlightLog) => FlightReading;

/** Flight logs of one format: each file a unit; what is in them is read unit by unit. */
export function openFlightLogs(
  tree: SourceTree,
  recognition: Recognition,
  openReading: OpenReading,
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
    units: flightUnits(tree),
    read: (unit, options) => readFlightLog(tree, unit, format, openReading, options),
    close: async () => {},
  };
}

/** Reads one log: one episode, or several where it is too long to be held at once. */
async function* readFlightLog(
  tree: SourceTree,
  unit: WorkUnit,
  format: string,
  openReading: OpenReading,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const path = fileOf(unit);
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
    yield { unreadable: true, id: unit.id, index: unit.first_index, finding: unreadable(path, thrown) };
  }
}

async function* readParts(
  source: ByteSource,
  path: string,
  unit: WorkUnit,
  format: string,
  openReading: OpenReading,
  { signal, onBytes, hashes, look }: ReadOptions,
): AsyncGenerator<Episode> {
  const log = new FlightLog(path);
  const reading = openReading(source, path, log);
  const cuts = new PartCuts(unit.id);
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
    if (isLast && reading.messages === 0) findings.push(noMessages(path));
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
    if (look === true && more && reading.offset > lookLimit) {
      const episode = await finish(true);
      return yield { ...episode, cut: { ...cuts.next(episode, true), ends: lookCut } };
    }
    if (more && log.heldBytes > heldLimit) yield await finish(false);
  }
  yield await finish(true);
}

function unreadable(path: string, { code, message, advice }: AssayError): Finding {
  return {
    code: code === 'unsupported_version' ? 'flags_unknown' : 'file_unreadable',
    severity: 'error',
    path,
    message,
    advice: advice ?? 'fetch the file again',
  };
}

function splitFinding(path: string, part: number): Finding {
  return {
    code: 'recording_split',
    severity: 'info',
    path,
    message: `the log is too long to be held at once; this is part ${part}, judged on its own`,
    advice: 'nothing to do; to judge whole flights, have the autopilot close the log on disarming',
  };
}

function noMessages(path: string): Finding {
  return {
    code: 'no_messages',
    severity: 'warning',
    path,
    message: 'the log holds no message of data',
    advice: 'take the file out, or find out why nothing was logged',
  };
}

/** A work unit a log, in the order of the listing. */
function flightUnits(tree: SourceTree): WorkUnit[] {
  const ids = tree.files.map(({ path }) => path.replace(/\.[^./]+$/, ''));
  const uses = new Map<string, number>();
  for (const id of ids) uses.set(id, (uses.get(id) ?? 0) + 1);
  return tree.files.map(({ path, bytes }, index) => ({
    id: uses.get(ids[index]) === 1 ? ids[index] : path,
    expected_episodes: 1,
    first_index: index,
    bytes,
    look_bytes: lookBytesOf(bytes),
    selector: path,
  }));
}

/** The file of a unit of flight logs. */
function fileOf({ id, selector }: WorkUnit): string {
  if (typeof selector !== 'string') throw new AssayError('internal', `${id} is no unit of flight logs`);
  return selector;
}
