import { expect, it } from 'vitest';
import { measureFaults, seedHalves } from './main.ts';

// `npm run nightly` holds the floors of the whole bench; this finds a fault family that is no longer detected at all.
it('every family of faults is detected under its own flag, and clean episodes are accepted', {
  timeout: 600_000,
}, async () => {
  const { families, cleanAccepted } = await measureFaults('smoke', seedHalves.reported);
  expect(families.length).toBeGreaterThan(30);
  const missed = families.filter(
    ({ bySize, right }) => bySize.medium !== 1 || (bySize.large ?? 1) < 1 || right < 1,
  );
  expect(missed).toEqual([]);
  expect(cleanAccepted).toBeGreaterThanOrEqual(0.98);
});
