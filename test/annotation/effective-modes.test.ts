import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layerIds, type TargetProfileId, type UseCaseId } from '#core/api';
import type { Kind } from '#core/episode';
import { applyChange, readStoredSettings, resolveLayers, type StoredSettings } from '#labels/annotation';
import { targetProfile, useCase } from '#quality/catalog';

const columns: readonly Kind[] = [
  'teleop',
  'egocentric',
  'drive-log',
  'aerial-flight',
  'state-only',
  'vision-asset',
];
const rows = readFileSync(join(import.meta.dirname, 'effective-modes.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));

/** `depth=off captions=in_run`, `preset=everything`; `-`: nothing. What a change would refuse is stored as it is. */
function stored(words: string): StoredSettings {
  const pairs = words === '-' ? [] : words.split(' ').map((word) => word.split('='));
  const { preset, ...modes } = Object.fromEntries(pairs);
  const known = readStoredSettings({ modes });
  return preset === undefined ? known : applyChange(known, { preset, modes: known.modes });
}

describe('layers as they are in effect', () => {
  it('has rows enough', () => expect(rows.length * columns.length).toBeGreaterThanOrEqual(300));

  it.each(rows)(
    'for %s, %s; workspace %s, project %s',
    (use_case, target, workspace, project, ...expected) => {
      const answers = columns.map((kind) => {
        const resolved = resolveLayers({
          capabilities: useCase(use_case as UseCaseId).capabilities,
          target_layers: targetProfile(target as TargetProfileId).pipeline_steps.flatMap(
            ({ layers }) => layers,
          ),
          workspace: stored(workspace),
          project: stored(project),
          kinds: { [kind]: 1 },
          pinned_kind: null,
        });
        const letters = { in_run: 'r', on_demand: 'd', off: 'o' };
        return layerIds.map((id) => {
          const { mode, runs, applicability } = resolved.find((one) => one.id === id)!;
          expect(runs).toBe(mode === 'in_run' && applicability.applicable);
          return applicability.applicable ? letters[mode] : letters[mode].toUpperCase();
        });
      });
      expect(answers.map((letters) => letters.join(''))).toEqual(expected);
    },
  );
});
