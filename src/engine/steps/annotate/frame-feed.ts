/** Gives what one source makes to several readers, each of it to all: nothing is made before every reader is done with what came before. */
export class FrameFeed<Batch> {
  readonly #source: AsyncGenerator<Batch, void, undefined>;
  /** By reader: how many batches it has asked for; infinite where it wants no more. */
  readonly #asked: number[];
  /** Batches that were asked of the source. */
  #made = 0;
  #latest: Promise<IteratorResult<Batch, void>> = Promise.resolve({ done: true, value: undefined });
  #moved = Promise.withResolvers<void>();

  constructor(source: AsyncGenerator<Batch, void, undefined>, readers: number) {
    this.#source = source;
    this.#asked = Array.from({ length: readers }, () => 0);
  }

  /** The next batch for a reader; null: there is none. Throws what the source throws, to every reader. */
  async next(reader: number): Promise<Batch | null> {
    const wanted = ++this.#asked[reader];
    this.#tell();
    while (Math.min(...this.#asked) < wanted) await this.#moved.promise;
    if (this.#made < wanted) {
      this.#made = wanted;
      this.#latest = this.#source.next();
    }
    const { value, done } = await this.#latest;
    return done === true ? null : value;
  }

  /** The reader wants no more; when none does, the source is left. */
  async leave(reader: number): Promise<void> {
    this.#asked[reader] = Number.POSITIVE_INFINITY;
    this.#tell();
    if (this.#asked.every((asked) => asked === Number.POSITIVE_INFINITY)) await this.#source.return();
  }

  #tell(): void {
    this.#moved.resolve();
    this.#moved = Promise.withResolvers();
  }
}
