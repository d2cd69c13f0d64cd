import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seededRandom } from '#core';
import { episodeOf, knownEpisode } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { countWords } from '../../grammar.ts';
import type { LaneEpisode } from '../../lane.ts';
import { runLayer } from '../../layer-registry.ts';
import { chooseStatements } from './lane.ts';
import { denseText } from './layer.ts';

const texts = z.object({
  text: z.string(),
  words: z.number(),
  reason: z.string().nullable(),
  statements: z.array(z.object({ text: z.string(), evidence: z.string() })),
});

async function textOf(episode: LaneEpisode, config = {}) {
  const { parts } = await runLayer(denseText, episode, signalContext(config));
  return texts.parse(parts[0].json);
}

describe('dense text', () => {
  it.each([50, 80, 120])(
    'is within a tenth of %i words where the episode has enough to say',
    async (target) => {
      for (const seed of [1, 2, 3]) {
        const { text, words, reason } = await textOf(knownEpisode(seed), { target_words: target });
        expect(countWords(text)).toBe(words);
        expect(words).toBeGreaterThanOrEqual(0.9 * target);
        expect(words).toBeLessThanOrEqual(1.1 * target);
        expect(reason).toBeNull();
      }
    },
  );

  it('is not filled up where it has not, and says so', async () => {
    const { words, reason, statements } = await textOf(episodeOf([], 'egocentric', 10), {
      target_words: 500,
    });
    expect(words).toBeLessThan(20);
    expect(reason).toMatch(/no further facts to describe/);
    expect(statements.map(({ evidence }) => evidence)).toEqual(['recording']);
  });

  it('goes by time, by what moves, or tells what to do', async () => {
    const episode = knownEpisode(3);
    const told = async (style: string) => textOf(episode, { style, target_words: 200 });
    const times = (text: string) => [...text.matchAll(/From (\d+\.\d)/g)].map(([, time]) => Number(time));
    const chronological = times((await told('chronological')).text);
    expect(chronological.length).toBeGreaterThan(3);
    expect(chronological).toEqual([...chronological].sort((a, b) => a - b));
    const spatial = await told('spatial');
    const most = [...spatial.text.matchAll(/mostly ([^,. ]+)/g)].map(([, name]) => name);
    expect(most.filter((name, at) => name !== most[at - 1]).length).toBe(new Set(most).size);
    const { text } = await told('instructional');
    expect(text).toMatch(/(Move|Hold|Close|Open) /);
    expect(text).not.toMatch(/the robot moves, mostly/);
  });

  it('takes what is worth most within the words, in the given order', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 50; round++) {
      const statements = Array.from({ length: 10 }, (_, i) => ({
        ...{ evidence: 'motion' as const, from_s: i, place: '', weight: 1 + Math.floor(9 * random.next()) },
        text: Array.from({ length: 1 + Math.floor(8 * random.next()) }, () => 'word').join(' '),
      }));
      const worth = (own: typeof statements) =>
        own.reduce((sum, { weight, text }) => sum + weight * countWords(text), 0);
      const words = (own: readonly { text: string }[]) =>
        own.reduce((sum, { text }) => sum + countWords(text), 0);
      let best = 0;
      for (let set = 0; set < 1024; set++) {
        const own = statements.filter((_, i) => (set >> i) & 1);
        if (words(own) <= 20) best = Math.max(best, worth(own));
      }
      const chosen = chooseStatements(statements, 20);
      expect(words(chosen)).toBeLessThanOrEqual(20);
      expect(worth(statements.filter((one) => chosen.includes(one)))).toBe(best);
      expect(chosen).toEqual(statements.filter((one) => chosen.includes(one)));
    }
  });
});
