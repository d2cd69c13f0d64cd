import { isMediaName } from '../../shared/file-names.ts';
import { isListingKey, isSignalName, isTaskName, isTrainingKey } from './file-roles.ts';

/**
 * Contents of a text besides a listing of files (names, sizes, hashes, addresses, frame times of a video): `none`, some
 * `values`, or `signals`: a series of numbers, labels of a known format, or a field that is named like a signal or task.
 */
export type DataKind = 'none' | 'values' | 'signals';

/** Names and contents of a JSON text; see `TextFacts`. */
export interface JsonFacts {
  readonly mentions: readonly string[];
  readonly rows: number;
  readonly data: DataKind;
  readonly is_recording: boolean;
}

const maxValues = 1_000_000;
/** Number of values that make a series. */
const minSeries = 10;

/** Documents about files or programs, which describe no recording. All patterns of a row must match. */
const documents: readonly (readonly RegExp[])[] = [
  /* npm */ [/"(dependencies|devDependencies|scripts)"\s*:/],
  /* ffprobe */ [/"codec_name"\s*:/, /"(streams|format)"\s*:/],
  /* ExifTool */ [/"SourceFile"\s*:/],
  /* Google Takeout */ [/"photoTakenTime"\s*:/],
  /* yt-dlp */ [/"webpage_url"\s*:/],
  /* web app */ [/"icons"\s*:/, /"(start_url|manifest_version|short_name)"\s*:/],
  /* ManiSkill */ [/"env_info"\s*:/, /"episodes"\s*:/],
];

/**
 * Returns the media files that a JSON text names, its number of records and its kind of data; a text that is cut or
 * invalid is only searched for names and lists of numbers. Documents about files or programs (package.json, ffprobe, …)
 * count as empty.
 */
export function readJsonFacts(text: string, isCut: boolean): JsonFacts {
  const head = text.slice(0, 256 * 1024);
  if (documents.some((signs) => signs.every((sign) => sign.test(head))))
    return { mentions: [], rows: 0, data: 'none', is_recording: false };
  const parsed = isCut ? undefined : tryParse(text);
  if (parsed === undefined) {
    const hasNumbers = /\[\s*-?\d+(\.\d+)?\s*,\s*-?\d/.test(text);
    return {
      mentions: findMentions(text),
      rows: 0,
      data: hasNumbers ? 'signals' : 'none',
      is_recording: false,
    };
  }
  return new Walk().facts(parsed);
}

const word = /[^\s"'<>|,;:=()[\]{}]+/g;
const maxMentions = 100_000;
const maxName = 1024;

/**
 * Returns the words of a text that end like names of pictures and videos, in order and with repetitions, at most
 * 100,000.
 */
export function findMentions(text: string): string[] {
  const found: string[] = [];
  for (const [name] of text.matchAll(word)) {
    if (name.length <= maxName && isMediaName(name)) found.push(name);
    if (found.length === maxMentions) break;
  }
  return found;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** State of one pass over the values of a JSON text. */
class Walk {
  readonly #mentions = new Set<string>();
  readonly #open: { readonly value: unknown; readonly key: string }[] = [];
  #rows = 0;
  /** Numbers in lists, outside of logs of training. */
  #series = 0;
  /** Numbers in lists that are named like a signal. */
  #signalSeries = 0;
  #values = 0;
  #hasSignalName = false;
  #hasTask = false;

  facts(root: unknown): JsonFacts {
    this.#open.push({ value: root, key: '' });
    let left = maxValues;
    for (let item = this.#open.pop(); item !== undefined && left-- > 0; item = this.#open.pop())
      this.#visit(item.value, item.key);
    const isSeries = this.#series >= minSeries;
    const isDescription = this.#values >= Math.max(1, this.#mentions.size, this.#rows);
    const data = isSeries || this.#hasSignalName ? 'signals' : isDescription ? 'values' : 'none';
    const is_recording = this.#signalSeries >= minSeries || this.#hasTask;
    return { mentions: [...this.#mentions], rows: this.#rows, data, is_recording };
  }

  #visit(value: unknown, key: string): void {
    if (typeof value === 'string' && isMediaName(value)) this.#mention(value);
    else if (Array.isArray(value)) this.#visitList(value, key);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) {
        if (isMediaName(name)) this.#mention(name);
        this.#open.push({ value: one, key: name });
      }
    else if (value !== null && value !== '' && !isListingKey(key)) {
      this.#values++;
      if (isSignalName(key)) this.#hasSignalName = true;
      if (typeof value === 'string' && isTaskName(key)) this.#hasTask = true;
    }
  }

  #mention(name: string): void {
    if (this.#mentions.size < maxMentions) this.#mentions.add(name);
  }

  #visitList(list: readonly unknown[], key: string): void {
    if (list.some((one) => typeof one === 'object')) this.#rows = Math.max(this.#rows, list.length);
    const numbers = list.filter((one) => typeof one === 'number').length;
    if (!isListingKey(key) && !isTrainingKey(key)) this.#series += numbers;
    if (isSignalName(key)) this.#signalSeries += numbers;
    for (const one of list) this.#open.push({ value: one, key });
  }
}
