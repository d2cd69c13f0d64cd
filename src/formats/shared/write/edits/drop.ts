import type { ExportEdit } from './export-edit.ts';
import { namedFeature } from './named-feature.ts';

/** `--drop observation.effort`: without this feature. */
export const drop: ExportEdit = {
  id: 'drop',
  takes: 'FEATURE',
  about: 'leaves a feature out: a column, or a camera with its videos',
  read: (texts) => ({
    lineage: { edit: 'drop', features: [...texts] },
    features: (features) => {
      const gone = new Set(texts.map((text) => namedFeature(features, text, '--drop')));
      return features.filter((one) => !gone.has(one));
    },
  }),
};
