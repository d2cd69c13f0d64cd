import { addToFits, type ColumnFits, emptyFits, mergeFits } from './column-fits.ts';
import { type Partner, searchPartners, statedPartners } from './partners.ts';
import { readFits } from './read-fits.ts';
import type { Column, Signals } from './signals.ts';
import { type ColumnSpace, spacesOf } from './spaces.ts';
import { ValueFacts } from './value-facts.ts';

/** Episodes in which partners are searched for by motion before anything is summed. */
const firstLook = 4;
/** Columns that move less than this share of the widest of their stream are noise around a pose. */
const leastMotion = 0.02;

/** One action column with everything that was seen of it. */
export interface PooledColumn {
  readonly column: Column;
  readonly space: ColumnSpace;
  readonly facts: ValueFacts;
  readonly partner: Partner | null;
  /** Of the partner's stream and name, where there is one. */
  readonly partner_column: Column | null;
  readonly partner_space: ColumnSpace | null;
  readonly fits: ColumnFits | null;
}

/** Sums over the episodes of one layout, one at a time; nothing of an episode is kept but the first few. */
export class LayoutPool {
  #waiting: Signals[] = [];
  #partners: (Partner | null)[] | null = null;
  #fits: (ColumnFits | null)[] = [];
  #votes = new Map<string, number>();
  readonly #facts: ValueFacts[];
  readonly #spaces: readonly ColumnSpace[];
  readonly #stateSpaces: readonly ColumnSpace[];
  readonly first: Signals;
  episodes = 0;

  constructor(first: Signals) {
    this.first = first;
    this.#facts = first.action.map(() => new ValueFacts());
    this.#spaces = spacesOf(first.action_columns, first.action);
    this.#stateSpaces = spacesOf(first.state_columns, first.state);
  }

  add(signals: Signals): void {
    this.episodes++;
    signals.action.forEach((values, index) => {
      this.#facts[index].add(values);
    });
    if (this.#partners !== null) {
      this.#sum(signals, this.#partners);
      return;
    }
    this.#waiting.push(signals);
    if (this.#waiting.length === firstLook) this.#begin();
  }

  /** Episodes that by themselves read so, over the columns that are no grippers. */
  votesFor(best: string): number {
    this.#begin();
    return this.#votes.get(best) ?? 0;
  }

  columns(): PooledColumn[] {
    const partners = this.#begin();
    return this.first.action_columns.map((column, index) => {
      const partner = partners[index];
      return {
        column,
        space: this.#spaces[index],
        facts: this.#facts[index],
        partner,
        partner_column: partner === null ? null : this.first.state_columns[partner.state],
        partner_space: partner === null ? null : this.#stateSpaces[partner.state],
        fits: this.#fits[index],
      };
    });
  }

  #begin(): (Partner | null)[] {
    if (this.#partners !== null) return this.#partners;
    const partners = searchPartners(this.#waiting, statedPartners(this.first));
    this.#partners = partners;
    this.#fits = partners.map((partner) => (partner === null ? null : emptyFits()));
    for (const signals of this.#waiting) this.#sum(signals, partners);
    this.#waiting = [];
    return partners;
  }

  #sum(signals: Signals, partners: readonly (Partner | null)[]): void {
    const own = partners.map((partner, action) => {
      if (partner === null) return null;
      const fits = emptyFits();
      addToFits(fits, signals, action, partner.state);
      return fits;
    });
    own.forEach((fits, index) => {
      if (fits !== null) mergeFits(this.#fits[index]!, fits);
    });
    const moving = movingFits(own.filter((_, index) => this.#spaces[index].space !== 'gripper'));
    if (moving.length === 0) return;
    const { best } = readFits(moving, signals.rate_hz);
    this.#votes.set(best, (this.#votes.get(best) ?? 0) + 1);
  }
}

/** Fits of columns in which both sides move, beside the widest of them. */
export function movingFits(all: readonly (ColumnFits | null)[]): ColumnFits[] {
  const fits = all.filter((fit) => fit !== null);
  const widest = Math.max(0, ...fits.map((fit) => fit.level[0].deviations[0]));
  return fits.filter((fit) => {
    const [state, action] = fit.level[0].deviations;
    return state > leastMotion * widest && state > 1e-9 && action > 1e-12;
  });
}
