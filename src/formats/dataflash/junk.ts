import type { Finding } from '#core/episode';

const mostListed = 16;
/** A flash page is written whole, whatever of it was used: so many bytes behind the last message are normal. */
const usualTail = 528;

/** Bytes between messages that are none: counted while the log is walked, findings in the end. */
export class Junk {
  #bytes = 0;
  #spans = 0;
  readonly #listed: { from: number; bytes: number }[] = [];
  #tail: { from: number; bytes: number } | null = null;

  /** Bytes [from, to) are no message; one follows. */
  passed(from: number, to: number): void {
    this.#bytes += to - from;
    this.#spans++;
    if (this.#listed.length < mostListed) this.#listed.push({ from, bytes: to - from });
  }

  /** The last bytes of the log are no whole message. */
  ended(from: number, bytes: number): void {
    if (bytes > usualTail) this.passed(from, from + bytes);
    else this.#tail = { from, bytes };
  }

  findings(path: string): Finding[] {
    const found: Finding[] = [];
    if (this.#spans > 0) {
      const where = this.#spans === 1 ? 'at' : `in ${this.#spans} places, first at`;
      found.push({
        code: 'file_corrupt',
        severity: 'warning',
        path,
        message: `${this.#bytes} damaged bytes ${where} byte ${this.#listed[0].from} were passed over to the next message`,
        advice: 'download the log again; if it stays so, check the card',
        evidence: { bytes: this.#bytes, spans: this.#spans, first: this.#listed },
      });
    }
    if (this.#tail !== null)
      found.push({
        code: 'file_truncated',
        severity: 'info',
        path,
        message: `the log ends with ${this.#tail.bytes} bytes that are no whole message`,
        advice: 'nothing to do: logs end so when power is cut or a flash page is not full',
        evidence: this.#tail,
      });
    return found;
  }
}
