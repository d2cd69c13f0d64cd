import type { JsonObject } from '#core';
import type { SetFeatures } from '../features.ts';

/** What LeRobot 0.6's `language_feature_info()` declares in meta/info.json. */
export const languageFeatures: Readonly<Record<'language_persistent' | 'language_events', JsonObject>> = {
  language_persistent: { dtype: 'language', shape: [1], names: null },
  language_events: { dtype: 'language', shape: [1], names: null },
};

/** Layers that have a place in these columns. */
export const languageLayers = ['segments', 'captions', 'dense_text'] as const;

/** The columns as SQL has their types: LeRobot's structs, calls of tools as JSON. */
export const languageTypes = {
  language_persistent:
    'STRUCT(role VARCHAR, content VARCHAR, style VARCHAR, "timestamp" FLOAT, camera VARCHAR, tool_calls JSON[])[]',
  language_events:
    'STRUCT(role VARCHAR, content VARCHAR, style VARCHAR, camera VARCHAR, tool_calls JSON[])[]',
} as const;

/** The same set with the columns declared. */
export const withLanguage = (features: SetFeatures): SetFeatures => ({
  ...features,
  declaration: { ...features.declaration, ...languageFeatures },
});
