import { AssayError } from '#core';
import type { EditedFeature, ExportEdit } from './export-edit.ts';
import { namedFeature, once, pairOf } from './named-feature.ts';

const takes = 'OLD=NEW';

/** `--rename observation.images.cam=observation.images.top`. */
export const rename: ExportEdit = {
  id: 'rename',
  takes,
  about: 'gives a feature another name',
  read: (texts) => {
    const pairs = texts.map((text) => pairOf(text, '--rename', takes));
    once(
      pairs.map(([from]) => from),
      '--rename',
    );
    for (const [, to] of pairs)
      if (!/^[\w.-]+$/.test(to))
        throw new AssayError('usage', `--rename: ${to} is no name of a feature`, {
          advice: 'use letters, digits, dots, dashes and underscores',
        });
    return {
      lineage: { edit: 'rename', names: Object.fromEntries(pairs) },
      features: (all) => renamed(all, pairs),
    };
  },
};

function renamed(features: readonly EditedFeature[], pairs: readonly (readonly [string, string])[]) {
  const names = new Map(pairs.map(([from, to]) => [namedFeature(features, from, '--rename'), to]));
  const edited = features.map((one) => ({ ...one, key: names.get(one) ?? one.key }));
  once(
    edited.map(({ key }) => key),
    '--rename',
  );
  return edited;
}
