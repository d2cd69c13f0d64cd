const held: unknown[] = [];

/** Misbehaves like a thread that reads a hostile recording: `loop`, `heap`, `arrays`, `die`, or `wait` forever. */
export function misbehave(how: string): void {
  if (how === 'loop') for (;;);
  if (how === 'heap') for (;;) held.push(Array.from({ length: 1000 }, () => ({})));
  if (how === 'arrays') setInterval(() => held.push(new Uint8Array(32e6).fill(1)), 10);
  if (how === 'die') process.exit(7);
}
