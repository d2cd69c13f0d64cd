import { integer, number } from '../../knob.ts';

export const knobs = {
  min_duration_s: number([0.2, 10, 0.5], 's', { summary: 'shortest span' }),
  max_segments: integer([1, 200, 50], null, { summary: 'most spans of an episode' }),
};
