import { type Change, Changes, isObject, type Json, listAt, objectAt, resolved, same } from './change.ts';
import { type Comparison, compareSchemas } from './compare-schemas.ts';

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** Returns all differences between two OpenAPI documents, breaking ones first. */
export function compareContracts(before: Json, after: Json): Change[] {
  const comparison: Comparison = { before, after, changes: new Changes(), seen: new Set() };
  const [were, are] = [operationsOf(before), operationsOf(after)];
  for (const [address, old] of were) {
    const now = are.get(address);
    if (now === undefined) comparison.changes.add(address, 'removed', true);
    else compareOperations(comparison, address, old, now);
  }
  for (const address of are.keys()) if (!were.has(address)) comparison.changes.add(address, 'added', false);
  const schemes = (root: Json) => {
    const all = objectAt(objectAt(root, 'components'), 'securitySchemes');
    return Object.fromEntries(Object.keys(all).map((id) => [id, withoutDescription(objectAt(all, id))]));
  };
  if (!same(schemes(before), schemes(after)))
    comparison.changes.add('authentication', 'security schemes changed', true);
  return comparison.changes.list();
}

/** Returns the scheme without its description, which no program depends on. */
const withoutDescription = ({ description: _, ...scheme }: Json): Json => scheme;

function operationsOf(root: Json): Map<string, Json> {
  const operations = new Map<string, Json>();
  for (const [path, item] of Object.entries(objectAt(root, 'paths')))
    for (const method of methods)
      if (isObject(item) && isObject(item[method]))
        operations.set(`${method.toUpperCase()} ${path}`, item[method]);
  return operations;
}

function compareOperations(comparison: Comparison, address: string, old: Json, now: Json): void {
  for (const [key, what] of [
    ['operationId', 'operation id changed, by which clients name it'],
    ['security', 'authentication changed'],
    ['x-required-role', 'the role that it wants changed'],
  ])
    if (!same(old[key], now[key])) comparison.changes.add(address, what, true);
  compareParameters(comparison, address, old, now);
  compareBodies(comparison, address, old, now);
  compareAnswers(comparison, address, old, now);
}

function compareParameters(comparison: Comparison, address: string, old: Json, now: Json): void {
  const [were, are] = [parametersOf(comparison.before, old), parametersOf(comparison.after, now)];
  for (const [name, parameter] of were) {
    const since = are.get(name);
    const place = `${address} ${name}`;
    if (since === undefined) comparison.changes.add(place, 'removed', true);
    else {
      if ((parameter.required === true) !== (since.required === true))
        comparison.changes.add(place, since.required === true ? 'is required now' : 'is optional now', true);
      for (const key of ['style', 'explode'])
        if (!same(parameter[key], since[key])) comparison.changes.add(place, `${key} changed`, true);
      compareSchemas(comparison, 'request', place, objectAt(parameter, 'schema'), objectAt(since, 'schema'));
    }
  }
  for (const [name, parameter] of are)
    if (!were.has(name)) comparison.changes.add(`${address} ${name}`, 'added', parameter.required === true);
}

function parametersOf(root: Json, operation: Json): Map<string, Json> {
  const parameters = listAt(operation, 'parameters').filter(isObject);
  return new Map(
    parameters.map((one) => {
      const parameter = resolved(root, one);
      return [`${parameter.in} ${parameter.name}`, parameter];
    }),
  );
}

function compareBodies(comparison: Comparison, address: string, old: Json, now: Json): void {
  const place = `${address} body`;
  const had = isObject(old.requestBody) ? resolved(comparison.before, old.requestBody) : null;
  const has = isObject(now.requestBody) ? resolved(comparison.after, now.requestBody) : null;
  if (had === null || has === null) {
    if (had !== null) comparison.changes.add(place, 'removed', true);
    if (has !== null) comparison.changes.add(place, 'added', has.required === true);
    return;
  }
  if ((had.required === true) !== (has.required === true))
    comparison.changes.add(place, has.required === true ? 'is required now' : 'is optional now', true);
  compareContents(comparison, 'request', place, had, has);
}

function compareAnswers(comparison: Comparison, address: string, old: Json, now: Json): void {
  const [were, are] = [objectAt(old, 'responses'), objectAt(now, 'responses')];
  for (const status of Object.keys({ ...were, ...are })) {
    const place = `${address} ${status}`;
    const [then, since] = [were[status], are[status]];
    if (!isObject(since)) comparison.changes.add(place, 'removed', true);
    // An error more is told by its code, which programs look at; what succeeds in another way is another meaning.
    else if (!isObject(then)) comparison.changes.add(place, 'added', !/^[45]/.test(status));
    else {
      const [a, b] = [resolved(comparison.before, then), resolved(comparison.after, since)];
      for (const header of Object.keys(objectAt(a, 'headers')))
        if (!(header in objectAt(b, 'headers')))
          comparison.changes.add(place, `header ${header} removed`, true);
      compareContents(comparison, 'answer', place, a, b);
    }
  }
}

function compareContents(
  comparison: Comparison,
  direction: 'request' | 'answer',
  place: string,
  old: Json,
  now: Json,
): void {
  const [were, are] = [objectAt(old, 'content'), objectAt(now, 'content')];
  for (const type of Object.keys({ ...were, ...are }))
    if (!(type in are)) comparison.changes.add(place, `${type} removed`, true);
    else if (!(type in were)) comparison.changes.add(place, `${type} added`, false);
    else {
      const at = Object.keys(were).length > 1 ? `${place} ${type}` : place;
      const [a, b] = [objectAt(were, type), objectAt(are, type)];
      compareSchemas(comparison, direction, at, objectAt(a, 'schema'), objectAt(b, 'schema'));
    }
}
