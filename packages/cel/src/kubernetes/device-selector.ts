// The expressions by which claims select devices: they see `device`, and give a bool or what is only known
// when they run, such as an attribute.
import { CompileError, compile } from '../compile.ts';
import type { Environment } from '../environment.ts';
import { bindingsLibrary } from '../ext/comprehensions.ts';
import type { OperandNode, SizeProvider } from '../extension.ts';
import {
  anyType,
  boolType,
  formatType,
  mapType,
  objectTypeOf,
  sameType,
  stringType,
} from '../values/types.ts';
import { kubernetesEnvironment } from './environment.ts';
import { quantityType } from './libraries/quantity.ts';

const MAX_DOMAIN = 63;
const MAX_ID = 32;
const MAX_DRIVER = 63;
const MAX_VALUE = 64;
const MAX_ENTRIES = 32;

const DEVICE = objectTypeOf('kubernetes.DRADevice', {
  driver: stringType,
  allowMultipleAllocations: boolType,
  attributes: mapType(stringType, mapType(stringType, anyType)),
  capacity: mapType(stringType, mapType(stringType, quantityType)),
});

/** The sizes of what is at a path; the names of attributes are not known, but all have the same size. */
const sizes: SizeProvider = { estimateSize: ({ path }) => sizeAt(path) };

function sizeAt(path: OperandNode['path']): { min: number; max: number } | undefined {
  if (path?.[0] !== 'device') return undefined;
  const max = maxAt(path[1], path.slice(2));
  return max === undefined ? undefined : { min: 0, max };
}

function maxAt(field: string | undefined, [outer, inner, ...rest]: readonly string[]): number | undefined {
  if (field === 'driver') return outer === undefined ? MAX_DRIVER : undefined;
  if (field === 'allowMultipleAllocations') return outer === undefined ? 1 : undefined;
  if ((field !== 'attributes' && field !== 'capacity') || rest.length > 0) return undefined;
  if (outer === undefined) return MAX_ENTRIES;
  if (outer === '@keys') return inner === undefined ? MAX_DOMAIN : undefined;
  if (!isElement(outer)) return undefined;
  if (inner === undefined) return MAX_ENTRIES;
  if (inner === '@keys') return MAX_ID;
  if (field === 'attributes') return MAX_VALUE;
  return isElement(inner) ? 0 : undefined;
}

const isElement = (step: string): boolean => step === '@values' || step === '@items';

let environment: Environment | undefined;

/** What is wrong with the expression, in upstream's words, or what it may cost. */
export function compileDeviceSelector(text: string): { readonly error?: string; readonly maxCost: number } {
  environment ??= kubernetesEnvironment().extend({
    libraries: [bindingsLibrary],
    variables: { device: DEVICE },
    sizes,
  });
  try {
    const { type, cost } = compile(text, environment);
    if (sameType(type, boolType) || sameType(type, anyType)) return { maxCost: cost.max };
    return {
      error: `must evaluate to bool or the unknown type, not ${formatType(type)}`,
      maxCost: Number.POSITIVE_INFINITY,
    };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const stage = error.stage === 'program' ? 'program instantiation failed: ' : 'compilation failed: ';
    return { error: stage + error.message, maxCost: Number.POSITIVE_INFINITY };
  }
}
