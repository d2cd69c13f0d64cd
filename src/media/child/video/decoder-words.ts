import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';

/** What FFmpeg says while it works, so that a reason can quote it. It arrives after the call that caused it. */
class DecoderWords {
  readonly #kept: string[] = [];

  listen(): void {
    Log.setLevel(AV_LOG_ERROR);
    Log.setCallback((_, message) => {
      if (this.#kept.length < 8) this.#kept.push(message.trim());
    });
  }

  clear(): void {
    this.#kept.length = 0;
  }

  /** The first thing said since `clear`; null when nothing was. */
  async first(): Promise<string | null> {
    for (let turn = 0; turn < 5 && this.#kept.length === 0; turn++)
      await new Promise((r) => setTimeout(r, 2));
    return this.#kept[0] ?? null;
  }
}

export const decoderWords = new DecoderWords();
decoderWords.listen();
