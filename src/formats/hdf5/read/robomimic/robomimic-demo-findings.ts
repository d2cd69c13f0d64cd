import type { Hdf5Dataset } from '@assay/hdf5';
import { significant } from '#core';
import type { Finding, Stream } from '#core/episode';
import { robomimicBreach } from '../../rules/robomimic/contract.ts';
import { type DemoStandard, isServed } from './robomimic-outline.ts';

/** A demonstration as its rules see it. */
export interface DemoFacts {
  readonly path: string;
  readonly name: string;
  /** Rows of its actions. */
  readonly steps: number;
  /** The attribute; null where it is not there. */
  readonly num_samples: number | null;
  readonly isIntegerCount: boolean;
  readonly arrays: ReadonlyMap<string, Hdf5Dataset>;
  /** All names of arrays and groups, those that cannot be read too. */
  readonly names: ReadonlySet<string>;
}

export function demoFindings(demo: DemoFacts, standard: DemoStandard): Finding[] {
  return [...countFindings(demo), ...lengthFindings(demo), ...standardFindings(demo, standard)];
}

function countFindings({ path, name, steps, num_samples, isIntegerCount }: DemoFacts): Finding[] {
  const at = `${path}: data/${name}`;
  if (num_samples === null)
    return [robomimicBreach('robomimic_num_samples_missing', path, `${at} has no attribute num_samples`)];
  if (!isIntegerCount) {
    const message = `${at} stores num_samples (${num_samples}) as a float`;
    return [robomimicBreach('robomimic_num_samples_type', path, message)];
  }
  const evidence = { declared: num_samples, found: steps };
  const said = `${at} says num_samples=${num_samples}, its actions have ${steps} rows`;
  if (num_samples < 1) return [robomimicBreach('robomimic_num_samples_zero', path, said, evidence)];
  if (num_samples > steps)
    return [
      robomimicBreach('robomimic_num_samples_over', path, `${said}: robomimic fails beyond them`, evidence),
    ];
  if (num_samples === steps) return [];
  const unseen = `${said}: the last ${steps - num_samples} are never trained on`;
  return [robomimicBreach('robomimic_num_samples_under', path, unseen, evidence)];
}

function lengthFindings({ path, name, steps, num_samples, arrays }: DemoFacts): Finding[] {
  const uneven = [...arrays].filter(([, { rows }]) => rows !== steps);
  const served = uneven.filter(([id]) => isServed(id));
  const short = served.filter(([, { rows }]) => rows < (num_samples ?? steps));
  const long = served.filter(([, { rows }]) => rows > steps);
  const aside = uneven.filter(([id]) => !isServed(id));
  const say = (which: typeof uneven) => {
    const named = which.slice(0, 4).map(([id, { rows }]) => `${id} ${rows}`);
    const evidence = {
      steps,
      arrays: Object.fromEntries(which.slice(0, 20).map(([id, { rows }]) => [id, rows])),
    };
    const text = `${path}: data/${name} has ${steps} actions; not so many: ${named.join(', ')}${which.length > 4 ? ', …' : ''}`;
    return [text, evidence] as const;
  };
  const findings: Finding[] = [];
  if (short.length > 0) findings.push(robomimicBreach('robomimic_array_short', path, ...say(short)));
  if (long.length > 0) findings.push(robomimicBreach('robomimic_array_long', path, ...say(long)));
  if (aside.length > 0) {
    const [message, evidence] = say(aside);
    const advice = 'cut every array to the rows they share';
    findings.push({ code: 'array_length_mismatch', severity: 'error', path, message, advice, evidence });
  }
  return findings;
}

function standardFindings({ path, name, arrays, names }: DemoFacts, standard: DemoStandard): Finding[] {
  const findings: Finding[] = [];
  const missing = [...standard.arrays].filter((id) => !names.has(id));
  if (missing.length > 0)
    findings.push(
      robomimicBreach(
        'robomimic_array_missing',
        path,
        `${path}: data/${name} lacks what the other demonstrations hold: ${missing.slice(0, 4).join(', ')}`,
        { missing: missing.slice(0, 20) },
      ),
    );
  const other = [...arrays].filter(([id, { shape }]) => {
    const first = standard.shapes.get(id);
    return first !== undefined && first.join() !== shape.slice(1).join();
  });
  if (other.length > 0) {
    const said = other
      .slice(0, 4)
      .map(
        ([id, { shape }]) => `${id} ${shapeText(shape.slice(1))} for ${shapeText(standard.shapes.get(id)!)}`,
      );
    const message = `${path}: rows of data/${name} have another shape than in the first demonstration: ${said.join(', ')}`;
    findings.push(robomimicBreach('robomimic_shape_differs', path, message));
  }
  return findings;
}

const shapeText = (shape: readonly number[]): string =>
  shape.length === 0 ? 'one number' : shape.join(' x ');

/** Actions beyond what policies can put out. */
export function rangeFindings(
  { path, name }: Pick<DemoFacts, 'path' | 'name'>,
  streams: readonly Stream[],
): Finding[] {
  const values = streams.find(({ id }) => id === 'actions')?.series?.values ?? [];
  let [least, most] = [0, 0];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least >= -1 && most <= 1) return [];
  const evidence = { least: significant(least), most: significant(most) };
  const message = `${path}: actions of data/${name} reach from ${least.toPrecision(4)} to ${most.toPrecision(4)}`;
  return [robomimicBreach('robomimic_actions_out_of_range', path, message, evidence)];
}
