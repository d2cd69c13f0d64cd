import { describe, expect, it } from 'vitest';
import {
  type LayerId,
  type LayerMode,
  layerIds,
  type TargetProfileId,
  targetProfileIds,
  type UseCaseId,
  useCaseIds,
} from '#core/api';
import type { Kind } from '#core/episode';
import { applyChange, readStoredSettings, resolveLayers, type StoredSettings } from '#labels/annotation';
import { targetProfile, useCase } from '#quality/use-cases';

/** Written from the specification, not from the program: the mode of a layer that nobody sets, and kinds that cannot carry it. */
const layerDefaults: Readonly<Record<LayerId, readonly [mode: LayerMode, unfit: readonly Kind[]]>> = {
  metadata: ['in_run', []],
  captions: ['in_run', ['state-only']],
  segments: ['in_run', ['drive-log', 'vision-asset']],
  object_labels: ['on_demand', ['state-only']],
  dense_text: ['on_demand', ['state-only', 'vision-asset']],
  hand_pose: ['on_demand', ['teleop', 'drive-log', 'aerial-flight', 'state-only']],
  body_pose: ['on_demand', ['teleop', 'aerial-flight', 'state-only']],
  tracks: ['on_demand', ['state-only', 'vision-asset']],
  segmentation: ['on_demand', ['state-only']],
  depth: ['on_demand', ['state-only']],
  optical_flow: ['on_demand', ['state-only', 'vision-asset']],
  representation_3d: ['off', ['state-only', 'vision-asset']],
};
const kinds: readonly Kind[] = [
  'teleop',
  'egocentric',
  'drive-log',
  'aerial-flight',
  'state-only',
  'vision-asset',
];

type Modes = Readonly<Partial<Record<LayerId, LayerMode>>>;

/** Layers that use cases and targets add to those that run. */
const ofUseCase: Readonly<Partial<Record<UseCaseId, Modes>>> = {
  'spatial-world-models': { dense_text: 'in_run' },
  'humanoids-mobile': { hand_pose: 'in_run' },
};
const ofTarget: Readonly<Partial<Record<TargetProfileId, Modes>>> = { detector: { object_labels: 'in_run' } };

/** Modes that a preset sets; it replaces those of the use case and of the target. */
const ofPreset: Readonly<Record<string, Modes>> = {
  'readiness-only': {
    ...{ segments: 'off', object_labels: 'off', dense_text: 'off', hand_pose: 'off', body_pose: 'off' },
    ...{ tracks: 'off', segmentation: 'off', depth: 'off', optical_flow: 'off' },
  },
  'manipulation-qc': { object_labels: 'in_run' },
  'egocentric-full': { object_labels: 'in_run', dense_text: 'in_run', hand_pose: 'in_run' },
  'drive-log-lite': { segments: 'off', object_labels: 'in_run', dense_text: 'off', hand_pose: 'off' },
  'world-model': {
    ...{ metadata: 'on_demand', captions: 'on_demand' },
    ...{ segmentation: 'in_run', depth: 'in_run', optical_flow: 'in_run' },
  },
  everything: {
    ...{ object_labels: 'in_run', dense_text: 'in_run', hand_pose: 'in_run' },
    ...{ segmentation: 'in_run', depth: 'in_run', optical_flow: 'in_run' },
  },
};

interface Case {
  readonly use_case: UseCaseId;
  readonly target: TargetProfileId;
  /** Settings as `depth=off captions=in_run` or `preset=everything`; empty: none. */
  readonly workspace: string;
  readonly project: string;
  /** Modes that differ from the defaults. */
  readonly modes: Modes;
}

const unset: readonly Case[] = useCaseIds.flatMap((use_case) =>
  targetProfileIds.map((target) => ({
    ...{ use_case, target, workspace: '', project: '' },
    modes: { ...ofUseCase[use_case], ...ofTarget[target] },
  })),
);

const presets: readonly Case[] = Object.entries(ofPreset).flatMap(([preset, modes]) => [
  {
    ...({ use_case: 'robotic-manipulation', target: 'vla' } as const),
    ...{ workspace: '', project: `preset=${preset}`, modes },
  },
  {
    ...({ use_case: 'spatial-world-models', target: 'detector' } as const),
    ...{ workspace: '', project: `preset=${preset}`, modes },
  },
]);

const set = (
  use_case: UseCaseId,
  target: TargetProfileId,
  workspace: string,
  project: string,
  modes: Modes,
) => ({ use_case, target, workspace, project, modes }) satisfies Case;
const settings: readonly Case[] = [
  set('robotic-manipulation', 'vla', 'depth=in_run', '', { depth: 'in_run' }),
  set('robotic-manipulation', 'vla', 'depth=in_run', 'depth=off', { depth: 'off' }),
  // Modes that a layer does not have are ignored, and layers that do not exist.
  set('robotic-manipulation', 'vla', '', 'tracks=in_run', {}),
  set('robotic-manipulation', 'vla', 'representation_3d=in_run', 'representation_3d=on_demand', {}),
  set('robotic-manipulation', 'vla', 'smell=in_run', 'depth=sometimes', {}),
  set('data-assessment', 'ssl-encoder', '', 'metadata=off captions=off segments=off', {
    ...{ metadata: 'off', captions: 'off', segments: 'off' },
  }),
  set('drones-aerial', 'world-model', 'captions=off', 'captions=on_demand', { captions: 'on_demand' }),
  set('humanoids-mobile', 'detector', 'hand_pose=off', 'object_labels=off', {
    ...{ hand_pose: 'off', object_labels: 'off' },
  }),
  set('autonomous-driving', 'detector', 'preset=readiness-only', 'tracks=on_demand', {
    ...ofPreset['readiness-only'],
    tracks: 'on_demand',
  }),
  set('vision-datasets', 'detector', '', 'preset=everything captions=off', {
    ...ofPreset.everything,
    captions: 'off',
  }),
];

/** Parses settings; those that a change would refuse are stored as they are. */
function parseSettings(text: string): StoredSettings {
  const pairs = text === '' ? [] : text.split(' ').map((word) => word.split('='));
  const { preset, ...modes } = Object.fromEntries(pairs);
  const stored = readStoredSettings({ modes });
  return preset === undefined ? stored : applyChange(stored, { preset, modes: stored.modes });
}

describe.each([...unset, ...presets, ...settings])(
  'layers for $use_case, $target; workspace $workspace, project $project',
  ({ use_case, target, workspace, project, modes }) => {
    it.each(kinds)('of %s are in effect as specified', (kind) => {
      const resolved = resolveLayers({
        capabilities: useCase(use_case).capabilities,
        target_layers: targetProfile(target).pipeline_steps.flatMap(({ layers }) => layers),
        workspace: parseSettings(workspace),
        project: parseSettings(project),
        kinds: { [kind]: 1 },
        pinned_kind: null,
      });
      const found = resolved.map(({ id, mode, runs, applicability: { applicable } }) => [
        id,
        { mode, applicable, runs },
      ]);
      const expected = layerIds.map((id) => {
        const [byDefault, unfit] = layerDefaults[id];
        const mode = modes[id] ?? byDefault;
        const applicable = !unfit.includes(kind);
        return [id, { mode, applicable, runs: mode === 'in_run' && applicable }];
      });
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    });
  },
);
