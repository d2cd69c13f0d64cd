import type { Episode, Finding } from '#episode';
import { AssayError } from '#kernel';
import { type ByteSource, openByteSource } from '../../bytes/byte-source.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { FlightLog } from '../../flight/flight-log.ts';
import { fileOf } from '../../flight/flight-units.ts';
import type { ReadOptions, Unreadable, WorkUnit } from '../../reader.ts';
import { Damage } from './damage.ts';
import { aboutLog } from './log-information.ts';
import { LogReading } from './log-reading.ts';
import { LogWalk } from './log-walk.ts';

/** Reads one log: one episode, or several where it is too long to be held at once. */
export async function* readLog(
  tree: SourceTree,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const path = fileOf(unit);
  try {
    const source = await openByteSource(tree, path, false);
    try {
      yield* readParts(source, path, unit, options);
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
  { signal, onBytes, hashes }: ReadOptions,
): AsyncGenerator<Episode> {
  const log = new FlightLog(path);
  const reading = new LogReading(log);
  const damage = new Damage();
  const walk = new LogWalk(source, path, reading, damage);
  let parts = 0;
  let from = 0;
  let walked = 0;
  const finish = async (isLast: boolean): Promise<Episode> => {
    const to = reading.messages;
    const isPart = !isLast || parts > 0;
    const span = isPart ? { span: { unit: 'record' as const, from, to } } : {};
    const sha256 = hashes === false ? null : await source.sha256();
    const id = isPart ? `${unit.id}#${String(++parts).padStart(4, '0')}` : unit.id;
    from = to;
    const { robot, findings } = aboutLog(reading, path);
    const identity = { id, index: unit.first_index, locator: { format: 'ulog', path, ...span }, robot };
    const seen = [
      ...(isPart ? [splitFinding(path, parts)] : []),
      ...findings,
      ...(isLast ? damage.findings(path) : []),
    ];
    const episode = log.finish(identity, [{ path, bytes: source.stored, sha256, role: 'data' }], seen);
    reading.restart();
    return episode;
  };
  await walk.begin();
  for (let more = true; more; ) {
    signal?.throwIfAborted();
    more = await walk.step();
    onBytes?.(walk.offset - walked);
    walked = walk.offset;
    if (more && reading.isFull) yield await finish(false);
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
    advice: 'nothing to do; to judge whole flights, close the log on disarming (SDLOG_MODE)',
  };
}
