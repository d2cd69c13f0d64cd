import type { Hdf5Type, NumberArray } from '@assay/hdf5';
import { toFloats } from '@assay/hdf5';
import { AssayError, parseTolerantJson } from '#core';
import type { Finding } from '#core/episode';
import { memoryFile, type SourceTree } from '#io/sources';
import { NpyArray } from '../shared/arrays/npy-array.ts';
import { isPickle, parsePickle } from '../shared/arrays/parse-pickle.ts';
import type { RowArray } from '../shared/arrays/row-array.ts';
import { readZipDirectory, startsAsZip } from '../shared/arrays/zip-directory.ts';
import { openZipMember } from '../shared/arrays/zip-member.ts';
import type { ArraySource } from './array-table.ts';
import { compareNames, PathPattern } from './path-pattern.ts';
import { type NamedValues, namedValues, type StepValue } from './step-values.ts';

/** Bytes of small values that are kept in memory, so that a file is not read again for each of its columns. */
const cacheBytes = 64 * 1024 * 1024;
const maxSmallBytes = 64 * 1024;
const maxStepBytes = 256 * 1024 * 1024;
/** Number of steps whose values make up the columns. */
const sampledSteps = 3;

/** Estimated memory of a value beside its bytes. */
const valueBytes = 2048;

type Values = ReadonlyMap<string, StepValue>;
/** Values in memory; `null` for those that are read from the file again. */
type SmallValues = ReadonlyMap<string, StepValue | null>;
const noValues: NamedValues = { values: new Map(), unread: new Map() };

/** Steps of an episode: files in the order of their names, or dictionaries of a list. */
export interface StepSource {
  /** File of each step, or a name for messages. */
  readonly labels: readonly string[];
  /** @throws AssayError if the step cannot be read */
  read(step: number): Promise<NamedValues>;
}

/** Steps of an episode, whose values are the rows of a table. */
class Steps {
  readonly labels: readonly string[];
  /** Findings about steps that could not be read. */
  readonly findings: Finding[] = [];
  readonly #source: StepSource;
  readonly #small = new Map<number, SmallValues>();
  #smallBytes = 0;
  #last: { readonly step: number; readonly values: Values } | null = null;
  readonly #failed = new Set<number>();

  constructor(source: StepSource) {
    this.#source = source;
    this.labels = source.labels;
  }

  /** Returns the arrays of the steps by path, and reasons why others cannot be read, by the first and last steps. */
  async arrays(): Promise<{ arrays: Map<string, RowArray>; unread: Map<string, AssayError> }> {
    const arrays = new Map<string, RowArray>([['@name', new StepNames(this.labels)]]);
    const unread = new Map<string, AssayError>();
    const last = this.labels.length - 1;
    for (const step of new Set([
      0,
      ...Array.from({ length: sampledSteps - 1 }, (_, at) => Math.max(0, last - at)),
    ])) {
      const found = await this.#parse(step);
      for (const [path, value] of found.values)
        if (!arrays.has(path)) arrays.set(path, new StackedArray(this, path, value));
      for (const [path, error] of found.unread) if (!arrays.has(path)) unread.set(path, error);
    }
    return { arrays, unread };
  }

