import type { Finding } from '#core/episode';

const maxListedSpans = 16;
/** Maximum size of an incomplete end that counts as normal: flash pages are written whole, used or not. */
const maxNormalTailBytes = 528;

/** Counts bytes that are no message while a log is read, and reports them as findings. */
export class SkippedBytes {
  #bytes = 0;
  #spans = 0;
  readonly #listed: { from: number; bytes: number }[] = [];
  #tail: { from: number; bytes: number } | null = null;

  /** Records that bytes [from, to) are no message and a message follows. */
  addSpan(from: number, to: number): void {
    this.#bytes += to - from;
    this.#spans++;
    if (this.#listed.length < maxListedSpans) this.#listed.push({ from, bytes: to - from });
  }

  /** Records that the last bytes of the log are no complete message. */
  addTail(from: number, bytes: number): void {
    if (bytes > maxNormalTailBytes) this.addSpan(from, from + bytes);
    else this.#tail = { from, bytes };
  }

  /** Returns a finding for skipped bytes and one for an incomplete end. */
  findings(path: string): Finding[] {
    const found: Finding[] = [];
    if (this.#spans > 0) {
      const where = this.#spans === 1 ? 'at' : `in ${this.#spans} places, first at`;
      found.push({
        code: 'file_corrupt',
        severity: 'warning',
        path,
        message: `${this.#bytes} corrupt bytes ${where} byte ${this.#listed[0].from} were skipped`,
        advice: 'download the log again; if the file is still corrupt, check the SD card',
        evidence: { bytes: this.#bytes, spans: this.#spans, first: this.#listed },
      });
    }
    if (this.#tail !== null)
      found.push({
        code: 'file_truncated',
        severity: 'info',
        path,
        message: `the log ends with an incomplete message of ${this.#tail.bytes} bytes`,
        advice: 'nothing to do: logs end like this when power is cut or a flash page is only partly filled',
        evidence: this.#tail,
      });
    return found;
  }
}
