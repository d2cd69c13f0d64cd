import { describe, expect, it } from 'vitest';
import { type TraitRow, usualMotion } from './usual-motion.ts';

const facts = { declared_rate_hz: null, declared_cameras: [] };
const row = (more: Partial<TraitRow>): TraitRow => ({
  streams: 'action\nstate',
  traits: '',
  flagged: '',
  tremors: [0.1, 0.1],
  alternations: [0, 0],
  leaps: [0, 0],
  ...more,
});
const conclude = (rows: readonly TraitRow[]) =>
  usualMotion.conclude(
    rows.map((each, i) => ({ episode: `episode_${i}`, row: each })),
    facts,
  );
const chatter = 'signal_chatter action';

describe('motion that is usual in the set', () => {
  it('lowers the score neither of the episodes that show it most nor of those that show it less', () => {
    const strong = row({ traits: chatter, flagged: chatter });
    const { notes, findings } = conclude([strong, strong, row({ traits: chatter }), row({})]);
    expect([...notes.keys()]).toEqual(['episode_0', 'episode_1', 'episode_2']);
    expect(notes.get('episode_2')).toEqual({ traits: [chatter] });
    expect(findings).toMatchObject([{ code: 'motion_usual', evidence: { flag: 'signal_chatter' } }]);
  });

  it('is not what one episode alone shows, nor what many show too weakly for a flag', () => {
    const weak = row({ traits: chatter });
    const { notes } = conclude([row({ traits: chatter, flagged: chatter }), weak, weak, weak]);
    expect(notes.size).toBe(0);
  });

  it('is also the noise that a stream has in every episode', () => {
    const noisy = row({ traits: 'signal_chatter state', alternations: [0, 0.3] });
    const { notes } = conclude([noisy, row({}), row({})]);
    expect(notes.get('episode_0')).toEqual({ traits: ['signal_chatter state'] });
  });
});
