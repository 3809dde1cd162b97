// Valid objects of a schema as a fast-check arbitrary. Objects shrink by their value, not by how they were
// generated, so that a user's samples shrink as well; every smaller one is valid too.
import { asKubeObject, type JsonObject, type KubeObject } from '@instar/machinery';
import { type CompiledSchema, compileSchema, type JSONSchemaProps } from '@instar/schema';
import { Arbitrary, type Random, Stream, Value } from 'fast-check';
import { Dice } from './dice.ts';
import { metadataFor } from './metadata.ts';
import { describeErrors, faultsOf, repair } from './repair.ts';
import { smaller } from './shrink.ts';
import { ValueMaker } from './values.ts';

/** How much beyond the required fields an object has. */
export type ObjectSize = 'required' | 'small' | 'medium' | 'large' | 'mixed';

/** Which objects are generated. */
export interface ObjectOptions {
  readonly apiVersion: string;
  readonly kind: string;
  /** Objects have a namespace unless this is false. */
  readonly namespaced?: boolean;
  /** Mixed by default. */
  readonly size?: ObjectSize;
  /** False: objects before the server applied defaults. */
  readonly defaults?: boolean;
}

/** How many objects were generated, and what was left out. */
export interface GenerationStatistics {
  /** Objects asked for. */
  readonly objects: number;
  /** Attempts that had to be discarded. */
  readonly rejected: number;
  /** What could not be satisfied, so that a part of an object was left out, and how often. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** A schema for which no valid object could be generated. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
}

const BUDGETS: Readonly<Record<Exclude<ObjectSize, 'mixed'>, number>> = {
  required: 0,
  small: 6,
  medium: 20,
  large: 60,
};
const ATTEMPTS = 8;
const ROUNDS = 90;

/** Generates valid objects of a schema, for fast-check. */
export function arbitraryOf(
  schema: CompiledSchema | JSONSchemaProps,
  options: ObjectOptions,
): ObjectArbitrary {
  return new ObjectArbitrary(
    'validate' in schema && typeof schema.validate === 'function'
      ? schema
      : compileSchema(schema as JSONSchemaProps),
    options,
  );
}

/** Objects with required fields only. */
export const requiredOnly = (
  schema: CompiledSchema | JSONSchemaProps,
  options: ObjectOptions,
): ObjectArbitrary => arbitraryOf(schema, { ...options, size: 'required' });

/** Valid objects of a schema, as an arbitrary of fast-check. */
export class ObjectArbitrary extends Arbitrary<KubeObject> {
  readonly #schema: CompiledSchema;
  readonly #options: ObjectOptions;
  readonly #leftOut = new Map<string, number>();
  #objects = 0;
  #rejected = 0;

  constructor(schema: CompiledSchema, options: ObjectOptions) {
    super();
    this.#schema = schema;
    this.#options = options;
  }

  get statistics(): GenerationStatistics {
    return { objects: this.#objects, rejected: this.#rejected, leftOut: this.#leftOut };
  }

  /** Throws a GenerationError if no attempt yields a valid object. */
  override generate(random: Random): Value<KubeObject> {
    const dice = new Dice(random);
    this.#objects++;
    let budget = this.#budget(dice);
    let problem = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++, budget = Math.floor(budget / 2)) {
      const { object, errors } = this.#attempt(dice, budget);
      if (errors.length === 0) return new Value(asKubeObject(object), undefined);
      this.#rejected++;
      problem = describeErrors(errors);
    }
    throw new GenerationError(
      `no valid ${this.#options.kind} of ${this.#options.apiVersion} could be made: ${problem}`,
    );
  }

  override canShrinkWithoutContext(value: unknown): value is KubeObject {
    return typeof value === 'object' && value !== null;
  }

  override shrink(value: KubeObject): Stream<Value<KubeObject>> {
    const isValid = (object: JsonObject): boolean => {
      this.#settle(object);
      return faultsOf(object, this.#schema).length === 0;
    };
    const candidates = smaller(value as unknown as JsonObject, this.#schema.source, isValid);
    return new Stream(candidates).map((object) => new Value(asKubeObject(object), undefined));
  }

  #attempt(dice: Dice, budget: number): { object: JsonObject; errors: ReturnType<typeof repair> } {
    const { source } = this.#schema;
    const { apiVersion, kind, namespaced = true } = this.#options;
    const maker = new ValueMaker(dice, budget);
    const metadata = metadataFor(dice, { namespaced, schema: source.properties?.['metadata'] }, budget > 0);
    const body = maker.value(bodyOf(source, budget > 0, dice)) as JsonObject;
    const object: JsonObject = { apiVersion, kind, metadata, ...body };
    maker.budget = 0;
    const errors = repair(object, this.#schema, maker, {
      rounds: ROUNDS,
      settle: (one) => this.#settle(one),
      leftOut: (what) => this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1),
    });
    return { object, errors };
  }

  #settle(object: JsonObject): void {
    this.#schema.prune(object);
    if (this.#options.defaults !== false) this.#schema.applyDefaults(object);
  }

  #budget(dice: Dice): number {
    const { size = 'mixed' } = this.#options;
    if (size !== 'mixed') return BUDGETS[size];
    const lot = dice.int(0, 9);
    return lot === 0 ? BUDGETS.required : lot < 4 ? BUDGETS.small : lot < 8 ? BUDGETS.medium : BUDGETS.large;
  }
}

/** The schema without what is generated elsewhere; a rich object nearly always has a spec. */
function bodyOf(source: JSONSchemaProps, isRich: boolean, dice: Dice): JSONSchemaProps {
  const {
    apiVersion: _apiVersion,
    kind: _kind,
    metadata: _metadata,
    ...properties
  } = source.properties ?? {};
  const { 'x-kubernetes-embedded-resource': _embedded, ...rest } = source;
  const likely = isRich
    ? [
        ...('spec' in properties ? ['spec'] : []),
        ...('status' in properties && dice.chance(40) ? ['status'] : []),
      ]
    : [];
  const required = [...new Set([...(source.required ?? []), ...likely])].filter((name) =>
    Object.hasOwn(properties, name),
  );
  return { ...rest, type: 'object', properties, required };
}
