import { z } from 'zod';
import type { JsonObject, JsonValue } from '#core';
import type { InputParts } from './read-input.ts';

type Members = Readonly<Record<string, JsonValue>>;

/**
 * Builds the JSON Schema of a tool's input: one closed object with the members of `params`, `query` and `body`,
 * references inlined and the alternatives of the body merged. Many model providers accept neither references nor
 * alternatives; the input is still parsed by the exact schemas.
 */
export function inputSchema({ params, query, body }: InputParts): JsonObject {
  const parts = [params, query, body].filter((part) => part !== undefined).map(schemaOf);
  const properties: Record<string, JsonValue> = {};
  const required = new Set<string>();
  for (const part of parts) {
    const alternatives = alternativesOf(part);
    for (const { properties: members } of alternatives)
      for (const [name, schema] of Object.entries(members))
        properties[name] = name in properties ? eitherOf(properties[name], schema) : schema;
    for (const name of alternatives[0].required)
      if (alternatives.every((alternative) => alternative.required.includes(name))) required.add(name);
  }
  return {
    type: 'object',
    properties,
    ...(required.size === 0 ? {} : { required: [...required] }),
    additionalProperties: false,
  };
}

interface Alternative {
  readonly properties: Members;
  readonly required: readonly string[];
}

function alternativesOf(schema: JsonObject): readonly [Alternative, ...Alternative[]] {
  const options = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(options)) {
    const [first, ...others] = options.filter(isObject).map(alternativeOf);
    return [first, ...others];
  }
  return [alternativeOf(schema)];
}

function alternativeOf({ properties, required }: JsonObject): Alternative {
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  };
}

/** Merges two schemas of one member: equal schemas stay, constants become one enumeration, others become alternatives. */
function eitherOf(one: JsonValue, other: JsonValue): JsonValue {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const values = [...valuesOf(one), ...valuesOf(other)];
  return values.length >= 2 ? { type: 'string', enum: values } : { anyOf: [one, other] };
}

function valuesOf(schema: JsonValue): readonly JsonValue[] {
  if (!isObject(schema)) return [];
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : [];
}

function schemaOf(schema: z.ZodType): JsonObject {
  const {
    $schema: _,
    $defs,
    ...root
  } = plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const parts = isObject($defs) ? $defs : {};
  const inlined = inline(root, parts);
  return isObject(inlined) ? inlined : {};
}

const plain = (schema: object): JsonObject => JSON.parse(JSON.stringify(schema));

/** Replaces references by their schemas; a schema that refers to itself becomes any JSON. */
function inline(value: JsonValue, parts: Members, within: readonly string[] = []): JsonValue {
  if (Array.isArray(value)) return value.map((item) => inline(item, parts, within));
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string') {
    const name = value.$ref.replace('#/$defs/', '');
    if (within.includes(name) || name === 'JsonValue' || !(name in parts)) return {};
    const { $ref: _, ...beside } = value;
    const target = inline(parts[name], parts, [...within, name]);
    return isObject(target) ? { ...target, ...beside } : target;
  }
  const members = Object.entries(value).filter(([key]) => key !== 'id' || typeof value.id !== 'string');
  return Object.fromEntries(members.map(([key, member]) => [key, inline(member, parts, within)]));
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
