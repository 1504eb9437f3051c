import type { TSchema } from '@sinclair/typebox';

/** Values of fields by name; of other fields the schema gives one. */
const byName: Readonly<Record<string, unknown>> = {
  account: 'alice',
  toAccount: 'bob',
  market: 'USDT',
  network: 'TRC20',
  address: 'T-address',
  ip: '198.51.100.7',
  country: 'SG',
  name: 'Alice Example',
  idNumber: 'E1234567',
  front: 'front.png',
  back: 'back.png',
  text: 'Hello',
  at: 1_700_000_000_000,
  reviewedAt: 1_700_000_000_000,
  lease: '01234567-89ab-4cde-8f01-23456789abcd',
};

/** A value that the schema accepts, with all required and no optional fields. */
export function sampleOf(schema: TSchema, field = ''): unknown {
  if (Object.hasOwn(byName, field)) return byName[field];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['anyOf'])) return sampleOf((schema['anyOf'] as TSchema[])[0] as TSchema, field);
  switch (schema['type']) {
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Record<string, TSchema>;
      const required = new Set<string>((schema['required'] as string[] | undefined) ?? []);
      const entries = Object.entries(properties).filter(([name]) => required.has(name));
      return Object.fromEntries(entries.map(([name, property]) => [name, sampleOf(property, name)]));
    }
    case 'array':
      return [sampleOf(schema['items'] as TSchema)];
    case 'integer':
      return Math.max(Number(schema['minimum'] ?? 0), 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      // Amounts are the only texts that a number matches and a word does not.
      return new RegExp(String(schema['pattern'] ?? '')).test('X-1') ? 'X-1' : '1';
  }
}
