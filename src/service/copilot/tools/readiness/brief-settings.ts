import type { ProjectReadinessSettings } from '#core/api';

/** Settings without what a reader of documentation wants: formulas, sources and meanings are in docs/checks.md. */
export function briefSettings(settings: ProjectReadinessSettings) {
  const { checks, settings_file: _file, stored: _stored, ...rest } = settings;
  return {
    ...rest,
    checks: checks.map(({ id, title, view, applies, enabled, threshold, weight, flags }) => ({
      ...{ id, title, view, applies, enabled, weight },
      threshold: {
        default: threshold.default,
        stored_offset: threshold.stored_offset,
        effective: threshold.effective,
      },
      flags: flags.map(({ code }) => code),
    })),
  };
}
