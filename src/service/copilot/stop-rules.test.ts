import { expect, it } from 'vitest';
import { stopReasonOf } from './chat.ts';

it('a turn ends where the client goes, the model wants nothing, or eight rounds are used', () => {
  const going = { steps: 3, calls: 1, cancelled: false };
  expect(stopReasonOf(going)).toBeNull();
  expect(stopReasonOf({ ...going, steps: 7 })).toBeNull();
  expect(stopReasonOf({ ...going, steps: 8 })).toBe('step_limit');
  expect(stopReasonOf({ ...going, steps: 8, calls: 0 })).toBe('complete');
  expect(stopReasonOf({ ...going, calls: 0 })).toBe('complete');
  expect(stopReasonOf({ ...going, calls: 0, cancelled: true })).toBe('cancelled');
});
