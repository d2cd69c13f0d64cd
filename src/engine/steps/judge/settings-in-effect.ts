import type { Assessment, ReadinessSettings } from '#core/api';
import { resolveSettings } from '#quality/readiness';

/** Returns name (`default` or `changed`) and hash of the settings, as scores refer to them. */
export function settingsInEffect(settings: ReadinessSettings): Assessment['dataset']['settings'] {
  const hash = resolveSettings(settings).settings_hash;
  return { name: hash === resolveSettings().settings_hash ? 'default' : 'changed', hash };
}
