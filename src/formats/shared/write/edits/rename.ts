import { AssayError } from '#core';
import {
  assertUnique,
  type EditedFeature,
  type ExportEdit,
  parsePair,
  requireFeature,
} from './export-edit.ts';

const syntax = 'OLD=NEW';

/** Edit `--rename observation.images.cam=observation.images.top`: renames a feature. */
export const rename: ExportEdit = {
  id: 'rename',
  takes: syntax,
  about: 'renames a feature',
  read: (texts) => {
    const pairs = texts.map((text) => parsePair(text, '--rename', syntax));
    assertUnique(
      pairs.map(([from]) => from),
      '--rename',
    );
    for (const [, to] of pairs)
      if (!/^[\w.-]+$/.test(to))
        throw new AssayError('usage', `--rename: ${to} is not a valid feature name`, {
          advice: 'use letters, digits, dots, dashes and underscores',
        });
    return {
      lineage: { edit: 'rename', names: Object.fromEntries(pairs) },
      named: pairs.map(([from]) => from),
      features: (all) => renamed(all, pairs),
    };
  },
};

function renamed(features: readonly EditedFeature[], pairs: readonly (readonly [string, string])[]) {
  const names = new Map(pairs.map(([from, to]) => [requireFeature(features, from, '--rename'), to]));
  const edited = features.map((one) => ({ ...one, key: names.get(one) ?? one.key }));
  assertUnique(
    edited.map(({ key }) => key),
    '--rename',
  );
  return edited;
}
