/** What a value is: the primitives it may be, and what its elements and properties are if it is an array or an object. */
export interface Shape {
  /** Anything is allowed, or nothing is known. */
  any?: true;
  primitives: Primitive[];
  elements?: Shape;
  properties?: Record<string, Property>;
  /** An object whose property names are not declared. */
  values?: Shape;
}

export interface Property {
  shape: Shape;
  /** The property is missing in some of the objects. */
  optional: boolean;
}

export type Primitive = 'null' | 'boolean' | 'number' | 'string' | 'Date';

export const ANY: Shape = { any: true, primitives: [] };

/** The shape that admits what `a` and what `b` admit. */
export function mergeShapes(a: Shape, b: Shape): Shape {
  if (a.any || b.any) return ANY;
  const primitives = [...new Set([...a.primitives, ...b.primitives])].toSorted();
  const elements = a.elements && b.elements ? mergeShapes(a.elements, b.elements) : (a.elements ?? b.elements);
  const values = a.values && b.values ? mergeShapes(a.values, b.values) : (a.values ?? b.values);
  const properties =
    a.properties && b.properties ? mergeProperties(a.properties, b.properties) : (a.properties ?? b.properties);
  return { primitives, ...(elements && { elements }), ...(values && { values }), ...(properties && { properties }) };
}

function mergeProperties(a: Record<string, Property>, b: Record<string, Property>): Record<string, Property> {
  const merged: Record<string, Property> = {};
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [left, right] = [a[name], b[name]];
    merged[name] =
      left && right
        ? { shape: mergeShapes(left.shape, right.shape), optional: left.optional || right.optional }
        : { shape: (left ?? right)?.shape ?? ANY, optional: true };
  }
  return merged;
}

/** Objects with more properties are taken for maps, whose names are data. */
const MAX_PROPERTIES = 60;

export function shapeOfValue(value: unknown): Shape {
  if (value === null || value === undefined) return { primitives: ['null'] };
  if (value instanceof Date) return { primitives: ['Date'] };
  if (Array.isArray(value)) return { primitives: [], elements: mergeAll(value.map((one) => shapeOfValue(one))) };
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([name, one]): [string, Shape] => [name, shapeOfValue(one)]);
    if (entries.length > MAX_PROPERTIES) return { primitives: [], values: mergeAll(entries.map(([, shape]) => shape)) };
    const properties = entries.map(([name, shape]): [string, Property] => [name, { shape, optional: false }]);
    return { primitives: [], properties: Object.fromEntries(properties) };
  }
  const kind = typeof value;
  return kind === 'boolean' || kind === 'number' || kind === 'string' ? { primitives: [kind] } : ANY;
}

function mergeAll(shapes: readonly Shape[]): Shape {
  return shapes.reduce(mergeShapes, { primitives: [] });
}

/** Where the observed shape is not admitted by the declared one: one line each, with the path of the value. */
export function compareShapes(declared: Shape, observed: Shape, path: string): string[] {
  if (declared.any || observed.any) return [];
  const found = observed.primitives
    .filter((primitive) => !declared.primitives.includes(primitive))
    .map((primitive) => `${path} is ${primitive}, declared ${describeShape(declared)}`);
  if (observed.elements) {
    if (declared.elements) found.push(...compareShapes(declared.elements, observed.elements, `${path}[]`));
    else found.push(`${path} is an array, declared ${describeShape(declared)}`);
  }
  if (observed.properties) {
    if (declared.properties) found.push(...compareProperties(declared, observed.properties, path));
    else if (declared.values) found.push(...compareValues(declared.values, observed.properties, path));
    else found.push(`${path} is an object, declared ${describeShape(declared)}`);
  }
  if (observed.values) {
    if (declared.values) found.push(...compareShapes(declared.values, observed.values, `${path}.*`));
    else found.push(`${path} is a map, declared ${describeShape(declared)}`);
  }
  return found;
}

function compareProperties(declared: Shape, observed: Record<string, Property>, path: string): string[] {
  const properties = declared.properties ?? {};
  const prefix = path === '' ? '' : `${path}.`;
  const surplus = Object.keys(observed).filter((name) => !properties[name]);
  const missing = Object.entries(properties).filter(
    ([name, { optional }]) => !optional && (observed[name]?.optional ?? true),
  );
  return [
    ...(declared.values ? [] : surplus.map((name) => `${prefix}${name} is returned but not declared`)),
    ...missing.map(([name]) => `${prefix}${name} is declared but not returned`),
    ...Object.entries(observed).flatMap(([name, { shape }]) =>
      compareShapes(properties[name]?.shape ?? declared.values ?? ANY, shape, `${prefix}${name}`),
    ),
  ];
}

function compareValues(declared: Shape, observed: Record<string, Property>, path: string): string[] {
  return Object.entries(observed).flatMap(([name, { shape }]) => compareShapes(declared, shape, `${path}.${name}`));
}

function describeShape({ any, primitives, elements, properties, values }: Shape): string {
  const kinds = [...primitives, ...(elements ? ['array'] : []), ...(properties || values ? ['object'] : [])];
  return any ? 'any' : kinds.join(' | ') || 'never';
}
