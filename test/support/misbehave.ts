const held: unknown[] = [];

/** What a thread may do that reads a hostile recording: `loop`, `heap`, `arrays`, `die`, or `wait` for ever. */
export function misbehave(how: string): void {
  if (how === 'loop') for (;;);
  if (how === 'heap') for (;;) held.push(Array.from({ length: 1000 }, () => ({})));
  if (how === 'arrays') setInterval(() => held.push(new Uint8Array(32e6).fill(1)), 10);
  if (how === 'die') process.exit(7);
}
