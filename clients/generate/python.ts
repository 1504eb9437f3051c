import { type GatewayTypes, type Schema, isOptional, nameOf } from './document.ts';

const HEAD = `"""Types of events and commands.

Generated from docs/openapi.json. \`npx vitest run clients/generate -u\` writes it again.
"""

`;

/** The types of the Python client. Optional fields are in a class without totality, because Python 3.9 has no NotRequired. */
export function toPython(types: GatewayTypes): string {
  const { events, commands } = types;
  const classes: string[] = [];
  for (const [type, data] of events) {
    addClass(classes, `${nameOf(type)}Data`, data);
    addClass(classes, `${nameOf(type)}Event`, around(type, `${nameOf(type)}Data`, EVENT_FIELDS));
  }
  addClass(classes, 'EventAnswer', types.eventAnswer);
  for (const [type, data] of commands) {
    addClass(classes, `${nameOf(type)}CommandData`, data);
    addClass(classes, `${nameOf(type)}Command`, around(type, `${nameOf(type)}CommandData`, types.commandFields));
  }
  addClass(classes, 'Ack', types.ack);
  addClass(classes, 'AckAnswer', types.ackAnswer);
  const text = [
    ...classes,
    unionOf('PlatformEvent', events, 'Event'),
    unionOf('Command', commands, 'Command'),
    `GatewayError = ${literalOf(types.errors.anyOf ?? [])}\n`,
  ].join('\n');
  const used = ['Any', 'List', 'Literal', 'Optional', 'TypedDict', 'Union'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text),
  );
  return `${HEAD}from typing import ${used.join(', ')}\n\n${text}`;
}

const EVENT_FIELDS: Schema = {
  properties: { eventId: { type: 'string' }, at: { type: 'integer' } },
  required: ['eventId', 'at'],
};

/** The fields of an event or a command around its data, which has a class of its own. */
const around = (type: string, dataClass: string, { properties, required = [] }: Schema): Schema => ({
  properties: { ...properties, type: { const: type }, data: { $ref: dataClass } },
  required: [...required, 'type', 'data'],
});

const unionOf = (name: string, types: readonly [string, Schema][], suffix: string): string =>
  `${name} = Union[\n${types.map(([type]) => `    ${nameOf(type)}${suffix},`).join('\n')}\n]\n`;

/** Adds a class for an object, after the classes of its nested objects. */
function addClass(classes: string[], name: string, schema: Schema): void {
  const fields = Object.entries(schema.properties ?? {}).map(([field, value]) => {
    const comment = value.description === undefined ? '' : `  # ${value.description}`;
    const type = typeOf(classes, `${name}${field[0]?.toUpperCase() ?? ''}${field.slice(1)}`, value);
    return { field, type, comment };
  });
  const [required, optional] = [false, true].map((isWanted) =>
    fields.filter(({ field }) => isOptional(schema, field) === isWanted),
  ) as [Field[], Field[]];
  if (optional.length === 0) classes.push(requiredClass(name, required));
  else {
    classes.push(requiredClass(`_${name}Required`, required));
    classes.push(classOf(`${name}(_${name}Required, total=False)`, optional));
  }
}

interface Field {
  field: string;
  type: string;
  /** With the spaces before it; empty without one. */
  comment: string;
}

const classOf = (head: string, fields: readonly Field[]): string =>
  `\nclass ${head}:\n${fields.map(({ field, type, comment }) => `    ${field}: ${type}${comment}`).join('\n')}\n`;

/** Words of Python that fields have as well. A class cannot declare them. */
const RESERVED: ReadonlySet<string> = new Set(['from', 'in', 'is', 'class', 'global', 'import', 'pass', 'return']);

function requiredClass(name: string, fields: readonly Field[]): string {
  if (!fields.some(({ field }) => RESERVED.has(field))) return classOf(`${name}(TypedDict)`, fields);
  const lines = fields.map(({ field, type, comment }) => `        "${field}": ${type},${comment}`);
  return `\n${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)\n`;
}

function typeOf(classes: string[], name: string, schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`;
  if (schema.anyOf) return alternativesOf(classes, name, schema.anyOf);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'int';
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'array':
      return `List[${typeOf(classes, name, schema.items ?? {})}]`;
    case 'object':
      addClass(classes, name, schema);
      return name;
    default:
      return 'Any';
  }
}

function alternativesOf(classes: string[], name: string, options: readonly Schema[]): string {
  if (options.every((option) => option.const !== undefined)) return literalOf(options);
  const values = options.filter(({ type }) => type !== 'null').map((option) => typeOf(classes, name, option));
  const union = values.length === 1 ? values[0] : `Union[${values.join(', ')}]`;
  return values.length < options.length ? `Optional[${union}]` : `${union}`;
}

const literalOf = (options: readonly Schema[]): string =>
  `Literal[${options.map(({ const: value }) => JSON.stringify(value)).join(', ')}]`;
