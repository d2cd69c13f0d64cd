import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LaneEpisode, type LaneOutput, lanes, layerOf } from '#annotation';
import { layerIds } from '#contract';
import { type Kind, kinds } from '#episode';
import { AssayError, canonicalJson } from '#kernel';
import { generateSamples, recordingsFolder } from '#samples';
import { laneEpisodes } from './lane-episodes.ts';

const folder = new URL('../../src/annotation/lanes/', import.meta.url);
/** Files of the folder that are no lane: what a lane is, and the list of them. */
const others = ['lane.ts', 'lane-registry.ts'];

describe('the lane registry', () => {
  it('has a row for every file and a file for every row', () => {
    const files = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !others.includes(entry.name))
      .map(({ name }) => name.slice(0, -3).replaceAll('-', '_'));
    expect([...lanes.ids].sort()).toEqual(files.sort());
  });

  it.each(lanes.ids)('has %s for a layer that is served', (id) => {
    expect(layerIds).toContain(id);
    expect(layerOf(id)).toMatchObject({ not_served: null });
    expect(layerOf(id).modes.length).toBeGreaterThan(0);
  });

  it('keeps the order of the layers', () => {
    expect(lanes.ids).toEqual(layerIds.filter((id) => lanes.ids.includes(id)));
  });
});

describe('every lane on every kind of sample', () => {
  let samples: string;
  const byKind = new Map<Kind, LaneEpisode[]>();

  beforeAll(async () => {
    samples = await mkdtemp(join(tmpdir(), 'assay-lanes-'));
    await generateSamples(join(samples, 'made'));
    for (const episode of await laneEpisodes(join(samples, 'made', recordingsFolder))) {
      const { kind } = episode.facts.kind;
      byKind.set(kind, [...(byKind.get(kind) ?? []), episode]);
    }
  });
  afterAll(() => rm(samples, { recursive: true, force: true }));

  it('meets all kinds', () => {
    expect(kinds.filter((kind) => byKind.has(kind))).toEqual([...kinds]);
  });

  it.each(lanes.rows)('gives output or says as the catalogue does why not: $id', (lane) => {
    for (const [kind, episodes] of byKind)
      for (const episode of episodes) {
        const unfit = layerOf(lane.id).unfit[kind];
        const annotate = () => lane.annotate(episode, {});
        if (unfit !== undefined) {
          expect(annotate).toThrow(new AssayError('layer_inapplicable', unfit));
          continue;
        }
        const output = annotate();
        expectSound(output);
        expect(canonicalJson(lane.annotate({ ...episode, streams: [...episode.streams] }, {}))).toBe(
          canonicalJson(output),
        );
      }
  });
});

function expectSound({ artifact, counts, quality, quality_reason }: LaneOutput): void {
  const json = canonicalJson(artifact);
  expect(json.length).toBeLessThan(1e6);
  // Members in order from the start are written several times as fast.
  expect(JSON.stringify(artifact)).toBe(json);
  for (const count of Object.values(counts)) expect(Number.isInteger(count)).toBe(true);
  expect(quality === null).toBe(quality_reason !== null);
  if (quality !== null) expect(Math.abs(quality - 0.5)).toBeLessThanOrEqual(0.5);
}
