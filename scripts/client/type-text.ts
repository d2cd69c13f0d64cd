import type { Schema } from './document.ts';

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value);

/** A name of the contract that a schema refers to; null where it does not. */
export const nameOf = ({ $ref }: Schema): string | null => $ref?.split('/').at(-1) ?? null;

/** A JSON schema as the text of a TypeScript type. */
export function typeText(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return [...new Set(branches.map(typeText))].join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeText({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayText(schema);
    case 'object':
      return objectText(schema);
    default:
      return 'unknown';
  }
}

/** A pair is a tuple; other lists have any length. */
function arrayText({ items = {}, minItems, maxItems }: Schema): string {
  const item = typeText(items);
  return minItems === 2 && maxItems === 2 ? `readonly [${item}, ${item}]` : `readonly ${inBrackets(item)}[]`;
}

/** Unions and lists need brackets before `[]`. */
const inBrackets = (text: string): string =>
  / \| /.test(text) || text.startsWith('readonly ') ? `(${text})` : text;

function objectText(schema: Schema): string {
  const { properties, required = [], additionalProperties } = schema;
  const page = pageItem(schema);
  if (page !== null) return `Page<${typeText(page)}>`;
  if (properties !== undefined) return `{\n${membersText(properties, required)}\n}`;
  if (additionalProperties === false) return 'Record<never, never>';
  const value = typeof additionalProperties === 'object' ? typeText(additionalProperties) : 'unknown';
  const keys = schema.propertyNames === undefined ? 'string' : typeText(schema.propertyNames);
  const record = `Record<${keys}, ${value}>`;
  return `Readonly<${keys === 'string' || required.length > 0 ? record : `Partial<${record}>`}>`;
}

/** The members of an object type, a line each, with what the contract says of them. */
function membersText(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const type = typeText(schema);
      return `${memberNote(schema)}readonly ${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;
    })
    .join('\n');
}

/** Ids and times say in their names what they are. */
function memberNote({ description, pattern, format }: Schema): string {
  if (description === undefined || format === 'date-time' || pattern?.includes('[0-9a-hjkmnp-tv-z]'))
    return '';
  return noteText(description);
}

/** A comment on what follows it. */
export function noteText(text: string): string {
  const lines = wrapped(text.replaceAll('*/', '*\u200b/'));
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

const mostColumns = 100;

function wrapped(text: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines[lines.length - 1];
      if (line === '' || line.length + word.length < mostColumns)
        lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}

/** Returns the item schema of a list page; `null` if a schema is not a page. */
export function pageItem({ properties }: Schema): Schema | null {
  const names = Object.keys(properties ?? {}).sort();
  return names.join() === 'items,next_cursor' ? (properties?.items.items ?? null) : null;
}

/** Every name that a schema refers to, however deep. */
export function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [String(member.split('/').at(-1))] : namesIn(member),
  );
}
