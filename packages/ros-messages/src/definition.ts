import { RosError } from './errors.ts';
import { type Field, type FieldType, type NumberType, plainTypeName, type StructType } from './type-tree.ts';

export type RosGeneration = 'ros1' | 'ros2';

/** Limits against definitions made to exhaust memory: a struct used ten times in a struct used ten times … */
const maxText = 1024 * 1024;
const maxFields = 20_000;
const maxDepth = 32;

const header: Record<RosGeneration, string> = {
  ros1: 'uint32 seq\ntime stamp\nstring frame_id',
  ros2: 'time stamp\nstring frame_id',
};

const common: Record<string, FieldType> = {
  bool: { kind: 'number', type: 'bool' },
  int8: { kind: 'number', type: 'int8' },
  uint8: { kind: 'number', type: 'uint8' },
  int16: { kind: 'number', type: 'int16' },
  uint16: { kind: 'number', type: 'uint16' },
  int32: { kind: 'number', type: 'int32' },
  uint32: { kind: 'number', type: 'uint32' },
  int64: { kind: 'number', type: 'int64' },
  uint64: { kind: 'number', type: 'uint64' },
  float32: { kind: 'number', type: 'float32' },
  float64: { kind: 'number', type: 'float64' },
  char: { kind: 'number', type: 'uint8' },
  string: { kind: 'string' },
  wstring: { kind: 'wstring' },
  time: { kind: 'time' },
  duration: { kind: 'duration' },
  'builtin_interfaces/Time': { kind: 'time' },
  'builtin_interfaces/Duration': { kind: 'duration' },
};

/** ROS 1 took `byte` for a signed number, ROS 2 for an unsigned one. */
const byte: Record<RosGeneration, NumberType> = { ros1: 'int8', ros2: 'uint8' };

/**
 * Reads a concatenated .msg definition (the root first, then `====` and `MSG: package/Type` before each type it uses)
 * into a tree. Throws `bad_definition` naming the line or the type that is missing.
 */
export function parseRosMsg(text: string, rootName: string, generation: RosGeneration): StructType {
  if (text.length > maxText) throw refused(rootName, `longer than ${maxText} characters`);
  const sections = splitSections(text, plainTypeName(rootName));
  return new Resolver(sections, generation).struct(plainTypeName(rootName), 0);
}

function splitSections(text: string, rootName: string): Map<string, string> {
  const sections = new Map<string, string>();
  let name = rootName;
  let lines: string[] = [];
  const close = (): void => {
    if (!sections.has(name)) sections.set(name, lines.join('\n'));
  };
  for (const line of text.split('\n')) {
    if (/^={3,}\s*$/.test(line)) continue;
    const opened = /^(?:MSG|SRV):\s*(\S+)\s*$/.exec(line);
    if (opened === null) lines.push(line);
    else {
      close();
      name = plainTypeName(opened[1]);
      lines = [];
    }
  }
  close();
  return sections;
}

class Resolver {
  readonly #sections: Map<string, string>;
  readonly #generation: RosGeneration;
  readonly #made = new Map<string, StructType>();
  #fields = 0;

  constructor(sections: Map<string, string>, generation: RosGeneration) {
    this.#sections = sections;
    this.#generation = generation;
    for (const name of ['std_msgs/Header', 'roslib/Header']) {
      if (!sections.has(name)) sections.set(name, header[generation]);
    }
  }

  struct(name: string, depth: number): StructType {
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    const text = this.#sections.get(name);
    if (text === undefined) throw refused(name, 'the definition of this type is missing');
    if (depth > maxDepth) throw refused(name, `nested deeper than ${maxDepth} levels, or recursive`);
    const fields: Field[] = [];
    for (const line of text.split('\n')) {
      const field = this.#field(line, name, depth);
      if (field !== null) fields.push(field);
    }
    const struct: StructType = { kind: 'struct', name, fields };
    this.#made.set(name, struct);
    return struct;
  }

  #field(line: string, inside: string, depth: number): Field | null {
    const bare = line.replace(/#.*$/, '').trim();
    if (bare === '') return null;
    if (/^-{3}/.test(bare))
      throw refused(inside, 'this is the definition of a service or action, not of a message');
    const match = /^([\w/]+)(?:<=\d+)?(\[(?:<=)?(\d*)\])?\s+(\w+)\s*(.*)$/.exec(bare);
    if (match === null) throw refused(inside, `invalid field: ${bare.slice(0, 80)}`);
    const [, typeName, brackets, length, name, rest] = match;
    if (rest.startsWith('=')) return null;
    if (++this.#fields > maxFields) throw refused(inside, `more than ${maxFields} fields`);
    const element = this.#type(typeName, inside, depth);
    if (brackets === undefined) return { name, type: element };
    const fixed = length !== '' && !brackets.startsWith('[<=');
    return { name, type: { kind: 'array', of: element, length: fixed ? Number(length) : null } };
  }

  #type(name: string, inside: string, depth: number): FieldType {
    if (name === 'byte') return { kind: 'number', type: byte[this.#generation] };
    const plain = plainTypeName(name);
    if (Object.hasOwn(common, plain)) return common[plain];
    return this.struct(this.#resolve(plain, inside), depth + 1);
  }

  /** `Header`, a type of the same package, a full name, or the only listed type of that last name. */
  #resolve(name: string, inside: string): string {
    if (this.#sections.has(name)) return name;
    if (name === 'Header') return 'std_msgs/Header';
    const sibling = `${inside.slice(0, inside.lastIndexOf('/'))}/${name}`;
    if (this.#sections.has(sibling)) return sibling;
    const last = [...this.#sections.keys()].filter((key) => key.endsWith(`/${name}`));
    return last.length === 1 ? last[0] : name;
  }
}

function refused(type: string, why: string): RosError {
  return new RosError('bad_definition', `message definition of ${type}: ${why}`, type);
}
