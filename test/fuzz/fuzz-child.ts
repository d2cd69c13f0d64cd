import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { peakMemory_bytes } from '../support/peak-memory.ts';
import { codecs } from './codecs.ts';
import { fixAll } from './fix-all.ts';
import { type Outcome, readAll, stackOf } from './read-all.ts';

/** A recording to be read. */
export interface FuzzTask {
  /** The codec of `packages/` that reads it; absent: the readers of the project. */
  readonly codec?: string;
  /** It is mended and put back instead. */
  readonly fix?: boolean;
  readonly files: ReadonlyMap<string, Buffer>;
}

export interface FuzzAnswer extends Outcome {
  readonly took_ms: number;
  /** Largest memory of the process so far, in MB. */
  readonly peak_mb: number;
}

// A name is used once: engines may remember what they read of a file.
let number = 0;

process.on('message', (task: FuzzTask) => void answer(task));
process.send?.('ready');

async function answer({ files, codec, fix }: FuzzTask): Promise<void> {
  // The parent gives each child a TMPDIR of its own.
  const name = `recording-${number++}`;
  const folder = join(tmpdir(), name);
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  const begun = performance.now();
  const work = fix === true ? fixAll : readAll;
  const outcome = codec === undefined ? await work(folder) : await readByCodec(codec, files);
  const left = readdirSync(tmpdir()).filter((entry) => entry !== name);
  for (const entry of [name, ...left]) rmSync(join(tmpdir(), entry), { recursive: true, force: true });
  process.send?.({
    ...outcome,
    faults: [...outcome.faults, ...left.map((entry) => `left ${entry} in the temporary folder`)],
    took_ms: performance.now() - begun,
    peak_mb: peakMemory_bytes() / 1e6,
  } satisfies FuzzAnswer);
}

async function readByCodec(codec: string, files: FuzzTask['files']): Promise<Outcome> {
  const nothing = { episodes: 0, findings: [], faults: [] };
  const [bytes] = [...files.values()];
  try {
    return { ...nothing, errors: await codecs[codec].read(Buffer.from(bytes)) };
  } catch (thrown) {
    return { ...nothing, errors: [], faults: [stackOf(thrown)] };
  }
}
