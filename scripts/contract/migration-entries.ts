import { type Change, nameOf } from './change.ts';

/** Names that the migration guide has under `Unreleased`; each item says after its name what to do. */
function migrationEntries(guide: string): Set<string> {
  const section = guide.split(/^## /m).find((part) => /^unreleased\s/i.test(part)) ?? '';
  return new Set([...section.matchAll(/^- `([^`]+)`: \S/gm)].map(([, name]) => name));
}

/** Returns the breaking changes without an entry in the migration guide, and the entries without a breaking change. */
export function heldAgainstGuide(
  changes: readonly Change[],
  guide: string,
): { missing: Change[]; idle: string[] } {
  const entries = migrationEntries(guide);
  const breaking = changes.filter((change) => change.breaking);
  const names = new Set(breaking.map(nameOf));
  return {
    missing: breaking.filter((change) => !entries.has(nameOf(change))),
    idle: [...entries].filter((entry) => !names.has(entry)),
  };
}
