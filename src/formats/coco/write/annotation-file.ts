import { appendFile, open, rm, writeFile } from 'node:fs/promises';
import type { JsonObject } from '#core';
import { writing } from '../../shared/write/files/writing.ts';

/** Characters that are held before they are written. */
const held_chars = 1 << 18;

/** Writes one annotation file with nothing held but some lines: annotations lie in a file of their own meanwhile. */
export class AnnotationFile {
  readonly #path: string;
  readonly #images: Lines;
  readonly #annotations: Lines;

  private constructor(path: string) {
    this.#path = path;
    this.#images = new Lines(path);
    this.#annotations = new Lines(`${path}.partial`);
  }

  static async open(path: string): Promise<AnnotationFile> {
    await writing(path, writeFile(path, '{"images": ['));
    await writing(path, writeFile(`${path}.partial`, ''));
    return new AnnotationFile(path);
  }

  image(image: JsonObject): Promise<void> {
    return this.#images.add(image);
  }

  annotation(annotation: JsonObject): Promise<void> {
    return this.#annotations.add(annotation);
  }

  async finish(categories: readonly JsonObject[]): Promise<void> {
    await this.#images.flush();
    await this.#annotations.flush();
    const path = this.#path;
    await writing(path, appendFile(path, '\n], "annotations": ['));
    await using from = await open(`${path}.partial`);
    for await (const piece of from.createReadStream({ autoClose: false }))
      await writing(path, appendFile(path, piece));
    await writing(path, appendFile(path, `\n], "categories": ${JSON.stringify(categories)}}\n`));
    await rm(`${path}.partial`);
  }
}

/** Objects of a list, one a line. */
class Lines {
  readonly #path: string;
  #text = '';
  #count = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async add(object: JsonObject): Promise<void> {
    this.#text += `${this.#count++ === 0 ? '' : ','}\n${JSON.stringify(object)}`;
    if (this.#text.length > held_chars) await this.flush();
  }

  async flush(): Promise<void> {
    await writing(this.#path, appendFile(this.#path, this.#text));
    this.#text = '';
  }
}
