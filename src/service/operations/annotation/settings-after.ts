import type { JsonObject } from '#core';
import {
  applyChange,
  readStoredSettings,
  type SettingsChange,
  type StoredSettings,
} from '#labels/annotation';

/** What is stored and what is to be, without members that say nothing. */
export function settingsAfter(stored: unknown, change: SettingsChange): readonly [JsonObject, JsonObject] {
  const before = readStoredSettings(stored);
  return [written(before), written(applyChange(before, change))];
}

function written(settings: StoredSettings): JsonObject {
  const said = Object.entries(settings).filter(([, member]) => Object.keys(member).length > 0);
  return Object.fromEntries(said) as JsonObject;
}
