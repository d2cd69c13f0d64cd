import type { Representation } from '#core/api';
import type { ValueFacts } from './value-facts.ts';

/** What a gripper's commands are by their values alone; null where these do not tell. */
export interface FormReading {
  readonly representation: Representation;
  readonly confidence: number;
  /** Whether that is enough to overrule what the state says: few values leave little else. */
  readonly decides: boolean;
  readonly evidence: string;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
const form = (representation: Representation, decides: boolean, evidence: string): FormReading => ({
  representation,
  confidence: decides ? 0.7 : 0.5,
  decides,
  evidence,
});

/**
 * A command that stays at one of few values other than zero holds a position; one that is zero most of the time, with
 * pulses to both sides, says open and close, as in RT-1's data.
 */
export function gripperForm(facts: ValueFacts): FormReading | null {
  const { levels, zero_share, held_share, minimum, maximum } = facts;
  if (facts.range === 0) return null;
  if (zero_share > 0.6 && minimum < 0 && maximum > 0)
    return form('step_delta', true, `zero in ${percent(zero_share)} of the rows, with pulses to both sides`);
  if (levels !== null && levels.length === 2)
    return form('absolute', true, `only the values ${levels.join(' and ')}, each held`);
  return held_share > 0.5 && zero_share < 0.95
    ? form('absolute', false, `keeps the value of the row before in ${percent(held_share)} of the rows`)
    : null;
}