  /** Returns a value of a step; `null` if the step does not have it or cannot be read. */
  async value(step: number, path: string): Promise<StepValue | null> {
    const small = this.#small.get(step);
    const known = small?.get(path);
    if (small !== undefined && known !== null) return known ?? null;
    if (this.#last?.step === step) return this.#last.values.get(path) ?? null;
    if (this.#failed.has(step)) return null;
    const { values } = await this.#parse(step);
    this.#last = { step, values };
    this.#keep(step, await smallValues(values));
    return values.get(path) ?? null;
  }

  #keep(step: number, values: SmallValues): void {
    if (this.#small.has(step)) return;
    this.#small.set(step, values);
    this.#smallBytes += memoryOf(values);
    for (const [oldest, dropped] of this.#small) {
      if (this.#smallBytes <= cacheBytes) return;
      this.#small.delete(oldest);
      this.#smallBytes -= memoryOf(dropped);
    }
  }

  /** Reads the file of a step; one that cannot be read has no values, and a finding. */
  async #parse(step: number): Promise<NamedValues> {
    const path = this.labels[step];
    try {
      return await this.#source.read(step);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      if (!this.#failed.has(step) && this.#failed.size < maxFailedFindings)
        this.findings.push(stepUnreadableFinding(path, thrown));
      this.#failed.add(step);
      return noValues;
    }
  }
}

const maxFailedFindings = 100;

function stepUnreadableFinding(path: string, { message, advice }: AssayError): Finding {
  return {
    code: 'step_unreadable',
    severity: 'error',
    path,
    message: message.includes(path) ? message : `${path}: ${message}`,
    advice: advice ?? 'copy the file again; its row has missing values',
  };
}

/**
 * Returns the files of a folder that match the pattern of steps, in the order of the numbers in their names; empty if
 * there are none.
 */
export function stepFiles(tree: SourceTree, folder: string, pattern: string): string[] {
  const paths = new PathPattern(pattern);
  const inside = folder === '.' ? tree.files : tree.subtree(folder).files;
  const start = folder === '.' ? '' : `${folder}/`;
  const found = inside.flatMap(({ path }) => (paths.match(path) === null ? [] : [start + path]));
  const stems = new Map(found.map((path) => [path, stemOf(path)]));
  return found.sort((a, b) => compareNames(stems.get(a) ?? '', stems.get(b) ?? ''));
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]\w*$/i, '');

/**
 * Opens the files of a folder that match a pattern such as `*.pkl` as arrays with one row per file; throws
 * `unreadable_input` if there is none, or none can be read.
 */
export async function openStepFiles(tree: SourceTree, folder: string, pattern: string): Promise<ArraySource> {
  const files = stepFiles(tree, folder, pattern);
  if (files.length === 0)
    throw new AssayError('unreadable_input', `the folder ${folder} has no files ${pattern}`, {
      path: folder,
      advice: 'correct episodes.steps in the mapping',
    });
  const source = { labels: files, read: (step: number) => parseStep(tree, files[step]) };
  const bytes = files.reduce((sum, path) => sum + (tree.entry(path)?.bytes ?? 0), 0);
  return { ...(await openSteps(source, folder, bytes)), files };
}

/**
 * Opens steps as arrays with one row per step; a step that cannot be read becomes a finding, and `unreadable_input` is
 * thrown if none can be.
 */
export async function openSteps(source: StepSource, path: string, bytes: number): Promise<ArraySource> {
  const steps = new Steps(source);
  const { arrays, unread } = await steps.arrays();
  const [fault] = steps.findings;
  if (arrays.size === 1 && fault !== undefined)
    throw new AssayError('unreadable_input', fault.message, {
      path: fault.path ?? path,
      advice: fault.advice,
    });
  return { path, bytes, arrays, unread, findings: steps.findings, close: async () => {} };
}

async function parseStep(tree: SourceTree, path: string): Promise<NamedValues> {
  const bytes = await tree.read(path, maxStepBytes);
  if (startsAsZip(bytes)) return parseNpz(bytes, path);
  if (isPickle(bytes) || /\.(pkl|pickle)$/i.test(path)) return namedValues(parsePickle(bytes, path), path);
  const text = new TextDecoder().decode(bytes);
  if (!/^\uFEFF?\s*\{/.test(text))
    throw new AssayError('unreadable_input', `${path} is not a JSON object, NPZ file or pickle`, {
      path,
      advice: 'correct episodes.steps in the mapping',
    });
  return namedValues(parseTolerantJson(text, path).value, path);
}

async function parseNpz(bytes: Uint8Array, path: string): Promise<NamedValues> {
  const found: NamedValues = { values: new Map(), unread: new Map() };
  const file = memoryFile(bytes);
  const { members } = await readZipDirectory(file, bytes.length, path);
  for (const [name, member] of members) {
    if (!/\.npy$/i.test(name)) continue;
    const key = name.slice(0, -4);
    const label = `${path}: ${key}`;
    try {
      const array = await NpyArray.open(await openZipMember(file, member, label), key, label);
      const isText = array.type.kind === 'text' && array.rows === 1 && array.rowElements === 1;
      const text = isText && array.type.bytes <= maxSmallBytes ? (await array.readTexts())[0] : null;
      // Until it is read, so that its decompression holds no memory.
      array.close();
      found.values.set(key, text ?? array);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      found.unread.set(key, thrown);
    }
  }
  return found;
}

const byteLength = (value: StepValue): number =>
  value instanceof NpyArray ? value.rows * value.rowBytes : value.length;

function memoryOf(values: SmallValues): number {
  let bytes = valueBytes * values.size;
  for (const value of values.values()) bytes += value === null ? 0 : byteLength(value);
  return bytes;
}

/** Returns copies of the small values, which do not keep their file in memory. */
async function smallValues(values: Values): Promise<SmallValues> {
  const small = new Map<string, StepValue | null>();
  let bytes = 0;
  for (const [path, value] of values) {
    const isSmall =
      byteLength(value) <= maxSmallBytes && bytes <= cacheBytes && !(value instanceof Uint8Array);
    if (isSmall) bytes += byteLength(value);
    small.set(path, !isSmall ? null : value instanceof NpyArray ? await value.copy() : value);
  }
  return small;
}

const textType: Hdf5Type = { kind: 'text', bytes: 256, variable: false, padding: 'zeros', utf8: true };
const byteType: Hdf5Type = {
  kind: 'integer',
  bytes: 1,
  signed: false,
  bigEndian: false,
  bitOffset: 0,
  precision: 8,
};

/** A finding whose evidence grows while the steps are read. */
type MutableFinding = Finding & { evidence?: Finding['evidence'] };

/** One value of every step, as an array with one row per step. */
class StackedArray implements RowArray {
  readonly path: string;
  readonly shape: readonly number[];
  readonly rows: number;
  readonly type: Hdf5Type;
  readonly rowElements: number;
  readonly rowBytes: number;
  readonly chunkRows = 1;
  readonly isNumeric: boolean;
  readonly #steps: Steps;
  /** Steps whose value is no number of the same shape, and the finding about them. */
  readonly #different = new Set<number>();
  #finding: MutableFinding | null = null;

  constructor(steps: Steps, path: string, sample: StepValue) {
    const inner = sample instanceof NpyArray ? sample.shape : [];
    this.path = path;
    this.rows = steps.labels.length;
    this.shape = [this.rows, ...inner];
    this.rowElements = inner.reduce((product, size) => product * size, 1);
    this.type = typeOf(sample);
    this.rowBytes = this.rowElements * this.type.bytes;
    this.isNumeric = sample instanceof NpyArray && sample.isNumeric;
    this.#steps = steps;
  }

  async storedBytes(): Promise<number> {
    return this.rows * this.rowBytes;
  }

  /** Returns the bytes of each step's array; throws if a step lacks it. */
  async readBytes(from = 0, to = this.rows): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array((to - from) * this.rowBytes);
    for (let step = from; step < to; step++) {
      const value = await this.#array(step);
      if (value === null) throw this.#missing(step);
      bytes.set(await value.readBytes(), (step - from) * this.rowBytes);
    }
    return bytes;
  }

  /** Returns numbers in their own type if they are integers of 64 bits, else as floats; NaN for steps without them. */
  async readNumbers(from = 0, to = this.rows): Promise<NumberArray> {
    const read: (NumberArray | null)[] = [];
    for (let step = from; step < to; step++) read.push(await this.#numbers(step));
    const width = this.rowElements;
    if (read.every((numbers) => numbers instanceof BigInt64Array)) {
      const whole = new BigInt64Array(read.length * width);
      for (const [at, numbers] of read.entries()) whole.set(numbers as BigInt64Array, at * width);
      return whole;
    }
    const size = read.length * width;
    const isNarrow = this.type.bytes < 4 || (this.type.kind === 'float' && this.type.bytes === 4);
    const all = (isNarrow ? new Float32Array(size) : new Float64Array(size)).fill(Number.NaN);
    for (const [at, numbers] of read.entries()) if (numbers !== null) all.set(toFloats(numbers), at * width);
    return all;
  }

  async readTexts(from = 0, to = this.rows): Promise<string[]> {
    const texts: string[] = [];
    for (let step = from; step < to; step++) {
      const value = await this.#steps.value(step, this.path);
      texts.push(typeof value === 'string' ? value : '');
    }
    return texts;
  }

  /** Returns the encoded picture of each step; empty bytes for steps without one. */
  async readItems(from = 0, to = this.rows): Promise<Uint8Array[]> {
    const items: Uint8Array[] = [];
    for (let step = from; step < to; step++) {
      const value = await this.#steps.value(step, this.path);
      items.push(value instanceof Uint8Array ? value : new Uint8Array(0));
    }
    return items;
  }

  /** Returns the array of a step; `null` if it has none of the same shape and type. */
  async #array(step: number): Promise<NpyArray | null> {
    const value = await this.#steps.value(step, this.path);
    const isSame = value instanceof NpyArray && this.#hasShape(value);
    return isSame && value.type.kind === this.type.kind && value.type.bytes === this.type.bytes
      ? value
      : null;
  }

  /** Returns the numbers of a step, of any type; `null` if it has none, or those of another shape, which are reported. */
  async #numbers(step: number): Promise<NumberArray | null> {
    const value = await this.#steps.value(step, this.path);
    if (value === null) return null;
    if (value instanceof NpyArray && value.isNumeric && this.#hasShape(value)) return value.readNumbers();
    this.#reportDifferent(step, value);
    return null;
  }

  #hasShape(value: NpyArray): boolean {
    return String(value.shape) === String(this.shape.slice(1));
  }

