import { describe, expect, it } from 'vitest';
import { areaUnderCurve, figuresOf, type Trial } from './figures.ts';

describe('figures of the fault bench', () => {
  it('count a tie in the area under the curve as half a win', () => {
    expect(areaUnderCurve([0.9, 0.8], [0.1, 0.2])).toBe(1);
    expect(areaUnderCurve([0.5], [0.5, 0.5])).toBe(0.5);
    expect(areaUnderCurve([0, 1], [0.5])).toBe(0.5);
  });

  it('take the right flag among detections only', () => {
    const trial: Trial = {
      family: 'jump',
      timeline: false,
      size: 'small',
      base: 'grid',
      episode: 'episode_000001',
      suspicion: 1,
      raised: ['signal_jump'],
      right: true,
    };
    const missed = { ...trial, raised: [], right: false, suspicion: 0 };
    const clean = {
      base: 'grid',
      twin: null,
      episode: 'a',
      suspicion: 0.1,
      accepted: true,
      flags: [],
      messages: [],
    };
    const figures = figuresOf([trial, missed], [clean]);
    expect(figures.detected).toBe(0.5);
    expect(figures.right).toBe(1);
    expect(figures.auc).toBe(0.5);
    expect(figures.cleanAccepted).toBe(1);
  });
});
