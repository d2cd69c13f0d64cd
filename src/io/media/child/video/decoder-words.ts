import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';

const mark = 'assay mark ';

/**
 * What FFmpeg says while it works, so that a reason can quote it. Words arrive in their order, but after the call that
 * caused them, perhaps only while the next file is worked on: marks among them tell whose they are.
 */
class DecoderWords {
  readonly #kept: string[] = [];
  readonly #waiting = new Map<string, () => void>();
  #marks = 0;

  listen(): void {
    Log.setLevel(AV_LOG_ERROR);
    Log.setCallback((_, message) => {
      const text = message.trim();
      if (text.startsWith(mark)) this.#arrived(text);
      else if (this.#kept.length < 8) this.#kept.push(text);
    });
  }

  /** From now on words are those of what comes. */
  clear(): void {
    void this.#mark(() => {
      this.#kept.length = 0;
    });
  }

  /** The first thing said since `clear`; null when nothing was. */
  async first(): Promise<string | null> {
    let first: string | null = null;
    await this.#mark(() => {
      first = this.#kept[0] ?? null;
    });
    return first;
  }

  /** Calls when everything said until now has arrived, and nothing said later. */
  #mark(then: () => void): Promise<void> {
    const text = `${mark}${this.#marks++}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(text, () => {
      then();
      resolve();
    });
    Log.log(AV_LOG_ERROR, text);
    return promise;
  }

  #arrived(text: string): void {
    this.#waiting.get(text)?.();
    this.#waiting.delete(text);
  }
}

export const decoderWords = new DecoderWords();
decoderWords.listen();

/** A reason, and the first thing that FFmpeg said of it. */
export async function quoted(text: string): Promise<string> {
  const words = await decoderWords.first();
  return words === null ? text : `${text} (${words})`;
}
