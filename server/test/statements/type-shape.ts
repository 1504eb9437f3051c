import { type Checker, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';
import { ANY, type Primitive, type Property, type Shape, mergeShapes } from './shape.ts';

/** True if the type is known only where its type parameter is. */
export function isOpen(type: Type): boolean {
  return type.isTypeParameter() || type.isConditionalType() || type.isIndexedAccessType();
}

const PRIMITIVES: readonly (readonly [TypeFlags, Primitive])[] = [
  [TypeFlags.Null, 'null'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.StringLike, 'string'],
];

/** Types below this depth are not read; recursive ones would not end. */
const MAX_DEPTH = 8;

/** Reads which values a type admits. Each question to the checker is a message, so answers are kept. */
export class TypeShapes {
  private readonly known = new Map<number, Shape>();
  private readonly checker: Checker;

  constructor(checker: Checker) {
    this.checker = checker;
  }

  of(type: Type, depth = 0): Shape {
    const known = this.known.get(type.id) ?? this.read(type, depth);
    this.known.set(type.id, known);
    return known;
  }

  private read(type: Type, depth: number): Shape {
    if (type.flags & (TypeFlags.AnyOrUnknown | TypeFlags.TypeParameter) || depth > MAX_DEPTH) return ANY;
    if (type.flags & (TypeFlags.Undefined | TypeFlags.Never | TypeFlags.Void)) return { primitives: [] };
    const primitive = PRIMITIVES.find(([flags]) => type.flags & flags)?.[1];
    if (primitive) return { primitives: [primitive] };
    if (type.isUnionType()) return mergeAll(type.getTypes().map((one) => this.of(one, depth)));
    // A branded primitive is the primitive.
    const base = type.isIntersectionType()
      ? type.getTypes().find((one) => PRIMITIVES.some(([flags]) => one.flags & flags))
      : undefined;
    if (base) return this.of(base, depth);
    if (type.isTypeReference() && (this.checker.isArrayType(type) || this.checker.isTupleType(type))) {
      const elements = this.checker.getTypeArguments(type).map((one) => this.of(one, depth + 1));
      return { primitives: [], elements: mergeAll(elements) };
    }
    return type.getSymbol()?.name === 'Date' ? { primitives: ['Date'] } : this.readObject(type, depth);
  }

  private readObject(type: Type, depth: number): Shape {
    const symbols = this.checker.getPropertiesOfType(type);
    const types = this.checker.getTypeOfSymbol(symbols);
    const properties = symbols.map(({ name, flags }, index): [string, Property] => {
      const own = types[index];
      return [name, { shape: own ? this.of(own, depth + 1) : ANY, optional: (flags & SymbolFlags.Optional) !== 0 }];
    });
    const values = this.checker.getIndexInfosOfType(type).map(({ valueType }) => this.of(valueType, depth + 1));
    return {
      primitives: [],
      ...((properties.length > 0 || values.length === 0) && { properties: Object.fromEntries(properties) }),
      ...(values.length > 0 && { values: mergeAll(values) }),
    };
  }
}

function mergeAll(shapes: readonly Shape[]): Shape {
  return shapes.length === 0 ? { primitives: [] } : shapes.reduce(mergeShapes);
}
