// The keywords of a schema, one by one: which are allowed, and where. schema.ts checks whether the schema is
// structural, its defaults, and its rules.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import { type JSONSchemaProps, listTypeViolations } from '@instar/schema';
import { TYPES, type ValidationOptions } from './options.ts';
import { validateRuleTexts } from './rule-texts.ts';

interface SchemaContext {
  readonly isRoot: boolean;
  /** In metadata, apiVersion or kind, of the object or of an embedded one. */
  readonly insideMeta: boolean;
  readonly noDefaultsBecause: string | undefined;
}

export interface KeywordFindings {
  readonly errors: FieldError[];
  /** Schemas with errors at or below them. */
  readonly faulty: ReadonlySet<JSONSchemaProps>;
}

export function checkKeywords(
  schema: JSONSchemaProps,
  options: ValidationOptions,
  path: FieldPath,
): KeywordFindings {
  const check = new KeywordCheck(options);
  check.node(schema, path, { isRoot: true, insideMeta: false, noDefaultsBecause: options.noDefaultsBecause });
  return check;
}

class KeywordCheck implements KeywordFindings {
  readonly errors: FieldError[] = [];
  readonly faulty = new Set<JSONSchemaProps>();
  readonly #options: ValidationOptions;

  constructor(options: ValidationOptions) {
    this.#options = options;
  }

  /** Own keywords, then what is below, then extensions: the order of upstream's errors. */
  node(schema: JSONSchemaProps, path: FieldPath, place: SchemaContext): void {
    const before = this.errors.length;
    this.#plainKeywords(schema, path, place);
    this.#additionalProperties(schema, path, place);
    this.#properties(schema, path, place);
    this.#junctors(schema, path, { ...place, isRoot: false });
    this.#items(schema, path, { ...place, isRoot: false });
    this.#extensions(schema, path);
    if (this.errors.length > before) this.faulty.add(schema);
  }

  #plainKeywords(
    schema: JSONSchemaProps,
    path: FieldPath,
    { noDefaultsBecause, insideMeta }: SchemaContext,
  ): void {
    const { type = '' } = schema;
    if (this.#options.requireValidTypes && type !== '' && !TYPES.includes(type)) {
      this.errors.push(fieldErrors.notSupported(path.child('type'), type, TYPES));
    }
    if (schema.default !== undefined && noDefaultsBecause !== undefined) {
      this.errors.push(fieldErrors.forbidden(path.child('default'), `must not be set ${noDefaultsBecause}`));
    }
    for (const keyword of UNSUPPORTED) {
      if (isSet(schema[keyword]))
        this.errors.push(fieldErrors.forbidden(path.child(keyword), `${keyword} is not supported`));
    }
    if (type === 'null') {
      this.errors.push(
        fieldErrors.forbidden(
          path.child('type'),
          'type cannot be set to null, use nullable as an alternative',
        ),
      );
    }
    if (Array.isArray(schema.items) && schema.items.length > 0) {
      this.errors.push(
        fieldErrors.forbidden(path.child('items'), 'items must be a schema object and not an array'),
      );
    }
    if (insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
      this.errors.push(
        fieldErrors.forbidden(
          path.child('x-kubernetes-embedded-resource'),
          'must not be used inside of resource meta',
        ),
      );
    }
    if (schema.uniqueItems === true) {
      const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
      this.errors.push(fieldErrors.forbidden(path.child('uniqueItems'), detail));
    }
  }

  /** Properties are for structs and additionalProperties for maps: both together would contradict pruning. */
  #additionalProperties(
    { additionalProperties, properties = {} }: JSONSchemaProps,
    path: FieldPath,
    place: SchemaContext,
  ): void {
    if (additionalProperties === undefined) return;
    const here = path.child('additionalProperties');
    if (Object.keys(properties).length > 0 && additionalProperties !== true) {
      this.errors.push(
        fieldErrors.forbidden(here, 'additionalProperties and properties are mutual exclusive'),
      );
    }
    if (typeof additionalProperties !== 'object') return;
    const why = place.insideMeta
      ? 'inside additionalProperties applying to object metadata'
      : place.noDefaultsBecause;
    this.node(additionalProperties, here, { ...place, isRoot: false, noDefaultsBecause: why });
  }

  #properties(schema: JSONSchemaProps, path: FieldPath, place: SchemaContext): void {
    const { properties } = schema;
    const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
    const below: SchemaContext = { ...place, isRoot: false };
    for (const name in properties) {
      const entersMeta = isResource && META.includes(name);
      const noDefaultsBecause = entersMeta && place.isRoot ? `in top-level ${name}` : place.noDefaultsBecause;
      const inner = entersMeta ? { isRoot: false, insideMeta: true, noDefaultsBecause } : below;
      this.node(properties[name]!, path.child('properties').key(name), inner);
    }
  }

  #junctors(
    { not, allOf, oneOf, anyOf, definitions }: JSONSchemaProps,
    path: FieldPath,
    below: SchemaContext,
  ): void {
    if (not !== undefined) this.node(not, path.child('not'), below);
    for (const [name, branches] of [
      ['allOf', allOf],
      ['oneOf', oneOf],
      ['anyOf', anyOf],
    ] as const) {
      branches?.forEach((branch, index) => {
        this.node(branch, path.child(name).index(index), below);
      });
    }
    for (const name in definitions) this.node(definitions[name]!, path.child('definitions').key(name), below);
  }

  #items({ items, dependencies }: JSONSchemaProps, path: FieldPath, below: SchemaContext): void {
    if (Array.isArray(items)) {
      items.forEach((item, index) => {
        this.node(item, path.child('items').index(index), below);
      });
    } else if (items !== undefined) this.node(items, path.child('items'), below);
    for (const name in dependencies) {
      const dependency: JSONSchemaProps | string[] | null = dependencies[name]!;
      if (dependency !== null && !Array.isArray(dependency))
        this.node(dependency, path.child('dependencies').key(name), below);
    }
  }

  #extensions(schema: JSONSchemaProps, path: FieldPath): void {
    if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
      this.errors.push(
        fieldErrors.invalid(
          path.child('x-kubernetes-preserve-unknown-fields'),
          false,
          'must be true or undefined',
        ),
      );
    }
    const { requireAtomicSetItems, requireCertainKeys } = this.#options;
    const isList =
      schema['x-kubernetes-list-type'] !== undefined || schema['x-kubernetes-list-map-keys'] !== undefined;
    if (isList || schema['x-kubernetes-map-type'] !== undefined) {
      this.errors.push(...listTypeViolations(schema, path, { requireAtomicSetItems, requireCertainKeys }));
    }
    if (schema['x-kubernetes-validations'] !== undefined)
      this.errors.push(...validateRuleTexts(schema, path));
  }
}

const META: readonly string[] = ['metadata', 'kind', 'apiVersion'];
const UNSUPPORTED = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
] as const;

/** Dependencies and $ref count even if empty. */
function isSet(value: JSONSchemaProps[(typeof UNSUPPORTED)[number]]): boolean {
  return value !== undefined && value !== '';
}
