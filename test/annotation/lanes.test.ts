import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { AssayError, canonicalJson } from '#core';
import { jobLayerIds, layerIds, modelSurfaceIds } from '#core/api';
import { type Kind, kinds } from '#core/episode';
import {
  jobLayerOf,
  type LaneEpisode,
  type LaneOutput,
  layers,
  mainPart,
  runLayer,
  surfacesOf,
} from '#labels/annotation';
import { sharedSamples } from '#test/support/shared-samples';
import { laneEpisodes, signalContext } from './lane-episodes.ts';

const folder = new URL('../../src/labels/annotation/layers/', import.meta.url);
const withLane = layers.rows.filter(({ lane }) => lane !== null);

describe('the layer registry', () => {
  it('has a row for every file or folder of a layer, and one of them for every row', () => {
    const names = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));
    const ids = names.map((name) => name.replace(/\.ts$/, '').replaceAll('-', '_'));
    expect([...jobLayerIds].sort()).toEqual(ids.sort());
  });

  it('uses every model surface but that of search', () => {
    const used = [...layers.rows, jobLayerOf('annotation_review')].flatMap((row) => surfacesOf(row));
    expect(modelSurfaceIds.filter((id) => !used.includes(id))).toEqual(['text_embedding']);
  });

  it('is the order in which the contract names layers', () => {
    expect(layers.ids).toEqual(layerIds);
  });

  it.each(withLane)('serves $id, which has a lane', ({ not_served, modes }) => {
    expect(not_served).toBeNull();
    expect(modes.length).toBeGreaterThan(0);
  });

  it('has no layer that needs itself, or one that needs it', () => {
    const reaches = (id: string, seen: readonly string[]): void => {
      expect(seen).not.toContain(id);
      for (const needed of layers.get(id)!.needs.layers) reaches(needed, [...seen, id]);
    };
    for (const id of layers.ids) reaches(id, []);
  });
});

/** Lanes that need numbers only; lanes that also need images have their own tests. */
const ofNumbers = withLane.filter(
  ({ needs }) =>
    (needs.frames === null || needs.frames_optional === true) &&
    needs.models.every(({ optional }) => optional === true),
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
