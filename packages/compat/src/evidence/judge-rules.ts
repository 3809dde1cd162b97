// Decides by values what a changed rule does: the old and the new rules are run on values that the old schema
// accepts, from given objects and generated. All given ones are tried, and first: users ask how many existing
// objects a rule refuses.
import { deepCopy, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import {
  type CompiledSchema,
  compileSchema,
  type JSONSchemaProps,
  type ValidationRule,
} from '@instar/schema';
import { shapeOf } from '../fields/likeness.ts';
import type { NodePair, RuleJudge } from '../walk/node-pair.ts';
import { type Hints, hintsOf } from './hints.ts';
import { Random } from './random.ts';
import { sample } from './sample.ts';

const TRIES = 160;
const MAX_SHOWN = 2;

/** Memoizes: most definitions have the same schema with the same rules in several versions. */
export function memoizingJudge(): RuleJudge {
  const known = new Map<string, ReturnType<RuleJudge>>();
  return (pair, oldRules, newRules) => {
    if (pair.context.given(pair.path).length > 0) return judgeRules(pair, oldRules, newRules);
    const key = JSON.stringify([oldRules, newRules, shapeOf(pair.old), shapeOf(pair.new)]);
    if (!known.has(key)) known.set(key, judgeRules(pair, oldRules, newRules));
    return known.get(key);
  };
}

const judgeRules: RuleJudge = (pair, oldRules, newRules) => {
  const before = ofValue(pair.old, oldRules);
  const [was, is] = [withRules(pair.new, oldRules), withRules(pair.new, newRules)];
  const isTransition = [...oldRules, ...newRules].some(({ rule }) => /\boldSelf\b/.test(rule));
  const refused: string[] = [];
  const admitted: string[] = [];
  const given = { tried: 0, refused: 0 };
  let tried = 0;
  for (const value of isTransition ? [] : pair.context.given(pair.path)) {
    if (before.validate({ value }).length > 0 || accepts(was, value, undefined) !== true) continue;
    given.tried++;
    if (accepts(is, value, undefined) !== false) continue;
    given.refused++;
    if (refused.length < MAX_SHOWN) refused.push(shown(value, undefined));
  }
  for (const [value, previous] of candidates(pair, [...oldRules, ...newRules], before, isTransition)) {
    const [byOld, byNew] = [accepts(was, value, previous), accepts(is, value, previous)];
    if (byNew === undefined || byOld === undefined) return undefined;
    tried++;
    if (byOld && !byNew && refused.length < MAX_SHOWN) refused.push(shown(value, previous));
    if (!byOld && byNew && admitted.length < MAX_SHOWN) admitted.push(shown(value, previous));
    // One value proves that a rule is stronger; whether it is weaker too matters only for a changed rule.
    if (refused.length > 0 && (oldRules.length === 0 || admitted.length > 0)) break;
  }
  return tried + given.tried === 0 ? undefined : { tried, refused, admitted, given };
};

/** The value that is written and, for transition rules, the one that it replaces. */
type Candidate = readonly [value: JsonValue, previous: JsonValue | undefined];

function* candidates(
  pair: NodePair,
  rules: readonly ValidationRule[],
  before: CompiledSchema,
  isTransition: boolean,
): Generator<Candidate> {
  const random = new Random(pair.path);
  const hints = hintsOf(rules.map(({ rule }) => rule));
  // A value that the old rules refuse shows whether the new ones accept it.
  let last: JsonValue | undefined;
  for (let i = 0; i < TRIES; i++) {
    const value = validSample(pair.old, before, random, hints, i);
    if (value === undefined) continue;
    if (!isTransition) yield [value, undefined];
    else if (last !== undefined) {
      yield [value, last];
      // Rules about changes are mostly about one field: the others must stay as they are.
      const changed = withOneChange(last, value, random);
      if (changed !== undefined && before.validate({ value: changed }).length === 0) yield [changed, last];
    }
    last = value;
  }
}

/** The one object, but for one field, which is as in the other. */
function withOneChange(one: JsonValue, other: JsonValue, random: Random): JsonValue | undefined {
  if (!isJsonObject(one) || !isJsonObject(other)) return undefined;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  if (names.length === 0) return undefined;
  const name = random.pick(names);
  const { [name]: _, ...rest } = deepCopy(one);
  return other[name] === undefined ? rest : { ...rest, [name]: deepCopy(other[name]) };
}

function validSample(
  schema: JSONSchemaProps,
  compiled: CompiledSchema,
  random: Random,
  hints: Hints,
  round: number,
): JsonValue | undefined {
  const object: JsonObject = { value: sample(schema, random, { richness: (round % 4) / 3, hints }) };
  compiled.applyDefaults(object);
  return compiled.validate(object).length === 0 ? object['value'] : undefined;
}

/** A validator of the old value, without the rules in question. */
function ofValue(schema: JSONSchemaProps, inQuestion: readonly ValidationRule[]): CompiledSchema {
  const rules = (schema['x-kubernetes-validations'] ?? []).filter(
    (rule) => !inQuestion.includes(rule) && !/\boldSelf\b/.test(rule.rule),
  );
  return compileSchema(
    { type: 'object', properties: { value: { ...schema, 'x-kubernetes-validations': rules } } },
    { resourceRoot: false },
  );
}

/** A validator of these rules alone, over the types of the schema. */
function withRules(schema: JSONSchemaProps, rules: readonly ValidationRule[]): CompiledSchema {
  return compileSchema(
    { type: 'object', properties: { value: { ...bare(schema), 'x-kubernetes-validations': [...rules] } } },
    { resourceRoot: false },
  );
}

/** Only what gives rules their types: other constraints were checked before. */
function bare(schema: JSONSchemaProps): JSONSchemaProps {
  const { properties, items, additionalProperties } = schema;
  const kept: JSONSchemaProps = {};
  for (const key of TYPES) if (schema[key] !== undefined) Object.assign(kept, { [key]: schema[key] });
  if (properties !== undefined)
    kept.properties = Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [name, bare(child)]),
    );
  if (items !== undefined && !Array.isArray(items)) kept.items = bare(items);
  if (typeof additionalProperties === 'object') kept.additionalProperties = bare(additionalProperties);
  else if (additionalProperties !== undefined) kept.additionalProperties = additionalProperties;
  return kept;
}

const TYPES = [
  'default',
  'type',
  'format',
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
] as const;

/** Undefined: the rule cannot be run. */
function accepts(
  schema: CompiledSchema,
  value: JsonValue,
  previous: JsonValue | undefined,
): boolean | undefined {
  const old = previous === undefined ? {} : { old: { value: previous }, ratchet: false };
  const object: JsonObject = { value: deepCopy(value) };
  schema.applyDefaults(object);
  const errors = schema.validate(object, old);
  const isBroken = errors.some(({ detail }) => /compil|undeclared reference|cost budget/i.test(detail));
  return isBroken ? undefined : errors.length === 0;
}

function shown(value: JsonValue, previous: JsonValue | undefined): string {
  const text = (one: JsonValue): string => {
    const json = JSON.stringify(one, (_, member) =>
      typeof member === 'bigint' ? member.toString() : member,
    );
    return json.length > 160 ? `${json.slice(0, 157)}…` : json;
  };
  return previous === undefined ? text(value) : `changing ${text(previous)} to ${text(value)}`;
}
