import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type JsonObject, seededRandom } from '#core';
import { episodeOf, knownEpisode } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { countWords } from '../grammar.ts';
import type { LaneEpisode } from '../lane.ts';
import { runLayer } from '../layer-registry.ts';
import { captions } from './captions.ts';
import { segments } from './segments/layer.ts';

const windowRows = z.object({
  windows: z.array(
    z.object({ from_s: z.number(), to_s: z.number(), text: z.string(), evidence: z.array(z.string()) }),
  ),
});

const withTask = (episode: LaneEpisode, tasks: string[] | null): LaneEpisode => ({
  ...episode,
  facts: { ...episode.facts, episode: { ...episode.facts.episode, tasks } },
});

async function captionsOf(episode: LaneEpisode, config = {}, outputs: Record<string, JsonObject> = {}) {
  const context = { ...signalContext(config), output: async (layer: string) => outputs[layer] ?? null };
  const { parts, ...told } = await runLayer(captions, episode, context);
  return { ...told, artifact: parts[0].json, windows: windowRows.parse(parts[0].json).windows };
}

describe('captions', () => {
  it('follow one another over the whole episode, whatever the window, and keep within the words', async () => {
    const random = seededRandom(5);
    const episode = withTask(knownEpisode(3), ['Put the red cup on the second shelf from above, slowly']);
    for (let i = 0; i < 20; i++) {
      const window_s = 1 + 29 * random.next();
      const max_words = 5 + Math.floor(55 * random.next());
      const { windows } = await captionsOf(episode, { window_s, max_words });
      for (const [at, { from_s, to_s, text }] of windows.entries()) {
        expect(from_s).toBe(at === 0 ? windows[0].from_s : windows[at - 1].to_s);
        expect(to_s).toBeGreaterThan(from_s);
        expect(countWords(text)).toBeLessThanOrEqual(max_words + 1);
      }
      expect(windows.at(-1)!.to_s).toBeCloseTo(episode.facts.episode.duration_s, 0);
    }
  });

  it('say that the gripper closes and opens where it does, as often as it does', async () => {
    const episode = knownEpisode(3);
    const { windows, quality } = await captionsOf(episode, { window_s: 2, max_words: 60 });
    const said = (word: string) => windows.reduce((sum, { text }) => sum + text.split(word).length - 1, 0);
    expect(said('closes')).toBe(episode.closes);
    expect(said('opens')).toBe(episode.opens);
    expect(quality).toBeGreaterThan(0.3);
  });

  it('list up to four gripper events with their times, and count more', async () => {
    const episode = knownEpisode(3);
    const { parts } = await runLayer(segments, episode, signalContext({}));
    const found = parts[0].json as { readonly segments: readonly JsonObject[] };
    const textWith = async (changes: number) => {
      const own = found.segments.slice(0, 1).flatMap((segment) =>
        Array.from({ length: changes }, (_, i) => ({
          ...segment,
          kind: 'gripper_change',
          from_s: i,
          to_s: i + 1,
        })),
      );
      const outputs = { segments: { ...found, segments: own } as JsonObject };
      return (await captionsOf(episode, { window_s: 30, max_words: 60 }, outputs)).windows[0].text;
    };
    expect(await textWith(3)).toBe('The gripper moves at 0.0 s, moves at 1.0 s and moves at 2.0 s.');
    expect(await textWith(5)).toBe('The gripper moves 5 times.');
  });

  it('say when the robot stands still, and nothing where it only moves', async () => {
    const { windows } = await captionsOf(knownEpisode(3), { window_s: 1, max_words: 60 });
    const texts = windows.map(({ text }) => text);
    expect(texts.some((text) => /^The robot stands still from \d+\.\d to \d+\.\d s\.$/.test(text))).toBe(
      true,
    );
    expect(texts).toContain('');
  });

  it('name the task first if there is room for all of it, and only what they rest on', async () => {
    const short = await captionsOf(withTask(knownEpisode(3), ['Stack the cups.']), { max_words: 60 });
    for (const { text, evidence } of short.windows.filter(({ text }) => text !== '')) {
      expect(text).toMatch(/^Stack the cups: /);
      expect(evidence).toEqual(['task', 'segments']);
    }
    const long = 'Put the small red cup from the left of the table on the second shelf from above';
    const { windows } = await captionsOf(withTask(knownEpisode(3), [long]));
    for (const { text, evidence } of windows.filter(({ text }) => text !== '')) {
      expect(text).not.toContain('red cup');
      expect(evidence).toEqual(['segments']);
    }
  });

  it('name the objects that were seen in a window, and no others', async () => {
    const at = (time_s: number, ...labels: string[]) => ({
      camera: 'head',
      time_s,
      width_px: 640,
      height_px: 480,
      boxes: labels.map((label) => ({ label, score: 0.9, box: [0, 0, 10, 10] })),
    });
    const object_labels = { frames: [at(0.5, 'cup', 'person'), at(1.5, 'cup'), at(7, 'bowl')] };
    const { windows } = await captionsOf(knownEpisode(3), { max_words: 60 }, { object_labels });
    expect(windows[0].text).toMatch(/in view: cup, person\.$/);
    expect(windows[1].text).toMatch(/[Ii]n view: bowl\.$/);
    expect(windows.slice(2).every(({ text }) => !/in view/i.test(text))).toBe(true);
  });

  it('are not produced, with the reason, where nothing is known', async () => {
    const { windows, quality, not_produced, artifact } = await captionsOf(episodeOf([], 'egocentric', 10));
    expect(windows.every(({ text }) => text === '')).toBe(true);
    expect(quality).toBeNull();
    expect(not_produced).toBe(artifact.reason);
    expect(artifact.reason).toMatch(
      /no gripper event, no pause and no detected object: no stream has timestamps/,
    );
  });
});
