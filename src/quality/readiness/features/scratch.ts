/**
 * Working memory that grows and is kept, so that measuring an episode allocates next to nothing. One thread measures
 * one thing at a time, so a slot is free again as soon as the function that asked for it returns.
 */
const slots = new Map<string, Float64Array>();

/** At least `length` numbers, holding whatever was there before. */
export function scratch(slot: string, length: number): Float64Array {
  const kept = slots.get(slot);
  if (kept !== undefined && kept.length >= length) return kept;
  const grown = new Float64Array(Math.max(1024, 2 ** Math.ceil(Math.log2(length))));
  slots.set(slot, grown);
  return grown;
}