  /** Adds a finding about the first step that differs, and counts the others in it. */
  #reportDifferent(step: number, value: StepValue): void {
    this.#different.add(step);
    const found = value instanceof NpyArray ? `the shape [${value.shape.join(', ')}]` : 'no number';
    this.#finding ??= {
      code: 'step_differs',
      severity: 'error',
      path: this.#steps.labels[step],
      message: `${this.#steps.labels[step]}: ${this.path} has ${found} instead of the shape [${this.shape.slice(1).join(', ')}] of the first step`,
      advice: 'write every step with the same values; the values of these steps are missing',
    };
    if (this.#different.size === 1) this.#steps.findings.push(this.#finding);
    this.#finding.evidence = { column: this.path, steps: this.#different.size };
  }

  #missing(step: number): AssayError {
    const path = this.#steps.labels[step];
    return new AssayError('unreadable_input', `${path} has no ${this.path} like the other steps`, {
      path,
      advice: 'write every step with the same values',
    });
  }
}

function typeOf(sample: StepValue): Hdf5Type {
  if (sample instanceof NpyArray) return sample.type;
  return typeof sample === 'string' ? textType : { kind: 'sequence', bytes: 16, base: byteType };
}

/** Names of the files without their endings, such as the times at which GELLO saved them. */
class StepNames implements RowArray {
  readonly path = '@name';
  readonly shape: readonly number[];
  readonly rows: number;
  readonly type = textType;
  readonly rowElements = 1;
  readonly rowBytes = textType.bytes;
  readonly chunkRows = 1;
  readonly isNumeric = false;
  readonly #names: readonly string[];

  constructor(files: readonly string[]) {
    this.#names = files.map(stemOf);
    this.rows = files.length;
    this.shape = [this.rows];
  }

  storedBytes = async (): Promise<number> => this.rows * this.rowBytes;
  readTexts = async (from = 0, to = this.rows): Promise<string[]> => this.#names.slice(from, to);
  readBytes = async (): Promise<never> => notStored();
  readNumbers = async (): Promise<never> => notStored();
  readItems = async (): Promise<never> => notStored();
}

function notStored(): never {
  throw new AssayError('unreadable_input', '@name contains the names of the files, which are text', {
    advice: 'map @name as a clock with unit iso8601, or as a text',
  });
}
