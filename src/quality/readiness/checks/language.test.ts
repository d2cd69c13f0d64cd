import { describe, expect, it } from 'vitest';
import type { TaskText } from '#core/episode';
import { sealedReceipt } from '../test-receipt.ts';
import { swingingArm, testEpisode, testSubject } from '../test-subject.ts';

function judged(texts: readonly string[] | null, notes = {}) {
  const tasks: TaskText[] | null = texts?.map((text) => ({ text, source: 'meta/tasks.parquet' })) ?? null;
  const { receipt } = sealedReceipt(testSubject(testEpisode(0, swingingArm(1), { tasks })), {}, notes);
  const own = receipt.checks.filter(({ id }) => id.startsWith('language'));
  return {
    presence: own[0],
    quality: own[1],
    flags: receipt.flags.filter(({ check }) => check.startsWith('language')).map(({ code }) => code),
  };
}

describe('language checks', () => {
  it('do not apply where the format carries no text', () => {
    expect(judged(null)).toMatchObject({
      presence: { status: 'inapplicable' },
      quality: { status: 'inapplicable' },
    });
  });

  it.each([[[]], [['']], [['  ', '']]])('say that the instruction is missing, once, for %j', (texts) => {
    const { presence, quality, flags } = judged(texts);
    expect(presence).toMatchObject({ status: 'scored', score: 0 });
    expect(quality).toMatchObject({ status: 'inapplicable' });
    expect(flags).toEqual(['instruction_missing']);
  });

  it('score a good instruction 1', () => {
    expect(judged(['put the red cube into the box'])).toMatchObject({
      presence: { score: 1 },
      quality: { score: 1 },
      flags: [],
    });
  });

  it.each([
    [['task'], ['instruction_placeholder']],
    [['pick'], ['instruction_too_short']],
    [['pick up \ufffd\ufffd\ufffd\ufffd cup'], ['instruction_unreadable']],
    [['pick the meat from the counter and place it in the plate', 'valid'], []],
    [['put the red cube into the box', 'TODO'], ['instruction_placeholder']],
    [['put the red cube into the box', ' '], ['instruction_missing']],
  ])('of %j raise %j', (texts, flags) => {
    expect(judged(texts).flags).toEqual(flags);
  });

  it('take the word of the comparison about a text that does not fit the motion', () => {
    const note = { confidence: 0.9, reason: 'moves as "wipe the table" does', suggests: 'wipe the table' };
    const { quality, flags } = judged(['put the red cube into the box'], { wrong_instruction: note });
    expect(quality).toMatchObject({ score: 0.1, compared: { wrong_instruction: note } });
    expect(flags).toEqual(['instruction_mismatch']);
  });
});
