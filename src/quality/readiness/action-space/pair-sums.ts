/** Sums over pairs (x, y), from which a line and how much it explains follow. Sums of several episodes add up. */
export class PairSums {
  #n = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #yy = 0;
  #xy = 0;

  /** Adds (x[xAt + i] − x[xAt + i − back], y[yAt + i] − y[yAt + i − back]) for i below `count`; back 0: the values. */
  addRun(x: Float64Array, xAt: number, y: Float64Array, yAt: number, count: number, back = 0): void {
    let [sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      const a = back === 0 ? x[xAt + i] : x[xAt + i] - x[xAt + i - back];
      const b = back === 0 ? y[yAt + i] : y[yAt + i] - y[yAt + i - back];
      sx += a;
      sy += b;
      sxx += a * a;
      syy += b * b;
      sxy += a * b;
    }
    this.#n += Math.max(0, count);
    this.#x += sx;
    this.#y += sy;
    this.#xx += sxx;
    this.#yy += syy;
    this.#xy += sxy;
  }

  add(x: number, y: number): void {
    this.#n++;
    this.#x += x;
    this.#y += y;
    this.#xx += x * x;
    this.#yy += y * y;
    this.#xy += x * y;
  }

  /** Adds what another one has seen. */
  merge(other: PairSums): void {
    this.#n += other.#n;
    this.#x += other.#x;
    this.#y += other.#y;
    this.#xx += other.#xx;
    this.#yy += other.#yy;
    this.#xy += other.#xy;
  }

  get count(): number {
    return this.#n;
  }

  /** Share of y's variance that the best rising line in x explains (r²); 0 where the line falls. */
  get explained(): number {
    const [own, all, between] = [this.#ownVariance, this.#variance, this.#covariance];
    return between > 0 && own > 0 && all > 0 ? Math.min(1, (between * between) / (own * all)) : 0;
  }

  /** Slope of that line. */
  get slope(): number {
    return this.#ownVariance > 0 ? this.#covariance / this.#ownVariance : 0;
  }

  /** Value of that line at x = 0. */
  get intercept(): number {
    return this.#n === 0 ? 0 : (this.#y - this.slope * this.#x) / this.#n;
  }

  /** Share of y's variance that y = slope · x explains, for a positive slope: what is no change has no offset either. */
  get explainedThroughZero(): number {
    const slope = this.slopeThroughZero;
    const all = this.#variance;
    if (!(slope > 0 && all > 0)) return 0;
    return Math.max(0, Math.min(1, 1 - (this.#yy - slope * this.#xy) / all));
  }

  get slopeThroughZero(): number {
    return this.#xx > 0 ? this.#xy / this.#xx : 0;
  }

  /** r² of x and y about zero where one rises as the other falls; else 0. */
  get opposedAboutZero(): number {
    const product = this.#xx * this.#yy;
    return product > 0 && this.#xy < 0 ? Math.min(1, (this.#xy * this.#xy) / product) : 0;
  }

  /** Sum of y². */
  get squaresOfY(): number {
    return this.#yy;
  }

  /** Standard deviations of x and of y. */
  get deviations(): readonly [x: number, y: number] {
    const of = (sum: number): number => (this.#n === 0 ? 0 : Math.sqrt(Math.max(0, sum / this.#n)));
    return [of(this.#ownVariance), of(this.#variance)];
  }

  get #ownVariance(): number {
    return this.#n === 0 ? 0 : this.#xx - (this.#x * this.#x) / this.#n;
  }

  get #variance(): number {
    return this.#n === 0 ? 0 : this.#yy - (this.#y * this.#y) / this.#n;
  }

  get #covariance(): number {
    return this.#n === 0 ? 0 : this.#xy - (this.#x * this.#y) / this.#n;
  }
}
