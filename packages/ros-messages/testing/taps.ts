import type { FieldType, StructType, Taps } from '../src/index.ts';

/** Taps for every number of a message, each path a group of its own, and every single string. */
export function tapEverything(root: StructType): Taps {
  const numbers: { paths: string[] }[] = [];
  const texts: string[] = [];
  const visit = (type: FieldType, path: string): void => {
    if (type.kind === 'number') numbers.push({ paths: [path] });
    else if (type.kind === 'string' && !path.includes('[]')) texts.push(path);
    else if (type.kind === 'struct') {
      for (const field of type.fields) visit(field.type, path === '' ? field.name : `${path}.${field.name}`);
    } else if (type.kind === 'array') {
      if (type.of.kind === 'number') numbers.push({ paths: [path] });
      else if (type.of.kind !== 'string') visit(type.of, `${path}[]`);
    }
  };
  visit(root, '');
  return { stamp: null, numbers, texts, names: null, payload: null };
}

/** The numbers that an ordinary decoder's object holds at a path. */
export function numbersAt(message: unknown, path: string): number[] {
  let values: unknown[] = [message];
  for (const step of path.split('.')) {
    const name = step.replace('[]', '');
    values = values.map((value) => (value as Record<string, unknown>)[name]);
    if (step.endsWith('[]')) values = values.flatMap((value) => Array.from(value as Iterable<unknown>));
  }
  return values
    .flatMap((value) =>
      typeof value === 'object' && value !== null ? Array.from(value as Iterable<unknown>) : [value],
    )
    .map(Number);
}
