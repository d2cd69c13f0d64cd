import type { JsonObject } from '#core';
import type { SetFeatures } from '../features.ts';

/** Declarations of the language columns as in LeRobot 0.6 (`language_feature_info()`). */
export const languageFeatures: Readonly<Record<'language_persistent' | 'language_events', JsonObject>> = {
  language_persistent: { dtype: 'language', shape: [1], names: null },
  language_events: { dtype: 'language', shape: [1], names: null },
};

/** Annotation layers that are written to these columns. */
export const languageLayers = ['segments', 'captions', 'dense_text'] as const;

/** SQL types of the columns: LeRobot's structs, tool calls as JSON. */
export const languageTypes = {
  language_persistent:
    'STRUCT(role VARCHAR, content VARCHAR, style VARCHAR, "timestamp" FLOAT, camera VARCHAR, tool_calls JSON[])[]',
  language_events:
    'STRUCT(role VARCHAR, content VARCHAR, style VARCHAR, camera VARCHAR, tool_calls JSON[])[]',
} as const;

/** Returns the features with both language columns added to `declaration`. */
export const declareLanguage = (features: SetFeatures): SetFeatures => ({
  ...features,
  declaration: { ...features.declaration, ...languageFeatures },
});
