import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Characters that are buffered before they are written. */
const maxBuffered_chars = 1 << 20;

/**
 * Writes values as JSON Lines with a buffer of a million characters; all lines of a large set exceed the maximum string
 * length.
 */
export class LineSpool {
  readonly path: string;
  /** Length of the longest line in characters. */
  longest = 0;
  readonly #file: FileHandle;
  #text = '';

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Creates the file with its folders, or empties an existing one. */
  static async open(path: string): Promise<LineSpool> {
    await mkdir(dirname(path), { recursive: true });
    return new LineSpool(path, await open(path, 'w'));
  }

  /** Adds a value as one line; it is in the file after `flush`, or when the buffer is full. */
  async add(value: unknown): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    this.longest = Math.max(this.longest, line.length);
    this.#text += line;
    if (this.#text.length >= maxBuffered_chars) await this.flush();
  }

  /** Writes the buffered lines to the file. */
  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await this.#file.writeFile(text);
  }

  /** Closes the file without writing buffered lines; call `flush` before. */
  close(): Promise<void> {
    return this.#file.close();
  }
}
