import { EVENT_TYPES } from '@hengtai/contract/gateway/gateway';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import type { TSchema } from '@sinclair/typebox';
import { sampleOf } from './gateway-samples.ts';

/** The parts of the OpenAPI document that the collection is made of. */
export interface OpenApiDocument {
  info: { title: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
}

interface OpenApiOperation {
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: TSchema }[];
  requestBody?: { content: { 'application/json': { schema: TSchema } } };
}

/** Signs each request with the variables `key` and `secret`. */
const SIGN = [
  "const crypto = require('crypto-js');",
  'const time = String(Date.now());',
  'const url = pm.variables.replaceIn(pm.request.url.toString());',
  "const path = url.replace(/^[a-z]+:\\/\\/[^/]+/i, '');",
  "const body = pm.request.body ? pm.variables.replaceIn(pm.request.body.raw || '') : '';",
  "const text = [time, pm.request.method, path, body].join('\\n');",
  "const signature = crypto.HmacSHA256(text, pm.variables.get('secret')).toString();",
  "pm.request.headers.upsert({ key: 'x-key', value: pm.variables.get('key') });",
  "pm.request.headers.upsert({ key: 'x-time', value: time });",
  "pm.request.headers.upsert({ key: 'x-signature', value: signature });",
];

/** A collection for Postman (format 2.1, which Bruno imports as well) with one request for each call and type of event. */
export function toPostmanCollection(document: OpenApiDocument): object {
  const base = document.servers[0]?.url ?? '';
  const requests = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => toRequest(method, `${base}${path}`, operation)),
  );
  const events = EVENT_TYPES.map((type) => toEventRequest(type, `${base}/events`));
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'url', value: 'http://127.0.0.1:8080' },
      { key: 'key', value: '' },
      { key: 'secret', value: '' },
    ],
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: SIGN } }],
    item: [
      { name: 'Calls', item: requests.filter(({ name }) => !name.startsWith('POST /platform/v1/events')) },
      { name: 'Events', item: events },
    ],
  };
}

function toRequest(method: string, path: string, { summary, parameters = [], requestBody }: OpenApiOperation) {
  const valueOf = (one: (typeof parameters)[number]) => encodeURIComponent(String(sampleOf(one.schema, one.name)));
  const query = parameters.filter((one) => one.required && one.in === 'query');
  const search = query.map((one) => `${one.name}=${valueOf(one)}`);
  const name = `${method.toUpperCase()} ${path}`;
  const inPath = parameters.filter((one) => one.in === 'path');
  const sample = inPath.reduce((text, one) => text.replace(`{${one.name}}`, valueOf(one)), path);
  const raw = `{{url}}${sample}${search.length > 0 ? `?${search.join('&')}` : ''}`;
  const body = requestBody && sampleOf(requestBody.content['application/json'].schema);
  return { name, request: { method: method.toUpperCase(), description: summary, url: raw, ...toBody(body) } };
}

function toEventRequest(type: (typeof EVENT_TYPES)[number], path: string) {
  const event = { eventId: '{{$guid}}', type, at: '{{$timestamp}}000', data: sampleOf(eventData[type]) };
  // The time is a number, so its variable has no quotes.
  const raw = JSON.stringify([event], null, 2).replace(/"(\{\{\$timestamp\}\}000)"/, '$1');
  return { name: type, request: { method: 'POST', url: `{{url}}${path}`, ...toBody(raw) } };
}

function toBody(body: unknown) {
  if (body === undefined) return {};
  const raw = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return {
    header: [{ key: 'content-type', value: 'application/json' }],
    body: { mode: 'raw', raw, options: { raw: { language: 'json' } } },
  };
}
