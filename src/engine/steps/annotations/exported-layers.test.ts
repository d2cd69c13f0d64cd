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

it('LeRobot holds them only where a person asks for them', () => {
  expect(exportableLayers('lerobot-v3', null)).toEqual([]);
  expect(exportableLayers('lerobot-v3', true)).toContain('segments');
  expect(exportableLayers('mcap', null)).toEqual(['segments', 'captions', 'dense_text']);
  expect(exportableLayers('mcap', false)).toEqual([]);
  expect(exportableLayers('zarr-replay-buffer', true)).toEqual([]);
});
