import { AssayError } from '#core';
import { type ReadinessSettings, readinessSettingsSchema } from '#core/api';

/** Settings as a person gave them. Throws `invalid_settings`, naming the place, for anything but their shape. */
export function parseSettings(raw: unknown): ReadinessSettings {
  const parsed = readinessSettingsSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AssayError('invalid_settings', `settings: ${issue.message}`, {
    place: `/${issue.path.map(String).join('/')}`,
    advice:
      'give an object { "checks": { "<check id>": { "enabled", "threshold_offset", "weight_factor" } } }',
  });
}
