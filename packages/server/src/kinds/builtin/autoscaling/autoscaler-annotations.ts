// What autoscaling/v1 has no fields for is kept in annotations there, and only there.
import { type GoType, goStruct, listOf, type StructType, struct } from '@instar/kinds';
import { isJsonObject, type JsonObject, type JsonValue, type ObjectMeta } from '@instar/machinery';
import { typedDecoder } from '../../typed/decode.ts';
import type { Autoscaler, ScalingRules } from '../../validate/autoscaling/autoscaler-types.ts';
import { goText } from '../../validate/go-text.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
export const METRICS = `${PREFIX}metrics`;
export const CURRENT_METRICS = `${PREFIX}current-metrics`;
export const CONDITIONS = `${PREFIX}conditions`;
export const BEHAVIOR = `${PREFIX}behavior`;
const OWN: readonly string[] = [
  METRICS,
  CURRENT_METRICS,
  CONDITIONS,
  BEHAVIOR,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
];

/** Conversions write them; what clients write is read by the conversion from v1, and dropped. */
export function dropOwnAnnotations(metadata: ObjectMeta): void {
  const { annotations } = metadata;
  if (annotations === undefined || !OWN.some((name) => Object.hasOwn(annotations, name))) return;
  const kept = Object.entries(annotations).filter(([name]) => !OWN.includes(name));
  if (kept.length === 0) delete metadata.annotations;
  else metadata.annotations = Object.fromEntries(kept);
}

/** Those that a conversion there and back would not keep. */
export function dropUselessAnnotations(metadata: ObjectMeta): void {
  const isUseful = (name: string): boolean =>
    name === BEHAVIOR
      ? readBehavior(metadata) !== undefined
      : Object.hasOwn(decoders, name) && (readList(metadata, name as keyof typeof decoders) ?? []).length > 0;
  const useless = OWN.filter((name) => Object.hasOwn(metadata.annotations ?? {}, name) && !isUseful(name));
  if (useless.length > 0) keepAnnotations(metadata, {}, useless);
}

/** Takes over these annotations from the old object, in which they may be missing. */
export function keepAnnotations(metadata: ObjectMeta, old: ObjectMeta, names: readonly string[]): void {
  const { annotations: before = {} } = old;
  const others = Object.entries(metadata.annotations ?? {}).filter(([name]) => !names.includes(name));
  const kept = names
    .filter((name) => Object.hasOwn(before, name))
    .map((name) => [name, before[name]!] as const);
  const all = [...others, ...kept].sort(([a], [b]) => (a < b ? -1 : 1));
  if (all.length === 0) delete metadata.annotations;
  else metadata.annotations = Object.fromEntries(all);
}

const listDecoder = (reference: string): ((raw: JsonValue) => JsonValue[] | undefined) => {
  const items: GoType = goStruct(reference);
  const type: StructType = struct('', '', { items: { number: 1, type: listOf(items), description: '' } });
  const decode = typedDecoder(type);
  return (raw) => {
    const decoded = decode({ items: raw });
    return 'error' in decoded ? undefined : ((decoded.object['items'] ?? []) as JsonValue[]);
  };
};

const decoders = {
  [METRICS]: listDecoder('autoscaling/v1.MetricSpec'),
  [CURRENT_METRICS]: listDecoder('autoscaling/v1.MetricStatus'),
  [CONDITIONS]: listDecoder('autoscaling/v1.HorizontalPodAutoscalerCondition'),
};

/** A list of an annotation; undefined if there is none, or if it does not have the form that it must have. */
export function readList(
  { annotations = {} }: ObjectMeta,
  name: keyof typeof decoders,
): JsonObject[] | undefined {
  const raw = Object.hasOwn(annotations, name) ? parsed(annotations[name]!) : undefined;
  return raw === undefined ? undefined : (decoders[name]!(raw) as JsonObject[] | undefined);
}

/** Structs are printed in the order of their fields, which decoding gives them. */
export const listText = (name: keyof typeof decoders, items: readonly JsonObject[]): string =>
  goText(decoders[name]!([...items]) ?? []);

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

type Behavior = NonNullable<Autoscaler['spec']['behavior']>;

/** Upstream prints a type without names for JSON: the names are those of Go. */
export const behaviorText = ({ scaleUp, scaleDown }: Behavior): string =>
  goText({ ScaleUp: goRules(scaleUp), ScaleDown: goRules(scaleDown) });

function goRules(rules: ScalingRules | undefined): JsonValue {
  if (rules === undefined) return null;
  const policies = rules.policies?.map(({ type, value, periodSeconds }) => ({
    Type: type,
    Value: value,
    PeriodSeconds: periodSeconds,
  }));
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies: policies ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

const behaviorDecoder = typedDecoder(goStruct('autoscaling/v2.HorizontalPodAutoscalerBehavior'));

export function readBehavior({ annotations = {} }: ObjectMeta): Behavior | undefined {
  const raw = Object.hasOwn(annotations, BEHAVIOR) ? parsed(annotations[BEHAVIOR]!) : undefined;
  if (raw === undefined || raw === null) return undefined;
  const decoded = behaviorDecoder(withLowerNames(raw));
  if ('error' in decoded || Object.keys(decoded.object).length === 0) return undefined;
  return decoded.object as Behavior;
}

/** Go reads names in any case of letters: those that it prints and those of v2. */
function withLowerNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withLowerNames);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.slice(0, 1).toLowerCase() + name.slice(1),
      withLowerNames(member),
    ]),
  );
}
