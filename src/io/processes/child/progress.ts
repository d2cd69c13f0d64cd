/** Shared with the watchdog: the number of the request under way (0: none), and how far it has come. */
export const state = new Int32Array(new SharedArrayBuffer(8));

const request = 0;
const steps = 1;

/** It has come further, such as by another packet or picture: what gets here does not hang. */
export function advance(): void {
  Atomics.add(state, steps, 1);
}

let begun = 0;

/** A request is being worked on, until `idle`. */
export function begin(): void {
  Atomics.store(state, request, ++begun);
}

export function idle(): void {
  Atomics.store(state, request, 0);
}
