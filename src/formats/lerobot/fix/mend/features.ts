import type { JsonObject, JsonValue } from '#core';
import { roleOf } from '../../read/episodes/column-plan.ts';
import { featuresOf, infoPath, type LeRobotDraft } from '../draft/draft.ts';
import { changed, few, type Mend, unfixed } from './mend.ts';

/** Features are declared as the data has them: every column, none that is nowhere, a name for each number. */
export const features: Mend = {
  id: 'features',
  title: 'Features are declared as the data has them',
  answers: ['column_undeclared', 'columns_differ', 'feature_missing', 'signal_missing', 'names_too_few'],
  run: (draft) => {
    if (draft.files.length === 0) return;
    undeclared(draft);
    missing(draft);
    for (const [key, feature] of featuresOf(draft.info.value)) names(draft, key, feature);
  },
};

/** A column that all files have is declared; one that few have leaves them, since the library wants all files alike. */
function undeclared(draft: LeRobotDraft): void {
  const declared = featuresOf(draft.info.value);
  const counts = new Map<string, number>();
  for (const { columns } of draft.files)
    for (const { name } of columns) if (!declared.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) {
    if (count < draft.files.length) leaveOut(draft, name);
    else if (draft.layout === 'v3') declare(draft, name);
  }
}

const dtypes: Readonly<Record<string, string>> = {
  FLOAT: 'float32',
  DOUBLE: 'float64',
  BIGINT: 'int64',
  INTEGER: 'int32',
  SMALLINT: 'int16',
  TINYINT: 'int8',
  UTINYINT: 'uint8',
  BOOLEAN: 'bool',
  VARCHAR: 'string',
};

function declare(draft: LeRobotDraft, name: string): void {
  const type = draft.files[0].columns.find((column) => column.name === name)!.type;
  const dtype = dtypes[type];
  if (dtype === undefined) {
    unfixed(draft, 'column_undeclared', {
      path: draft.files[0].path,
      message: `column ${name} is not declared, and its shape is not known`,
      advice: 'Declare it in features, or remove it.',
    });
    return;
  }
  draft.info.set(['features', name], { dtype, shape: [1], names: null });
  draft.declared.add(name);
  changed(draft, features, ['column_undeclared', 'columns_differ'], {
    path: infoPath,
    what: `features.${name}`,
    before: 'absent',
    after: `${dtype}, as the data files have it`,
  });
}

function leaveOut(draft: LeRobotDraft, name: string): void {
  for (const file of draft.files) {
    if (!file.columns.some((column) => column.name === name)) continue;
    file.dropped.add(name);
    changed(draft, features, ['columns_differ', 'column_undeclared'], {
      path: file.path,
      what: `column ${name}`,
      before: 'in this file and not in all',
      after: 'left out; the journal keeps it',
    });
  }
}

function missing(draft: LeRobotDraft): void {
  const there = new Set(draft.files.flatMap(({ columns }) => columns.map(({ name }) => name)));
  for (const [key, { dtype }] of featuresOf(draft.info.value)) {
    if (dtype === 'video' || there.has(key)) continue;
    if (/^(state|action)$/.test(roleOf(key)) || /^(timestamp|(frame_|episode_|task_)?index)$/.test(key)) {
      unfixed(draft, 'signal_missing', {
        path: infoPath,
        message: `${key} is declared and in no data file`,
        advice: 'Bring back the data files that had it, or record again: nothing here can compute it.',
      });
      continue;
    }
    draft.info.set(['features', key], undefined);
    changed(draft, features, ['feature_missing'], {
      path: infoPath,
      what: `features.${key}`,
      before: 'declared and in no data file',
      after: 'not declared',
    });
  }
}

/** Names that are the first of another feature's with as many numbers are completed by these. */
function names(draft: LeRobotDraft, key: string, feature: JsonObject): void {
  const own = listOf(feature.names);
  const dims = dimsOf(feature);
  const matters = !/^(video|image|string)$/.test(String(feature.dtype));
  if (!matters || own === null || own.length >= dims || (own.length === 1 && dims === 0)) return;
  if (Array.isArray(feature.shape) && feature.shape.length > 1 && own.length === feature.shape.length) return;
  const twins = [...featuresOf(draft.info.value)].flatMap(([other, value]) => {
    const list = other === key || dimsOf(value) !== dims ? null : listOf(value.names);
    return list?.length === dims && own.every((name, at) => name === list[at]) ? [list] : [];
  });
  const found = new Set(twins.map((list) => JSON.stringify(list)));
  if (found.size !== 1) {
    unfixed(draft, 'names_too_few', {
      path: infoPath,
      message: `${key} has ${own.length} names for ${dims} numbers: ${few(own)}`,
      advice: 'Write one name per number: programs that look joints up by name take the wrong one.',
    });
    return;
  }
  draft.info.set(['features', key, 'names'], [...twins[0]]);
  changed(draft, features, ['names_too_few'], {
    path: infoPath,
    what: `features.${key}.names`,
    before: JSON.stringify(own),
    after: JSON.stringify(twins[0]),
  });
}

function listOf(value: JsonValue | undefined): readonly string[] | null {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value.map(String) : null;
}

function dimsOf({ shape }: JsonObject): number {
  return Array.isArray(shape) ? shape.reduce<number>((product, size) => product * Number(size), 1) : 0;
}
