import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { AssayError, canonicalJson } from '#core';
import { jobLayerIds, layerIds } from '#core/api';
import { type Kind, kinds } from '#core/episode';
import { type LaneEpisode, type LaneOutput, layers, mainPart, runLayer } from '#labels/annotation';
import { sharedSamples } from '#test/support/shared-samples';
import { laneEpisodes, signalContext } from './lane-episodes.ts';

const folder = new URL('../../src/labels/annotation/layers/', import.meta.url);
const withLane = layers.rows.filter(({ lane }) => lane !== null);

describe('the layer registry', () => {
  it('has a row for every folder and a folder for every row', () => {
    const folders = readdirSync(folder).map((name) => name.replaceAll('-', '_'));
    expect([...jobLayerIds].sort()).toEqual(folders.sort());
  });

  it('is the order in which the contract names layers', () => {
    expect(layers.ids).toEqual(layerIds);
  });

  it.each(layers.rows)('has a file for the lane of $id where it has one', ({ id, lane }) => {
    const files = readdirSync(new URL(`${id.replaceAll('_', '-')}/`, folder));
    expect(files).toContain('layer.ts');
    expect(files.includes('lane.ts')).toBe(lane !== null);
  });

  it.each(withLane)('serves $id, which has a lane', ({ not_served, modes, lane, needs }) => {
    expect(not_served).toBeNull();
    expect(modes.length).toBeGreaterThan(0);
    expect(needs.surfaces).toEqual(expect.arrayContaining([...lane!.requires]));
  });

  it('has no layer that needs itself, or one that needs it', () => {
    const reaches = (id: string, seen: readonly string[]): void => {
      expect(seen).not.toContain(id);
      for (const needed of layers.get(id)!.needs.layers) reaches(needed, [...seen, id]);
    };
    for (const id of layers.ids) reaches(id, []);
  });
});

/** What others look at beside numbers comes from their own tests. */
const ofNumbers = withLane.filter(
  ({ needs, lane }) =>
    (needs.frames === null || needs.frames_optional === true) && lane!.requires.length === 0,
);

describe('every lane of numbers on every kind of sample', () => {
  const byKind = new Map<Kind, LaneEpisode[]>();

  beforeAll(async () => {
    for (const episode of await laneEpisodes((await sharedSamples()).recordings)) {
      const { kind } = episode.facts.kind;
      byKind.set(kind, [...(byKind.get(kind) ?? []), episode]);
    }
  });

  it('meets all kinds', () => {
    expect(kinds.filter((kind) => byKind.has(kind))).toEqual([...kinds]);
  });

  it.each(ofNumbers)('gives output or says as the catalogue does why not: $id', async (row) => {
    for (const [kind, episodes] of byKind)
      for (const episode of episodes) {
        const unfit = row.unfit[kind];
        const annotate = (of: LaneEpisode) => runLayer(row, of, signalContext({}));
        if (unfit !== undefined) {
          await expect(annotate(episode)).rejects.toThrow(new AssayError('layer_inapplicable', unfit));
          continue;
        }
        const output = await annotate(episode);
        expectSound(output);
        const again = await annotate({ ...episode, streams: [...episode.streams] });
        expect(again).toEqual(output);
      }
  });
});

function expectSound({ parts, counts, quality, quality_reason }: LaneOutput): void {
  const [{ name, json: artifact }] = parts;
  expect(name).toBe(mainPart);
  const json = canonicalJson(artifact);
  expect(json.length).toBeLessThan(1e6);
  // Members in order from the start are written several times as fast.
  expect(JSON.stringify(artifact)).toBe(json);
  for (const count of Object.values(counts)) expect(Number.isInteger(count)).toBe(true);
  expect(quality === null).toBe(quality_reason !== null);
  if (quality !== null) expect(Math.abs(quality - 0.5)).toBeLessThanOrEqual(0.5);
}
