import type { UnitOfMeasure } from '#core/episode';
import type { MessageType } from './message-type.ts';

const prefixes: Readonly<Record<string, string>> = {
  '1': '',
  '0.1': 'd',
  '0.01': 'c',
  '0.001': 'm',
  '0.000001': 'µ',
  '1e-9': 'n',
};
/** Letters whose numbers are brought to their unit by the format itself: their multiplier is spent. */
const scaled = /[cCeEL]/;

/** What the log's own UNIT, MULT and FMTU messages say of the columns of each type. */
export class DeclaredUnits {
  readonly #units = new Map<string, string>();
  readonly #multipliers = new Map<string, number>();
  readonly #columns = new Map<number, { units: string; multipliers: string }>();

  addUnit(id: string, label: string): void {
    this.#units.set(id, label);
  }

  addMultiplier(id: string, multiplier: number): void {
    this.#multipliers.set(id, multiplier);
  }

  addColumns(type: number, units: string, multipliers: string): void {
    this.#columns.set(type, { units, multipliers });
  }

  /** Column that tells instances of a type apart; -1: the log names none. */
  instanceColumn({ id }: MessageType): number {
    return this.#columns.get(id)?.units.indexOf('#') ?? -1;
  }

  /** The unit of some columns as read: the one they share, or `mixed` with each named. */
  sharedUnit(type: MessageType, names: readonly string[]): UnitOfMeasure {
    const units = names.map((name) => this.#unitOf(type, type.columns.indexOf(name.replace(/\[\d+\]$/, ''))));
    const known = units.filter((unit) => unit !== null);
    if (known.length === 0) return undeclared;
    const [first] = units;
    if (first !== null && units.every((unit) => unit === first))
      return { unit: first, evidence: 'declared', reason: `FMTU and UNIT messages of the log, ${type.name}` };
    const said = names.slice(0, mostNamed).map((name, i) => `${name} ${units[i] ?? 'unknown'}`);
    return {
      unit: 'mixed',
      evidence: 'declared',
      reason: `FMTU and UNIT messages of the log: ${said.join(', ')}`,
    };
  }

  #unitOf(type: MessageType, column: number): string | null {
    const columns = this.#columns.get(type.id);
    if (columns === undefined || column < 0) return null;
    const label = this.#units.get(columns.units[column] ?? '') ?? '';
    if (label === '' || label === 'UNKNOWN' || label === 'instance') return null;
    const multiplier = this.#multipliers.get(columns.multipliers[column] ?? '') ?? 1;
    if (scaled.test(type.letters[column]) || multiplier === 0 || multiplier === 1) return label;
    const prefix = prefixes[String(Number(multiplier.toPrecision(6)))];
    return prefix === undefined ? `${Number(multiplier.toPrecision(6))} ${label}` : `${prefix}${label}`;
  }
}

const mostNamed = 24;
const undeclared: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'the log names no unit for these columns',
};
