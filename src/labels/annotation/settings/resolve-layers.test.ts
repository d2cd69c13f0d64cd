import { describe, expect, test } from 'vitest';
import { seededRandom } from '#core';
import { layerIds, layerModes } from '#core/api';
import { type Kind, kinds } from '#core/episode';
import { rounds } from '#test/support/tiers';
import { coerceConfig } from '../knob.ts';
import { layers } from '../layer-registry.ts';
import { presets } from './presets.ts';
import { type LayerInputs, ratePresets, resolveLayers } from './resolve-layers.ts';
import { applyChange, readStoredSettings } from './stored-settings.ts';

const nothing = readStoredSettings({});
const asks = (requested: boolean) => ({ requested, reason: 'the use case says so' });
const inputs = (change: Partial<LayerInputs> = {}): LayerInputs => ({
  project: nothing,
  workspace: nothing,
  capabilities: { hand_pose: asks(false), dense_text: asks(false) },
  target_layers: [],
  kinds: { teleop: 5 },
  pinned_kind: null,
  ...change,
});
const modes = (change?: Partial<LayerInputs>) =>
  Object.fromEntries(resolveLayers(inputs(change)).map(({ id, mode }) => [id, mode]));

test('the registry has the layers of the contract, in their order', () => {
  expect(layers.ids).toEqual(layerIds);
  expect(layers.rows.filter(({ not_served }) => not_served !== null).map(({ id }) => id)).toEqual([
    'representation_3d',
  ]);
});

test('the project’s word goes before the workspace’s, and that before what is computed', () => {
  const project = readStoredSettings({ modes: { depth: 'off' } });
  const workspace = readStoredSettings({ modes: { depth: 'in_run', captions: 'off' } });
  expect(modes({ project, workspace })).toMatchObject({ depth: 'off', captions: 'off', metadata: 'in_run' });
  expect(modes({ workspace })).toMatchObject({ depth: 'in_run' });
});

test('defaults follow what the use case asks for and what the target is trained on', () => {
  expect(modes()).toMatchObject({
    hand_pose: 'on_demand',
    dense_text: 'on_demand',
    object_labels: 'on_demand',
  });
  const capabilities = { hand_pose: asks(true), dense_text: asks(true) };
  expect(modes({ capabilities, target_layers: ['object_labels'] })).toMatchObject({
    hand_pose: 'in_run',
    dense_text: 'in_run',
    object_labels: 'in_run',
  });
});

test('a mode that is not offered becomes the nearest, and says what was asked', () => {
  const project = readStoredSettings({ modes: { body_pose: 'in_run', representation_3d: 'in_run' } });
  const found = resolveLayers(inputs({ project }));
  const of = (id: string) => found.find((one) => one.id === id);
  expect(of('body_pose')).toMatchObject({ mode: 'on_demand', from: 'project', asked: 'in_run' });
  expect(of('representation_3d')).toMatchObject({ mode: 'off', from: 'pinned', runs: false });
});

test('what the data cannot carry never runs, whatever its mode', () => {
  const project = readStoredSettings({ modes: { segments: 'in_run', captions: 'in_run' } });
  const found = resolveLayers(inputs({ project, kinds: { 'drive-log': 3, 'state-only': 2 } }));
  const of = (id: string) => found.find((one) => one.id === id)!;
  expect(of('segments')).toMatchObject({ runs: true, applicability: { applicable_episodes: 2 } });
  expect(of('captions')).toMatchObject({ runs: true, applicability: { applicable_episodes: 3 } });
  const pinned = resolveLayers(inputs({ project, pinned_kind: 'vision-asset', kinds: { teleop: 4 } }));
  expect(pinned.find(({ id }) => id === 'segments')).toMatchObject({
    mode: 'in_run',
    runs: false,
    applicability: { applicable: false, reason: expect.stringContaining('vision-asset') },
  });
  expect(pinned.find(({ id }) => id === 'captions')?.applicability.applicable_episodes).toBe(4);
});

