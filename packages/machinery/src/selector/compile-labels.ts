// A list of label requirements as one function. What is required of one key is merged, and of the keys only
// those that the object has are looked up: matching an object takes as long as it has labels, however long
// the selector is.
import { type LabelRequirement, type Labels, parseInt64 } from './label-requirement.ts';

/** All that is required of the value of one key, if the object has it. */
interface LabelCondition {
  readonly key: string;
  /** Objects without the key do not match. */
  required: boolean;
  /** Objects with the key do not match. */
  absent: boolean;
  allowed: ReadonlySet<string> | undefined;
  forbidden: Set<string> | undefined;
  above: bigint | undefined;
  below: bigint | undefined;
}

export function compileLabelRequirements(
  requirements: readonly LabelRequirement[],
): (labels: Labels) => boolean {
  const conditions = new Map<string, LabelCondition>();
  for (const requirement of requirements) {
    const { key } = requirement;
    const condition = conditions.get(key) ?? newCondition(key);
    conditions.set(key, condition);
    add(condition, requirement);
  }
  const required = [...conditions.values()].filter((condition) => condition.required);
  const optional = [...conditions.values()].filter((condition) => !condition.required);
  if (optional.length === 0) return (labels) => holdAll(required, labels);
  return (labels) => holdAll(required, labels) && holdOptional(optional, conditions, labels);
}

const newCondition = (key: string): LabelCondition => ({
  key,
  required: false,
  absent: false,
  allowed: undefined,
  forbidden: undefined,
  above: undefined,
  below: undefined,
});

function add(condition: LabelCondition, { operator, values }: LabelRequirement): void {
  if (operator === '!') condition.absent = true;
  else if (operator === 'notin' || operator === '!=') {
    condition.forbidden ??= new Set();
    for (const value of values) condition.forbidden.add(value);
  } else {
    condition.required = true;
    if (operator === 'gt' || operator === 'lt') addBound(condition, operator, parseInt64(values[0] ?? ''));
    else if (operator !== 'exists') condition.allowed = intersection(condition.allowed, values);
  }
}

/** Without a bound, nothing matches. */
function addBound(condition: LabelCondition, operator: 'gt' | 'lt', bound: bigint | undefined): void {
  if (bound === undefined) condition.absent = true;
  else if (operator === 'gt') {
    if (condition.above === undefined || bound > condition.above) condition.above = bound;
  } else if (condition.below === undefined || bound < condition.below) condition.below = bound;
}

const intersection = (
  allowed: ReadonlySet<string> | undefined,
  values: readonly string[],
): ReadonlySet<string> =>
  new Set(allowed === undefined ? values : values.filter((value) => allowed.has(value)));

/** Ends at the first key that the object does not have, so at the latest after its last label. */
function holdAll(required: readonly LabelCondition[], labels: Labels): boolean {
  for (const condition of required)
    if (!Object.hasOwn(labels, condition.key) || !holds(condition, labels[condition.key]!)) return false;
  return true;
}

function holdOptional(
  optional: readonly LabelCondition[],
  conditions: ReadonlyMap<string, LabelCondition>,
  labels: Labels,
): boolean {
  const keys = Object.keys(labels);
  if (optional.length <= keys.length) {
    for (const condition of optional)
      if (Object.hasOwn(labels, condition.key) && !holds(condition, labels[condition.key]!)) return false;
    return true;
  }
  for (const key of keys) {
    const condition = conditions.get(key);
    if (condition !== undefined && !holds(condition, labels[key]!)) return false;
  }
  return true;
}

function holds({ absent, allowed, forbidden, above, below }: LabelCondition, value: string): boolean {
  if (absent || forbidden?.has(value)) return false;
  if (allowed !== undefined && !allowed.has(value)) return false;
  if (above === undefined && below === undefined) return true;
  const number = parseInt64(value);
  if (number === undefined) return false;
  return (above === undefined || number > above) && (below === undefined || number < below);
}
