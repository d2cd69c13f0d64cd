import { expect, it } from 'vitest';
import { exportFormats } from '#formats/write';
import { layers } from '#labels/annotation';
import { exportableLayers, exportedLayers } from './exported-layers.ts';

it('every layer names the formats that have a place for it', () => {
  for (const { id, exports } of layers.rows) {
    const own = exportFormats.rows.filter(({ annotations }) => annotations?.includes(id));
    expect([...exports].sort(), id).toEqual(own.map((format) => format.id).sort());
  }
  const held = new Set(exportFormats.rows.flatMap(({ annotations }) => annotations ?? []));
  expect([...held].sort()).toEqual([...exportedLayers].sort());
});

it('lists the layers of a format in the order of all layers', () => {
  expect(exportableLayers('lerobot-v3')).toContain('segments');
  expect(exportableLayers('mcap')).toEqual(['segments', 'captions', 'dense_text']);
  expect(exportableLayers('zarr-replay-buffer')).toEqual([]);
});