describe('a change', () => {
  const stored = readStoredSettings({ modes: { depth: 'off' }, config: { depth: { sample_hz: 2 } } });

  test('leaves out what it does not name and clears what it names empty', () => {
    expect(applyChange(stored, {})).toEqual(stored);
    expect(applyChange(stored, { modes: {} })).toEqual({ ...stored, modes: {} });
    expect(applyChange(stored, { config: {} })).toEqual({ ...stored, config: {} });
  });

  test('by a preset sets every layer, and modes beside it win', () => {
    const { modes } = applyChange(stored, { preset: 'world-model', modes: { captions: 'off' } });
    expect(modes).toMatchObject({
      depth: 'in_run',
      captions: 'off',
      segments: 'in_run',
      dense_text: 'on_demand',
    });
    expect(Object.keys(modes)).toHaveLength(layerIds.length);
  });

  test('brings knobs within range, keeps whole what is whole, drops what means nothing', () => {
    const { config } = applyChange(nothing, {
      config: {
        dense_text: { target_words: 9999.7, style: 'haiku', colour: 'red' },
        captions: { window_s: '0.2', max_words: 7.6 },
        object_labels: { classes: [' cup ', 'cup', 3, ''], masks: 'true', confidence_floor: null },
        nonsense: { a: 1 },
        depth: 'much',
      },
    });
    expect(config).toEqual({
      dense_text: { target_words: 2000 },
      captions: { window_s: 1, max_words: 8 },
      object_labels: { classes: ['cup'], masks: true },
    });
  });
});

test('a preset is disabled where what it runs applies to nothing, and offered where it was written for', () => {
  const fits = ratePresets(['world-model'], { kinds: { 'state-only': 3 }, pinned_kind: null });
  const of = (id: string) => fits.find(({ preset }) => preset.id === id);
  expect(of('world-model')).toMatchObject({
    offered: true,
    disabled: true,
    reason: expect.stringContaining('depth'),
  });
  expect(of('everything')).toMatchObject({ offered: false, disabled: false });
});

describe('whatever is stored', () => {
  const { next: random, pick: oneOf } = seededRandom(7);
  const garbage = (depth = 0): unknown => {
    const leaves = [null, true, 0, -1e300, Number.NaN, '', 'in_run', 'depth', [], {}, '__proto__', '\ud800'];
    if (depth > 2 || random() < 0.4) return oneOf(leaves);
    const names = [...layerIds, 'modes', 'config', 'models', 'sample_hz', 'constructor', '__proto__', 'x'];
    const entries = Array.from({ length: 4 }, () => [oneOf(names), garbage(depth + 1)]);
    return random() < 0.1 ? entries : Object.fromEntries(entries);
  };
  const settings = () => {
    const modes = Object.fromEntries(layerIds.map((id) => [id, oneOf([...layerModes, garbage(3)])]));
    return random() < 0.5 ? garbage() : { modes, config: garbage(1), models: garbage(1) };
  };
  const anyInputs = (): LayerInputs => ({
    project: readStoredSettings(settings()),
    workspace: readStoredSettings(settings()),
    capabilities: { hand_pose: asks(random() < 0.5), dense_text: asks(random() < 0.5) },
    target_layers: random() < 0.5 ? ['object_labels'] : [],
    kinds: Object.fromEntries(kinds.map((kind: Kind) => [kind, Math.floor(random() * 3)])),
    pinned_kind: random() < 0.3 ? oneOf(kinds) : null,
  });

  test('resolves, to offered modes and knobs within range', () => {
    for (let round = 0; round < rounds(200, 20_000); round++)
      for (const { id, mode, config } of resolveLayers(anyInputs())) {
        const layer = layers.get(id)!;
        expect(layer.not_served === null ? layer.modes : ['off']).toContain(mode);
        expect(Object.keys(config)).toEqual(Object.keys(layer.knobs));
        expect(coerceConfig(layer, config)).toEqual(config);
      }
  });

  test('resolves to itself when what came out is stored', () => {
    for (let round = 0; round < rounds(50, 5000); round++) {
      const first = anyInputs();
      const out = resolveLayers(first);
      const project = readStoredSettings({
        modes: Object.fromEntries(out.map(({ id, mode }) => [id, mode])),
        config: Object.fromEntries(out.map(({ id, config }) => [id, config])),
      });
      const again = resolveLayers({ ...first, project });
      const effect = (of: typeof out) => of.map(({ id, mode, runs, config }) => ({ id, mode, runs, config }));
      expect(effect(again)).toEqual(effect(out));
    }
  });

  test('never has a layer spend that is off, not served or without anything to apply to', () => {
    for (let round = 0; round < rounds(200, 20_000); round++) {
      const one = anyInputs();
      const there =
        one.pinned_kind === null ? kinds.filter((kind) => one.kinds[kind]! > 0) : [one.pinned_kind];
      for (const { id, mode, runs } of resolveLayers(one)) {
        if (!runs) continue;
        const { not_served, unfit } = layers.get(id)!;
        expect([mode, not_served]).toEqual(['in_run', null]);
        expect(there.length === 0 || there.some((kind) => unfit[kind] === undefined)).toBe(true);
      }
    }
  });
});

test('every preset names layers and modes that there are', () => {
  for (const { modes } of presets) {
    for (const [id, mode] of Object.entries(modes)) {
      expect(layerIds).toContain(id);
      expect(layerModes).toContain(mode);
    }
  }
});
