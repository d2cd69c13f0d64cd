import { appendFile, open, rm, writeFile } from 'node:fs/promises';
import type { JsonObject } from '#core';
import { withWriteErrors } from '../shared/write/output-files.ts';

/** Characters buffered before they are written. */
const maxBufferedChars = 1 << 18;

/** Writes one annotation file with bounded memory: annotations go to a temporary file first. */
export class AnnotationFile {
  readonly #path: string;
  readonly #images: JsonLineWriter;
  readonly #annotations: JsonLineWriter;

  private constructor(path: string) {
    this.#path = path;
    this.#images = new JsonLineWriter(path);
    this.#annotations = new JsonLineWriter(`${path}.partial`);
  }

  /** Creates or replaces the file and its temporary file. `info`: its COCO member `info`; absent: it has none. */
  static async open(path: string, info?: JsonObject): Promise<AnnotationFile> {
    const about = info === undefined ? '' : `"info": ${JSON.stringify(info)}, `;
    await withWriteErrors(path, writeFile(path, `{${about}"images": [`));
    await withWriteErrors(path, writeFile(`${path}.partial`, ''));
    return new AnnotationFile(path);
  }

  /** Adds an image; it is written when the buffer is full, or by `finish`. */
  image(image: JsonObject): Promise<void> {
    return this.#images.add(image);
  }

  /** Adds an annotation to the temporary file; see `image`. */
  annotation(annotation: JsonObject): Promise<void> {
    return this.#annotations.add(annotation);
  }

  /**
   * Completes the file with the annotations and categories, and deletes the temporary file. `complete`: changes each
   * annotation as it is copied, for values that are known only now.
   */
  async finish(
    categories: readonly JsonObject[],
    complete?: (annotation: JsonObject) => JsonObject,
  ): Promise<void> {
    await this.#images.flush();
    await this.#annotations.flush();
    const path = this.#path;
    await withWriteErrors(path, appendFile(path, '\n], "annotations": ['));
    if (complete === undefined) await this.#copyAnnotations();
    else await this.#rewriteAnnotations(complete);
    await withWriteErrors(path, appendFile(path, `\n], "categories": ${JSON.stringify(categories)}}\n`));
    await rm(`${path}.partial`);
  }

  async #copyAnnotations(): Promise<void> {
    await using from = await open(`${this.#path}.partial`);
    for await (const piece of from.createReadStream({ autoClose: false }))
      await withWriteErrors(this.#path, appendFile(this.#path, piece));
  }

  async #rewriteAnnotations(complete: (annotation: JsonObject) => JsonObject): Promise<void> {
    await using from = await open(`${this.#path}.partial`);
    const writer = new JsonLineWriter(this.#path);
    for await (const line of from.readLines({ autoClose: false })) {
      const json = line.replace(/,$/, '');
      if (json !== '') await writer.add(complete(JSON.parse(json) as JsonObject));
    }
    await writer.flush();
  }
}

/** Line ends to Node's readers of lines that JSON allows in strings. */
const unicodeLineEnds = /[\u2028\u2029]/g;
const escapeLineEnd = (end: string): string => `\\u${end.charCodeAt(0).toString(16)}`;

/** Writes the objects of a JSON list, one per line. */
class JsonLineWriter {
  readonly #path: string;
  #text = '';
  #count = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async add(object: JsonObject): Promise<void> {
    const json = JSON.stringify(object).replaceAll(unicodeLineEnds, escapeLineEnd);
    this.#text += `${this.#count++ === 0 ? '' : ','}\n${json}`;
    if (this.#text.length > maxBufferedChars) await this.flush();
  }

  async flush(): Promise<void> {
    await withWriteErrors(this.#path, appendFile(this.#path, this.#text));
    this.#text = '';
  }
}
