import { type GatewayTypes, type Schema, isOptional, nameOf } from './document.ts';

const HEAD = `// Generated from docs/openapi.json. \`npx vitest run clients/generate -u\` writes it again.
`;

/** The types of the TypeScript client. */
export function toTypeScript(types: GatewayTypes): string {
  const { events, commands, reads } = types;
  return `${[
    HEAD,
    ...events.map(([type, data]) => `export interface ${nameOf(type)}Data ${objectOf(data, 0)}\n`),
    mapOf('Data of each type of event.', 'EventData', events, 'Data'),
    'export type EventType = keyof EventData;\n',
    'export type PlatformEvent = {',
    `  [T in EventType]: {
    /** Chosen by the platform, 1 to 128 characters. The same in each try. */
    eventId: string;
    type: T;
    /** When it happened, in unix milliseconds. */
    at: number;
    data: EventData[T];
  };`,
    '}[EventType];\n',
    `export interface EventAnswer ${objectOf(types.eventAnswer, 0)}\n`,
    ...commands.map(([type, data]) => `export interface ${nameOf(type)}Command ${objectOf(data, 0)}\n`),
    mapOf('Data of each type of command.', 'CommandData', commands, 'Command'),
    'export type CommandType = keyof CommandData;\n',
    'export type Command = {',
    `  [T in CommandType]: ${withFields(types.commandFields)};`,
    '}[CommandType];\n',
    `export interface Ack ${objectOf(types.ack, 0)}\n`,
    `export interface AckAnswer ${objectOf(types.ackAnswer, 0)}\n`,
    `/** Why a call was refused. */\nexport type GatewayError = ${typeOf(types.errors, 0)};\n`,
    '/** Query and data of each call that reads. */',
    'export interface Reads {',
    ...reads.map(
      ({ path, query, data }) => `  ${keyOf(path)}: { query: ${queryOf(query)}; data: ${typeOf(data, 1)} };`,
    ),
    '}',
  ].join('\n')}\n`;
}

const mapOf = (comment: string, name: string, types: readonly [string, Schema][], suffix: string): string =>
  [
    `/** ${comment} */`,
    `export interface ${name} {`,
    ...types.map(([type]) => `  ${keyOf(type)}: ${nameOf(type)}${suffix};`),
    '}\n',
  ].join('\n');

const withFields = (fields: Schema): string =>
  objectOf(fields, 1).replace(/\}$/, '  type: T;\n    data: CommandData[T];\n  }');

const queryOf = (query: Schema): string =>
  Object.keys(query.properties ?? {}).length === 0 ? 'Record<string, never>' : objectOf(query, 1);

function typeOf(schema: Schema, depth: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, depth)).join(' | ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, depth));
    case 'object':
      return objectOf(schema, depth);
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

const arrayOf = (item: string): string => (item.includes(' | ') && !item.endsWith('}') ? `(${item})[]` : `${item}[]`);

function objectOf(schema: Schema, depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, value]) => {
    const type = typeOf(value, depth + 1);
    const comment = value.description === undefined ? [] : [`${indent}/** ${value.description} */`];
    const declaration = isOptional(schema, field)
      ? `${keyOf(field)}?: ${type} | undefined`
      : `${keyOf(field)}: ${type}`;
    return [...comment, `${indent}${declaration};`];
  });
  return ['{', ...fields, `${'  '.repeat(depth)}}`].join('\n');
}

const keyOf = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : `'${name}'`);
