import type { Schema } from '../document.ts';
import { nameOf, pageItem } from '../type-text.ts';
import { innerName, isKeyword } from './names.ts';

const literal = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

const union = (texts: readonly string[]): string => {
  const [none, rest] = [texts.includes('None'), [...new Set(texts)].filter((text) => text !== 'None')];
  return [...rest, ...(none ? ['None'] : [])].join(' | ');
};

/** Writes JSON schemas as types of Python; objects become classes of their own, named after where they stand. */
export class TypeWriter {
  readonly #taken: Set<string>;
  readonly #definitions: string[] = [];

  /** `taken`: names that the contract has, which no inner type may get. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** Returns the definitions added since the last call, and removes them. */
  take(): string[] {
    return this.#definitions.splice(0);
  }

  /** A type that has a name in the contract. */
  define(name: string, schema: Schema): void {
    if (schema.properties !== undefined && pageItem(schema) === null) this.#object(name, schema);
    else this.#definitions.push(this.#alias(name, this.text(schema, name)));
  }

  /** The text of a type; `name` is what an object in it is called. */
  text(schema: Schema, name: string): string {
    const named = nameOf(schema);
    if (named !== null) return named;
    if (schema.const !== undefined)
      return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return enumText(schema.enum);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return this.#branches(branches, name);
    if (Array.isArray(schema.type))
      return union(schema.type.map((type: string) => this.text({ ...schema, type }, name)));
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'array':
        return `List[${this.text(schema.items ?? {}, `${name}Item`)}]`;
      case 'object':
        return this.#objectText(schema, name);
      default:
        return 'Any';
    }
  }

  #branches(branches: readonly Schema[], name: string): string {
    const objects = branches.filter(({ properties }) => properties !== undefined);
    const texts = branches.map((branch) =>
      this.text(branch, objects.length > 1 && branch.properties !== undefined ? variant(name, branch) : name),
    );
    return union(texts);
  }

  #objectText(schema: Schema, name: string): string {
    const { properties, additionalProperties } = schema;
    const page = pageItem(schema);
    if (page !== null) return `Page[${this.text(page, `${name}Item`)}]`;
    if (properties !== undefined) return this.#object(this.#free(name), schema);
    if (typeof additionalProperties !== 'object') return 'dict[str, Any]';
    const value = this.text(additionalProperties, `${name}Value`);
    return `dict[str, ${value}]`;
  }

  #free(name: string): string {
    let free = name;
    for (let count = 2; this.#taken.has(free); count++) free = `${name}${count}`;
    this.#taken.add(free);
    return free;
  }

  #object(name: string, { properties = {}, required = [], description }: Schema): string {
    const members = Object.entries(properties).map(([member, schema]) => {
      const text = this.text(schema, innerName(name, member));
      return [member, required.includes(member) ? text : `NotRequired[${text}]`] as const;
    });
    this.#definitions.push(
      members.some(([member]) => isKeyword(member))
        ? asCall(name, members)
        : asClass(name, members, description),
    );
    return name;
  }

  #alias(name: string, text: string): string {
    return `${name}: TypeAlias = ${JSON.stringify(text)}\n`;
  }
}

type Members = readonly (readonly [string, string])[];

const asClass = (name: string, members: Members, description: string | undefined): string => {
  const note = description === undefined ? [] : [docText(description, 4)];
  const lines = members.map(([member, text]) => `    ${member}: ${text}`);
  return `class ${name}(TypedDict):\n${[...note, ...(lines.length > 0 ? lines : ['    pass'])].join('\n')}\n`;
};

/** A class cannot have members that are keywords. */
const asCall = (name: string, members: Members): string =>
  `${name} = TypedDict(\n    "${name}",\n    {\n${members
    .map(([member, text]) => `        "${member}": ${JSON.stringify(text)},`)
    .join('\n')}\n    },\n)\n`;

function enumText(values: NonNullable<Schema['enum']>): string {
  const others = values.filter((value) => value !== null).map(literal);
  const texts = others.length === 0 ? [] : [`Literal[${others.join(', ')}]`];
  return union([...texts, ...(values.includes(null) ? ['None'] : [])]);
}

/** Branches of a union are told apart by a member that has one value. */
function variant(name: string, { properties = {} }: Schema): string {
  const told = Object.values(properties).find((schema) => typeof schema.const === 'string');
  return told === undefined ? name : innerName(name, String(told.const));
}

/** A docstring that begins `indent` columns from the left. */
export function docText(text: string, indent: number): string {
  const left = ' '.repeat(indent);
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '"\u200b');
  const lines = safe.split('\n').flatMap((paragraph) => wrapped(paragraph, 100 - indent));
  const body = lines.map((line, at) => (at === 0 || line === '' ? line : left + line)).join('\n');
  return lines.length === 1 ? `${left}"""${body}"""` : `${left}"""${body}\n${left}"""`;
}

function wrapped(paragraph: string, columns: number): string[] {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const line = lines[lines.length - 1];
    if (line === '' || line.length + word.length < columns)
      lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
