// Compiles a lens document to a LensSet, or reports everything that is wrong with it.
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { CompiledLensSet, type CompiledStep } from '../compiled-lens-set.ts';
import { LENS_API_VERSION, LENS_KIND, type LensDocument } from '../document.ts';
import { VersionGraph } from '../graph/version-graph.ts';
import { listKeysOf } from '../reader/list-keys.ts';
import { parseOps } from './parse-ops.ts';

/** What is known about the definition of a lens. */
export interface ParseLensOptions {
  /** The versions that the definition has: each must be reachable. */
  readonly versions?: readonly string[];
  /**
   * The schemas of versions: the stash of list items is then matched by the keys that these name, if the
   * author names none.
   */
  readonly schemas?: ReadonlyMap<string, JSONSchemaProps>;
}

/** A compiled lens, or what is invalid in the document. */
export type ParsedLens =
  | { readonly errors: readonly FieldError[]; readonly lens?: undefined }
  | { readonly lens: CompiledLensSet; readonly errors?: undefined };

/** Validates and compiles a lens document. */
export function parseLens(document: LensDocument | JsonValue, options: ParseLensOptions = {}): ParsedLens {
  const errors: FieldError[] = [];
  const value = document as JsonValue;
  if (!isJsonObject(value))
    return { errors: [fieldErrors.typeInvalid(FieldPath.root, value, 'must be an object of kind Lens')] };
  checkType(value, errors);
  const spec = isJsonObject(value['spec']) ? value['spec'] : {};
  const at = FieldPath.of('spec');
  const crd = crdOf(spec, at, errors);
  const steps = stepsOf(spec['lenses'], at.child('lenses'), errors, options);
  if (errors.length === 0) checkRoutes(steps, options.versions ?? [], at.child('lenses'), errors);
  if (errors.length > 0) return { errors };
  return { lens: new CompiledLensSet(lensName(value) ?? crd, crd, steps) };
}

function checkType(document: JsonObject, errors: FieldError[]): void {
  const expect = (field: string, expected: string): void => {
    const actual = Object.hasOwn(document, field) ? document[field]! : '';
    if (actual !== expected) errors.push(fieldErrors.notSupported(field, actual, [expected]));
  };
  expect('apiVersion', LENS_API_VERSION);
  expect('kind', LENS_KIND);
  if (!isJsonObject(document['spec'])) errors.push(fieldErrors.required('spec', 'must hold crd and lenses'));
}

function lensName({ metadata }: JsonObject): string | undefined {
  return isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : undefined;
}

function crdOf(spec: JsonObject, at: FieldPath, errors: FieldError[]): string {
  const { crd } = spec;
  for (const field of Object.keys(spec))
    if (field !== 'crd' && field !== 'lenses')
      errors.push(fieldErrors.notSupported(at, field, ['crd', 'lenses']));
  if (typeof crd === 'string' && /^[a-z0-9-]+\.[a-z0-9.-]+$/.test(crd)) return crd;
  errors.push(
    crd === undefined
      ? fieldErrors.required(at.child('crd'))
      : fieldErrors.invalid(at.child('crd'), crd, 'must be the name of a definition: <plural>.<group>'),
  );
  return '';
}

function stepsOf(
  value: JsonValue | undefined,
  at: FieldPath,
  errors: FieldError[],
  options: ParseLensOptions,
): CompiledStep[] {
  if (!Array.isArray(value) || value.length === 0) {
    errors.push(fieldErrors.required(at, 'must be a list of lenses'));
    return [];
  }
  const steps = value.flatMap((item, index) => stepOf(item, at.index(index), errors, options) ?? []);
  checkPairs(steps, at, errors);
  return steps;
}

function stepOf(
  item: JsonValue,
  at: FieldPath,
  errors: FieldError[],
  { schemas }: ParseLensOptions,
): CompiledStep | undefined {
  if (!isJsonObject(item)) {
    errors.push(fieldErrors.typeInvalid(at, item, 'must be { from, to, ops }'));
    return undefined;
  }
  for (const field of Object.keys(item))
    if (!STEP_FIELDS.includes(field)) errors.push(fieldErrors.notSupported(at, field, STEP_FIELDS));
  const [from, to] = [versionOf(item, 'from', at, errors), versionOf(item, 'to', at, errors)];
  const ops = parseOps(item['ops'], at.child('ops'), {
    errors,
    isTop: true,
    depth: 0,
    listKeys: listKeysOf(schemas?.get(from ?? ''), schemas?.get(to ?? '')),
  });
  if (from === undefined || to === undefined) return undefined;
  if (from !== to) return { from, to, ops };
  errors.push(fieldErrors.invalid(at.child('to'), to, 'must be another version than from'));
  return undefined;
}

const STEP_FIELDS = ['from', 'to', 'ops'];

function versionOf(item: JsonObject, field: string, at: FieldPath, errors: FieldError[]): string | undefined {
  const value = Object.hasOwn(item, field) ? item[field] : undefined;
  if (typeof value === 'string' && /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(value)) return value;
  errors.push(
    value === undefined
      ? fieldErrors.required(at.child(field))
      : fieldErrors.invalid(at.child(field), value, 'must be the name of a version, without its group'),
  );
  return undefined;
}

/** A lens is read both ways, so one from v2 to v1 is a second one for the same pair. */
function checkPairs(steps: readonly CompiledStep[], at: FieldPath, errors: FieldError[]): void {
  const seen = new Map<string, number>();
  steps.forEach(({ from, to }, index) => {
    const pair = [from, to].sort().join(' and ');
    const first = seen.get(pair);
    if (first === undefined) seen.set(pair, index);
    else
      errors.push(
        fieldErrors.invalid(
          at.index(index),
          undefined,
          `${pair} are joined by ${at.index(first)} already; a lens is read in both directions`,
        ),
      );
  });
}

/** Every version must be reachable from the first: a missing route is reported now, not for each object. */
function checkRoutes(
  steps: readonly CompiledStep[],
  versions: readonly string[],
  at: FieldPath,
  errors: FieldError[],
): void {
  const graph = new VersionGraph(steps);
  const [first, ...others] = [...new Set([...graph.versions, ...versions])];
  for (const other of others) {
    if (graph.route(first!, other) === undefined)
      errors.push(fieldErrors.invalid(at, undefined, `there is no route between ${first} and ${other}`));
  }
}
